import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { validateInputs, watches } from '../../src/memory/inputs.ts'

describe('the inputs of a task', () => {
  it.each<[inputs: string[], source: string, key: string, expected: boolean]>([
    [[], 'folder', 'anything', true],
    [['folder'], 'folder', 'a/b.md', true],
    [['folder'], 'mail', 'a/b.md', false],
    [['inbox/**'], 'folder', 'inbox/0001.eml', true],
    [['inbox/**'], 'folder', 'inbox/2026/0001.eml', true],
    [['inbox/**'], 'folder', 'old/inbox/0001.eml', false],
    [['inbox/'], 'folder', 'inbox/0001.eml', true],
    [['*.md'], 'folder', 'notes/deep/plan.md', true],
    [['/*.md'], 'folder', 'notes/plan.md', false],
    [['/*.md'], 'folder', 'plan.md', true],
    [['*.md'], 'folder', 'plan.MD', false],
    [['*.md', 'inbox/**'], 'folder', 'inbox/1.eml', true],
    [['folder:inbox/**'], 'folder', 'inbox/1.eml', true],
    [['folder:inbox/**'], 'mail', 'inbox/1.eml', false],
    [['mail:*'], 'mail', '<m1@example.com>', true],
    [['[ab].txt'], 'folder', 'b.txt', true],
    [['\\[a].txt'], 'folder', '[a].txt', true],
    [['*'], 'folder', '', false],
    [['*'], 'folder', '../x', true],
    [['*'], 'folder', '/x', true],
    [['*'], 'folder', '__proto__', true],
    [['!*'], 'folder', 'x', false],
    [['#x'], 'folder', '#x', false],
    [[''], 'folder', 'x', false],
  ])('%j of source %s with key %s: %s', (inputs, source, key, expected) => {
    expect(watches(inputs, source, key)).toBe(expected)
  })

  it('are kept trimmed and once each', () => {
    expect(validateInputs([' inbox/** ', 'folder', 'inbox/**'])).toEqual(['inbox/**', 'folder'])
    expect(validateInputs([])).toEqual([])
    expect(validateInputs(['folder:*.md', 'a b/*.md', '**/x/**', '\\#1.md', '日記/**'])).toHaveLength(5)
  })

  it.each<[string, RegExp]>([
    ['', /empty/],
    ['  ', /empty/],
    ['/', /empty/],
    ['folder:', /empty/],
    ['!inbox/**', /take items away/],
    ['folder:!x', /take items away/],
    ['# notes', /comment/],
    ['a\u0000b', /control/],
    ['a\nb', /control/],
    ['../x', /from the root/],
    ['./x', /from the root/],
    ['a/../b', /from the root/],
    ['**/a/**/b/**', /double stars/],
    ['[ab', /nothing closes/],
    ['a\\', /backslash/],
    ['x'.repeat(501), /longer than 500/],
  ])('are refused with what to do when one is %j', (input, sentence) => {
    const refusal = (): unknown => validateInputs(['fine/**', input])
    expect(refusal).toThrow(Fault)
    expect(refusal).toThrow(sentence)
    expect(refusal).toThrow(expect.objectContaining({ code: 'task/inputs-invalid', kind: 'use' }))
  })

  it('are refused when there are more than a hundred', () => {
    expect(() => validateInputs(Array.from({ length: 101 }, (_, at) => `f${at}/**`))).toThrow(/100 is the most/)
  })

  it('can be asked about any key without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'binary' }), (input, source, key) => {
        expect(typeof watches([input], source, key)).toBe('boolean')
      }),
    )
  })

  it('never cover nothing once they were accepted: each covers a key made from it', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const [input] = validateInputs([`${names.join('/')}/*.md`])
        expect(watches([input!], 'folder', `${names.join('/')}/x.md`)).toBe(true)
      }),
    )
  })

  it('are matched in no time to speak of against keys made to take long', () => {
    const start = performance.now()
    for (const glob of ['x/**/y/**/*b', '**/**', '*a*a*a*a*a*a*b', '[a-z]*[a-z]*[a-z]*[a-z]*9'])
      for (const key of [`${'x/'.repeat(2000)}a`, 'a'.repeat(4000), `${'a/'.repeat(1000)}${'a'.repeat(200)}`])
        watches([glob], 'folder', key)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('name a file in the deepest of folders', () => {
    expect(watches(['*.md'], 'folder', `${'x/'.repeat(500)}a.md`)).toBe(true)
    expect(watches(['x/x/**'], 'folder', `${'x/'.repeat(500)}a.md`)).toBe(true)
    expect(watches(['*.txt'], 'folder', `${'x/'.repeat(500)}a.md`)).toBe(false)
  })
})
