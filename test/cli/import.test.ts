import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { cwd, home } from './support/fake.ts'

const view = (given: Record<string, unknown> = {}) => ({
  folder: '/home/mina/openhuman',
  dry_run: false,
  kinds: [
    { kind: 'heartbeat', taken: 2, there: 0, refused: 0 },
    { kind: 'log', taken: 12_345, there: 6, refused: 1 },
    { kind: 'worldDiff', taken: 0, there: 3, refused: 0 },
  ],
  findings: [
    { kind: 'tasks', effect: 'refused', text: 'It has no title.', count: 2, examples: ['t1', 'two\nlines\u001B[31m'] },
    { kind: 'messages', effect: 'changed', text: 'Too long: cut.', count: 1, examples: [] },
    { kind: 'state', effect: 'note', text: 'There is no table x.', count: 1, examples: [] },
  ],
  unreadable: [],
  ...given,
})

describe('undermind import openhuman', () => {
  it('shows what was taken, then what was not and why', async () => {
    const it = home({ 'import.openhuman': view() })
    expect(await it.undermind('import', 'openhuman', '/home/mina/openhuman')).toBe(0)
    expect(it.out()).toBe(
      [
        '              taken   here already  left out',
        'HEARTBEAT.md  2       0             0',
        'log           12,345  6             1',
        'world diff    0       3             0',
        '',
        'Left out, or not as it was:',
        '  tasks, 2 left out: It has no title.',
        '    t1',
        '    two ⏎ lines⟨U+001B⟩[31m',
        '  messages, 1 taken: Too long: cut.',
        '  state: There is no table x.',
        '',
      ].join('\n'),
    )
    expect(it.door.calls).toEqual([
      { method: 'import.openhuman', params: { dir: '/home/mina/openhuman', dry_run: false } },
    ])
  })

  it('finds the folder from where one is, and only tries with --dry-run', async () => {
    const it = home({ 'import.openhuman': ({ dry_run }: Record<string, unknown>) => view({ dry_run, findings: [] }) })
    expect(await it.undermind('import', 'openhuman', '../openhuman', '--dry-run')).toBe(0)
    expect(it.door.calls[0]!.params).toEqual({ dir: resolve(cwd, '../openhuman'), dry_run: true })
    expect(it.out()).toMatch(/would be taken[\s\S]*\nNothing was changed\.\n$/)
  })

  it('ends with 1 when something that is there could not be read', async () => {
    const sentence = 'subconscious/subconscious.db is no SQLite database.'
    const it = home({ 'import.openhuman': view({ kinds: [], findings: [], unreadable: [sentence] }) })
    expect(await it.undermind('import', 'openhuman', '/x')).toBe(1)
    expect(it.out()).toBe(`Nothing was there to take.\n\nCould not be read:\n  ${sentence}\n`)
  })

  it('prints everything for programs, with --json', async () => {
    const it = home({ 'import.openhuman': view() })
    await it.undermind('import', 'openhuman', '/x', '--json')
    expect(JSON.parse(it.out())).toMatchObject({ dryRun: false, kinds: [{ taken: 2 }, { there: 6 }, {}] })
    expect(it.door.calls).toHaveLength(1)
  })

  it('shows a person how far it is, and takes that away again', async () => {
    let end: (given: unknown) => void = () => {}
    const it = home({
      'import.openhuman': () =>
        new Promise((resolve) => {
          end = resolve
        }),
      'import.progress': ({ seen }: Record<string, unknown>) => {
        if (seen === -1) return { done: 200, total: 12_345 }
        end(view())
        return null
      },
    })
    it.io.isTTY = true
    expect(await it.undermind('import', 'openhuman', '/x')).toBe(0)
    const shown = it.err()
    expect(shown).toContain('200 of 12,345 rows')
    expect(shown).toMatch(/\r +\r$/)
  })

  it('tells what is wrong with the folder, and ends with 2', async () => {
    const it = home({
      'import.openhuman': () => {
        throw Fault.use('import/nothing-there', '/x is no workspace of an OpenHuman.')
      },
      'import.progress': null,
    })
    it.io.isTTY = true
    expect(await it.undermind('import', 'openhuman', '/x')).toBe(2)
    expect(it.err()).toMatch(/no workspace of an OpenHuman/)
    expect(await it.undermind('import', 'openhuman')).toBe(2)
    expect(await it.undermind('import', 'elsewhere')).toBe(2)
  })
})
