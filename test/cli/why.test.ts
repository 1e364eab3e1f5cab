import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { home, now } from './support/fake.ts'
import { row, task } from './support/rows.ts'

const unknownTask = Fault.use('task/unknown', 'There is no task x.')
const unknownEvaluation = Fault.use('evaluation/unknown', 'There is no evaluation x.')

const { title: _, ...evaluation } = row()
const ofTask = {
  task: task(),
  schedule: 'every tick',
  last: { ...evaluation, batch: 0, from: 1, through: 2, call: 'call_1' },
  last_text: 'It last ran at 18:00 and ended acted.',
  now_text: 'Inputs unchanged: nothing it looks at has changed since.',
  next_text: 'Next: 18:05.',
}
const change = {
  seq: 2,
  source: 'folder',
  key: 'inbox/0003.eml',
  kind: 'added',
  item_kind: 'mail',
  title: 'Contract',
  author: null,
  time: null,
  link: '',
  external: true,
  at: now,
  added: Array.from({ length: 10 }, (_, line) => `line ${line}`),
  removed: ['was'],
  omitted: 5,
}
const ofEvaluation = {
  evaluation: ofTask.last,
  task: task(),
  card: null,
  changes: [change],
  more_changes: 3,
  call: {
    id: 'call_1',
    tick: 'tick_1',
    batch: 0,
    world: 'memory',
    evaluation: null,
    tasks: ['task_mail'],
    provider: 'builtin',
    model: 'builtin',
    route: 'local',
    purpose: 'judge',
    prompt_digest: 'p',
    answer: '["{\\"decision\\":\\"act\\"}"]',
    repaired: 0,
    calls: 1,
    failed: false,
    prompt_tokens: 120,
    completion_tokens: 30,
    cost: null as number | null,
    duration_ms: 12,
    at: now,
  },
  journal: [
    {
      seq: 1,
      actor: 'ev_1',
      version: 1,
      sender: null,
      event: '{"type":"verdict"}',
      from_state: null,
      to_state: 'acted',
      at: now,
    },
  ],
}

describe('undermind why', () => {
  it('says of a task when it ran, why not since, and when next', async () => {
    const it = home({ why: ofTask })
    expect(await it.undermind('why', 'task_mail')).toBe(0)
    expect(it.door.calls[0]?.params).toEqual({ task: 'task_mail' })
    expect(it.out()).toBe(
      [
        'Tell me about urgent messages in the inbox',
        '  Schedule: every tick',
        '  It last ran at 18:00 and ended acted.',
        '  Inputs unchanged: nothing it looks at has changed since.',
        '  Next: 18:05.',
        '',
      ].join('\n'),
    )
    await it.undermind('why', 'task_mail', '--json')
    expect(JSON.parse(it.out())).toMatchObject({ task: { id: 'task_mail' }, nextText: 'Next: 18:05.' })
  })

  it('shows of an evaluation the changes, the call and the way it took', async () => {
    const it = home({ why: ofEvaluation })
    expect(await it.undermind('why', 'ev_1')).toBe(0)
    expect(it.door.calls[0]?.params).toEqual({ evaluation: 'ev_1' })
    expect(it.out()).toBe(
      [
        '● 18:00 acted  Tell me about urgent messages in the inbox',
        '    Urgent: the contract must be signed by 2 April',
        '    > Please sign by 2 April.',
        '    (A deadline is named)',
        '    inbox/0003.eml · ev_1',
        '',
        'Judged on',
        '  added inbox/0003.eml: Contract (external)',
        '    - was',
        ...Array.from({ length: 7 }, (_, line) => `    + line ${line}`),
        '    … 8 more lines',
        '  … 3 more changes',
        '',
        'Asked',
        '  builtin (builtin), judge: 120 + 30 tokens, 12 ms',
        '    {"decision":"act"}',
        '',
        'Went',
        '  18:00 verdict → acted',
        '',
      ].join('\n'),
    )
    await it.undermind('why', 'ev_1', '--json')
    expect(JSON.parse(it.out())).toMatchObject({
      evaluation: { id: 'ev_1' },
      moreChanges: 3,
      call: { promptTokens: 120 },
    })
  })

  it('shows what a call cost where that is known', async () => {
    const it = home({ why: { ...ofEvaluation, call: { ...ofEvaluation.call, cost: 1200 } } })
    await it.undermind('why', 'ev_1')
    expect(it.out()).toContain('120 + 30 tokens, 0.0012, 12 ms')
  })

  it('finds an evaluation whose id is not the usual one, and a task that is called like an evaluation', async () => {
    const it = home({
      why: ({ task: given }: { task?: string }) => {
        if (given === undefined) return ofEvaluation
        throw unknownTask
      },
    })
    expect(await it.undermind('why', 'odd')).toBe(0)
    expect(it.out()).toContain('Judged on')
    const other = home({
      why: ({ evaluation: given }: { evaluation?: string }) => {
        if (given === undefined) return ofTask
        throw unknownEvaluation
      },
    })
    expect(await other.undermind('why', 'ev_ent of the week')).toBe(0)
    expect(other.out()).toContain('Schedule')
  })

  it('complains of what was most likely meant when there is neither', async () => {
    const it = home({
      why: ({ task: given }: { task?: string }) => {
        throw given === undefined ? unknownEvaluation : unknownTask
      },
    })
    expect(await it.undermind('why', 'ev_x')).toBe(2)
    expect(it.err()).toBe('There is no evaluation x. [evaluation/unknown]\n')
    expect(await it.undermind('why', 'x')).toBe(2)
    expect(it.err()).toBe('There is no task x. [task/unknown]\n')
  })

  it('does not look on after another kind of failure', async () => {
    const it = home({
      why: () => {
        throw new Fault('store/corrupt', 'The store is damaged.')
      },
    })
    expect(await it.undermind('why', 'x')).toBe(1)
    expect(it.door.calls).toHaveLength(1)
  })
})
