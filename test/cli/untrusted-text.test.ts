import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson, printableLine } from '../../src/cli/printable.ts'
import { Fault } from '../../src/domain/errors.ts'
import { home, now } from './support/fake.ts'
import { rejudged } from './support/rejudged.ts'
import { card, row, status, task, tick } from './support/rows.ts'

/** What no output may hold: it steers a terminal, or turns text round. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const harmful = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

const attack =
  'a\u001B[2J\u001B]0;title\u0007\u001B]8;;http://evil\u0007link\u009B31mred\rover\b\u202Egnp.exe\u2066x\u200B\u0000\tend\nnext ● line'

const it_ = home({
  status: status({
    workspace: attack,
    mode: attack,
    model: { provider: attack, model: attack },
    heartbeat_file: { kind: 'unreadable', reason: attack },
    sources: [{ id: attack, title: attack, health: attack, failure: attack }],
    paused_tasks: [{ id: attack, title: attack, why: attack }],
    stalled: attack,
    provider_unavailable_reason: attack,
    instances: status().instances.map((one) => ({
      ...one,
      title: attack,
      state: attack,
      halted_reason: attack,
      failure_reason: attack,
    })),
  }),
  trigger: {
    ticks: [
      tick({
        state: attack,
        reason: attack,
        evaluations: tick().evaluations.map((one) => ({
          ...one,
          title: attack,
          text: attack,
          reason: attack,
          sources: [{ source: attack, key: attack, external: true }],
        })),
      }),
    ],
  },
  log_list: [
    row({ title: attack, text: attack, reason: attack, id: attack }),
    row({ state: 'failed', failure: { code: attack, message: attack } }),
    row({ state: 'dismissed', reason: attack, sources: [{ source: attack, key: attack, external: true }] }),
  ],
  tasks_list: [task({ id: attack, title: attack, schedule_text: attack })],
  tasks_add: task({ title: attack }),
  goals_list: [{ id: attack, text: attack, created_at: now }],
  escalations_list: [card({ title: attack, task_title: attack, id: attack, digest: attack })],
  escalations_get: card({
    title: attack,
    summary: attack,
    task_title: attack,
    digest: attack,
    provenance: [{ source: attack, key: attack, quote: attack, external: true }],
    calls_shown: [{ tool: attack, target: attack, arguments: [{ name: attack, value: attack }] }],
  }),
  undo: [{ path: attack, outcome: 'restored', copy: attack }],
  replay: ({ model }: Record<string, unknown>) =>
    model === undefined
      ? [{ version: 1, at: now, event: attack, recorded: attack, replayed: attack }]
      : rejudged({
          title: attack,
          recorded: { provider: attack, model: attack, reason: attack, text: attack, card: attack },
          rejudged: {
            provider: attack,
            model: attack,
            text: attack,
            sources: [{ source: attack, key: attack, external: true }],
            failure: { code: attack, message: attack },
            analysis: { kind: 'result', title: attack, text: attack, calls: [] },
          },
        }),
  doctor: [{ check: attack, ok: false, found: attack, fix: attack }],
  pause: { instances: [{ instance: attack, state: attack }] },
})
it_.parts.parse.heartbeat = async () => [attack]
it_.parts.parse.decisions = async () => ({ [attack]: attack })
it_.parts.trust.state = async () => ({ trusted: true })
it_.io.stdin = attack

describe('text from the world', () => {
  const lines = [
    'status',
    'tick',
    'log',
    'log --state acted',
    'tasks',
    'tasks add x',
    'tasks intent',
    'goals',
    'approvals',
    'approvals show x',
    'undo x',
    'replay x',
    'replay x --model y',
    'doctor',
    'pause',
    'heartbeat parse x',
    'decisions parse x --tasks t',
  ]

  it.each(lines)('cannot steer the terminal through %s, in a terminal, a pipe or JSON', async (line) => {
    for (const isTTY of [true, false])
      for (const more of [[], ['--json']]) {
        it_.io.isTTY = isTTY
        it_.env.NO_COLOR = '1'
        await it_.undermind(...line.split(' '), ...more)
        expect(it_.out()).not.toBe('')
        expect(it_.out()).not.toMatch(harmful)
        expect(it_.err().replaceAll('\r', '')).not.toMatch(harmful)
      }
  })

  it('stays the same for programs', async () => {
    await it_.undermind('goals', '--json')
    expect(JSON.parse(it_.out())).toMatchObject([{ text: attack }])
  })

  it('cannot steer the terminal through what the user typed or an error says', async () => {
    const it = home({
      status: () => {
        throw new Fault('store/odd', attack, { attack })
      },
    })
    for (const words of [
      [attack],
      ['status'],
      ['diagram', attack],
      ['log', '--since', attack],
      ['trust', '-w', attack],
    ])
      for (const more of [[], ['--json']]) {
        await it.undermind(...words, ...more)
        expect(it.err() + it.out()).not.toBe('')
        expect(it.err() + it.out()).not.toMatch(harmful)
      }
  })

  it('cannot pose as a line of a card', async () => {
    await it_.undermind('approvals', 'show', 'x')
    const posing = it_
      .out()
      .split('\n')
      .filter((line) => line.includes('next ● line'))
    expect(posing.length).toBeGreaterThan(0)
    for (const line of posing) expect(line.includes(' ⏎ ') || line.startsWith('    │ ')).toBe(true)
  })

  it('shows what was hidden by its number', () => {
    expect(printable('x\u001B[31m\u202Ey')).toBe('x⟨U+001B⟩[31m⟨U+202E⟩y')
    expect(printable('a\r\nb\tc')).toBe('a\nb  c')
    expect(printableLine('a\n  b\r\nc')).toBe('a ⏎ b ⏎ c')
  })

  it('leaves ordinary writing alone, in every script', () => {
    for (const text of ['检查收件箱', 'क्‍ष', 'می‌خواهم', '👩‍👩‍👧 ❤️', 'Grüße — “q” é', 'שלום'])
      expect(printable(text)).toBe(text)
  })

  it('is harmless whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(harmful)
        expect(printableLine(text)).not.toMatch(/\n/)
        expect(printable(printable(text))).toBe(printable(text))
        expect(printableJson(text)).not.toMatch(harmful)
        expect(JSON.parse(printableJson(text))).toBe(text)
      }),
    )
  })
})
