import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { disagreements, errorCodes, errorRows } from './error-codes.ts'
import { readTree } from './tree.ts'

const project = join(import.meta.dirname, '../..')

const codesIn = (text: string): string[] => [...errorCodes(new Map([['store/a.ts', text]])).codes.keys()]

const compare = (text: string, ...rows: string[]): string[] =>
  disagreements(
    new Map([['store/a.ts', text]]),
    ['| code | what happened | what to do |', '|---|---|---|', ...rows].join('\n'),
  )

describe('docs/errors.md', () => {
  const tree = readTree(join(project, 'src'))
  const document = readFileSync(join(project, 'docs/errors.md'), 'utf8')

  it('has every error code of src and no other', () => {
    expect(disagreements(tree, document)).toEqual([])
  })

  it('was compared with codes that are there', () => {
    expect(errorCodes(tree).codes.size).toBeGreaterThan(20)
    expect(errorRows(document).length).toBe(errorCodes(tree).codes.size)
  })
})

describe('the search for error codes', () => {
  it.each([
    ['in a Fault', `throw new Fault('store/locked', 'x')`],
    ['in a Fault about use', `throw Fault.use('store/locked', 'x')`],
    ['in a Fault over several lines', `throw new Fault(\n  'store/locked',\n  'x',\n)`],
    ['in double quotes', `throw new Fault("store/locked", 'x')`],
    ['in a failure', `const failure = { code: 'store/locked', message: 'x' }`],
    ['in a failure with a cast', `const failure = { code: 'store/locked' as const, message: 'x' }`],
    ['in a comparison', `if (error.code === 'store/locked') retry()`],
  ])('finds one %s', (_, text) => {
    expect(codesIn(text)).toEqual(['store/locked'])
  })

  it('finds both of a choice, and those of tables and helpers that begin alike', () => {
    expect(codesIn(`throw new Fault(full ? 'store/full' : 'store/broken', 'x')`)).toEqual([
      'store/full',
      'store/broken',
    ])
    expect(codesIn(`const t = { A: ['store/a', 1] }\nsays('store/b')\nnew Fault('store/c', 'x')`)).toEqual([
      'store/a',
      'store/b',
      'store/c',
    ])
  })

  it('takes no other text of that shape for a code', () => {
    const text = `import x from 'store/locked'\nconst type = 'text/plain'\nconst p = './store/a'\n// 'store/gone'\nnew Fault('store/a', 'x')`
    expect(codesIn(text)).toEqual(['store/a'])
  })

  it('complains of a code that is missing, gone, doubled, or left without words', () => {
    const text = `new Fault('store/a', 'x')`
    const row = '| `store/a` | It broke. | Mend it. |'
    expect(compare(text, row)).toEqual([])
    expect(compare(text)).toEqual(['store/a (store/a.ts) is not documented'])
    expect(compare(text, row, '| `store/b` | It broke. | Mend it. |')).toEqual([
      'store/b is documented and no longer exists',
    ])
    expect(compare(text, row, row)).toEqual(['store/a is documented twice'])
    expect(compare(text, '| `store/a` | It broke. |  |')).toEqual(['store/a lacks what happened or what to do'])
    expect(compare(text, '| `store/a` | It broke. |')).toEqual(['store/a lacks what happened or what to do'])
  })

  it('complains of a code that is put together, which nobody could look up', () => {
    expect(compare(`new Fault(\`store/\${why}\`, "x")`)).toEqual(['store/a.ts puts a code together'])
    expect(compare('new Fault("store/" + why, "x")')).toEqual(['store/a.ts puts a code together'])
    expect(compare(`const failure = { code: \`store/\${why}\` }`)).toEqual(['store/a.ts puts a code together'])
    expect(compare(`const failure = { code: \`E\${number}\` }`)).toEqual([])
  })
})
