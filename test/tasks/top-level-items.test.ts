import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, it } from 'vitest'
import { topLevelItems } from '../../src/tasks/top-level-items.ts'

const lines = fc.constantFrom(
  '',
  '',
  '',
  '- a',
  '- b',
  '* c',
  '1. d',
  '2. e',
  '  - nested',
  '   - indented',
  '    deep',
  '  more',
  '> quote',
  '> - q',
  '```',
  '  ```',
  '~~~',
  'prose',
  '---',
  '===',
  '# h',
  '<!--',
  '-->',
  '<div>',
  '| a | b |',
  '|---|---|',
  '[x]: /y',
  '[^1]: n',
  '-',
  '- [ ] f',
  '- [x] g',
  '\t- tab',
  '10) h',
  '- ```',
  '- > i',
  '***',
  '  > j',
)

it('finds through its window what the parser finds in the whole document', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 60, maxLength: 300 }), (drawn) => {
      const document = drawn.join('\n')
      const whole = fromMarkdown(document, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
      const expected = whole.children
        .flatMap((block) => (block.type === 'list' ? block.children : []))
        .map((item) => document.slice(item.position?.start.offset, item.position?.end.offset))
      const found = [...topLevelItems(document)].map(({ item, text }) =>
        text.slice(item.position?.start.offset, item.position?.end.offset),
      )
      expect(found).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})
