import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { globMatcher } from '../../src/skills/glob.ts'

const matches = (glob: string, path: string): boolean => globMatcher('list_files', glob)(path)

describe('a glob', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'deep/in/a.md', true],
    ['*.md', 'a.mdx', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/x/a.md', false],
    ['docs/*.md', 'x/docs/a.md', false],
    ['docs/**', 'docs/x/a.md', true],
    ['docs/**', 'docs', false],
    ['docs/', 'docs/a', true],
    ['**/a.md', 'a.md', true],
    ['**/a.md', 'x/y/a.md', true],
    ['**/x/**/*.ts', 'x/a.ts', true],
    ['**/x/**/*.ts', 'w/x/y/z/a.ts', true],
    ['**/x/**/*.ts', 'w/y/a.ts', false],
    ['**', 'anything/at/all', true],
    ['src/*.{ts,tsx}', 'src/a.tsx', true],
    ['{src,test}/{a,b}.ts', 'test/b.ts', true],
    ['{src,test}/{a,b}.ts', 'lib/b.ts', false],
    ['a?.md', 'ab.md', true],
    ['a?.md', 'a.md', false],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYbZ', false],
    ['[id].tsx', '[id].tsx', true],
    ['[id].tsx', 'i.tsx', false],
    ['*.MD', 'a.md', false],
  ])('%s on %s: %s', (glob, path, is) => {
    expect(matches(glob, path)).toBe(is)
  })

  it.each(['', '  ', '!a', '/etc/*', '../*', 'a/../b', './a', '~/x', 'a\\b', 'a'.repeat(201), '{a,b}'.repeat(6)])(
    'is refused: %s',
    (glob) => {
      expect(() => globMatcher('list_files', glob)).toThrow(Fault)
    },
  )

  it('is held against any path in a moment, whatever both are', () => {
    const before = performance.now()
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('*', '**', '/', 'a', '?', '{a,b}', 'b'), { maxLength: 40 }),
        fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 300 }),
        (glob, path) => {
          try {
            expect(typeof matches(glob.join(''), path.join(''))).toBe('boolean')
          } catch (error) {
            expect(error).toBeInstanceOf(Fault)
          }
        },
      ),
    )
    expect(performance.now() - before).toBeLessThan(5000)
  })
})
