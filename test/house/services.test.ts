import { describe, expect, it } from 'vitest'
import type { EvaluationId, WorldId } from '../../src/domain/ids.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { servicesOf } from '../../src/house/services.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { dispatcher } from '../../src/rpc/dispatch.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { fromWire } from '../../src/rpc/wire-error.ts'
import { type HouseOptions, house } from '../support/house.ts'

const notes: Tool = {
  name: 'note',
  description: 'Notes.',
  repeatable: true,
  parse: (args) => args,
  target: (args) => `notes/${String(args.file)}`,
  run: async () => 'noted',
}

/** A house and a caller of its methods, every result held to its schema. */
async function serve(options: HouseOptions = {}) {
  const home = await house({ tools: [notes], files: { 'a.md': 'one' }, ...options })
  const services = servicesOf(home.runtime, {
    version: '9.9.9',
    tools: new Map([[notes.name, notes]]),
    ignored: [],
    assertSound: () => {},
    assertWritable: async () => {},
  })
  const dispatch = dispatcher({ methods, services, checkResults: true })
  return {
    home,
    async call<T>(method: string, params: object = {}): Promise<T> {
      const answer = await dispatch(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }), {})
      const { result, error } = JSON.parse(answer ?? 'null') as { result: T; error?: unknown }
      if (error !== undefined) throw fromWire(error)
      return result
    },
  }
}

interface Row {
  id: string
  title: string
  state: string
}

const asking = (file: string) =>
  scriptedProvider({
    decide: ({ title }) => ({ decision: title === 'Watch the build' ? 'escalate' : 'skip' }),
    analyse: () => ({
      kind: 'proposal',
      proposal: {
        title: 'Note it',
        summary: 'Note',
        priority: 'normal',
        calls: [{ tool: 'note', arguments: { file, deepOnes: { keepCase: 1 } } }],
        provenance: [],
      },
    }),
  })

describe('the runtime through its methods', () => {
  it('tells how everything stands', async () => {
    const { call } = await serve({ tasks: ['Watch the build'] })
    await call('subconscious.trigger', { wait: true })
    expect(await call('subconscious.status')).toMatchObject({
      enabled: true,
      mode: 'simple',
      interval_minutes: 5,
      total_ticks: 1,
      heartbeat_file: { kind: 'read', tasks: 1 },
      provider_available: true,
      instances: [{ instance: 'memory', state: 'resting', cadence_minutes: 5, paused: false, halted_reason: null }],
    })
    expect(await call('rpc.discover')).toMatchObject({ info: { version: '9.9.9' } })
  })

  it('ticks, waits, and tells why and what came of it', async () => {
    const provider = scriptedProvider({ decide: () => ({ decision: 'act', text: 'News' }) })
    const { call } = await serve({ tasks: ['Watch the build'], provider })
    const { ticks } = await call<{ ticks: { tick: string; state: string; evaluations: Row[] }[] }>(
      'subconscious.trigger',
      { wait: true },
    )
    expect(ticks).toMatchObject([{ state: 'done', model_calls: 1, evaluations: expect.any(Array) }])
    const watched = ticks[0]?.evaluations.find(({ title }) => title === 'Watch the build')
    expect(watched).toMatchObject({ state: 'acted', text: 'News' })
    expect(await call('subconscious.why', { evaluation: watched?.id })).toMatchObject({
      evaluation: { id: watched?.id },
      changes: [{ key: 'a.md', item_kind: 'markdown', added: ['one'] }],
      call: { provider: 'scripted' },
    })
    expect(await call('subconscious.why', { task: 'Watch the build' })).toMatchObject({ schedule: expect.any(String) })
    const steps = await call<{ recorded: string; replayed: string }[]>('subconscious.replay', {
      evaluation: watched?.id,
    })
    expect(steps.every(({ recorded, replayed }) => recorded === replayed)).toBe(true)
  })

  it('keeps tasks and goals', async () => {
    const { call } = await serve()
    const added = await call<Row>('subconscious.tasks_add', {
      title: 'Water the plants',
      schedule: 'every 2h',
      max_lateness_minutes: 10,
    })
    expect(added).toMatchObject({
      schedule: { kind: 'every', minutes: 120 },
      schedule_text: expect.any(String),
      max_lateness_ms: 600_000,
      intent_by: 'rule',
    })
    expect(await call('subconscious.tasks_update', { task: added.id, enabled: false, intent: 'write' })).toMatchObject({
      enabled: false,
      intent_by: 'user',
      max_lateness_ms: 600_000,
    })
    expect(await call('subconscious.tasks_remove', { task: added.id })).toMatchObject({ id: added.id })
    await expect(call('subconscious.tasks_remove', { task: added.id })).rejects.toMatchObject({ code: 'task/unknown' })
    await expect(call('subconscious.tasks_add', { title: 'x', schedule: 'now and then' })).rejects.toMatchObject({
      code: 'task/schedule-invalid',
    })
    const goal = await call<{ id: string }>('subconscious.goals_add', { text: 'Ship in May' })
    expect(await call('subconscious.goals_update', { goal: goal.id, text: 'Ship in June' })).toMatchObject({
      id: goal.id,
    })
    expect(await call('subconscious.goals_remove', { goal: goal.id })).toMatchObject({ text: 'Ship in June' })
    expect(await call('subconscious.goals_list')).toEqual([])
  })

  it('pages through the log, by task, state and world', async () => {
    const { call, home } = await serve({ tasks: ['One', 'Two', 'Three'] })
    await call('subconscious.trigger', { wait: true })
    await home.write('a.md', 'two')
    await call('subconscious.trigger', { wait: true })
    const all = await call<Row[]>('subconscious.log_list', { limit: 500 })
    const paged: Row[] = []
    for (let before: string | undefined; ; before = paged.at(-1)?.id) {
      const page = await call<Row[]>('subconscious.log_list', { limit: 2, world: 'memory', ...(before && { before }) })
      paged.push(...page)
      if (page.length < 2) break
    }
    expect(all.length).toBeGreaterThanOrEqual(6)
    expect(paged).toEqual(all)
    const ofOne = await call<Row[]>('subconscious.log_list', { task: 'One' })
    expect(ofOne.map(({ title }) => title)).toEqual(['One', 'One'])
    expect(await call('subconscious.log_list', { state: 'failed' })).toEqual([])
    await expect(call('subconscious.log_list', { world: 'garden' })).rejects.toMatchObject({ code: 'world/unknown' })
    await expect(call('subconscious.log_list', { before: 'ev_0' })).rejects.toMatchObject({
      code: 'evaluation/unknown',
    })
    await expect(call('subconscious.log_list', { task: 'Nobody' })).rejects.toMatchObject({ code: 'task/unknown' })
  })

  it('tells worlds apart in the log, a full page of each', async () => {
    const { call, home } = await serve({ tasks: ['One', 'Two', 'Three'] })
    await call('subconscious.trigger', { wait: true })
    const { stores, host } = home.runtime
    const garden = 'garden' as WorldId
    const [sample] = stores.evaluations.log({ limit: 1 })
    await host.write(() => {
      stores.ticks.registerWorld({ id: garden, kind: 'garden', title: 'Garden' })
      for (const name of ['a', 'b', 'c']) {
        const made = { id: `ev_x${name}` as EvaluationId, world: garden, state: 'inProgress' as const, settledAt: null }
        if (sample) stores.evaluations.insert({ ...sample, ...made, createdAt: sample.createdAt + 1 })
      }
    })
    const ids = async (params: object) => (await call<Row[]>('subconscious.log_list', params)).map(({ id }) => id)
    expect(await ids({ world: 'garden', limit: 2 })).toEqual(['ev_xc', 'ev_xb'])
    const memory = await ids({ world: 'memory', limit: 2 })
    expect(memory).toHaveLength(2)
    expect(memory.filter((row) => row.startsWith('ev_x'))).toEqual([])
    // Nobody is there to take it, so it is not said to be cancelled.
    await expect(call('subconscious.cancel', { evaluation: 'ev_xa' })).rejects.toMatchObject({
      code: 'evaluation/ended',
    })
  })

  it('still has the log of a task that is gone, by its id', async () => {
    const { call, home } = await serve({ tasks: ['One'] })
    await call('subconscious.trigger', { wait: true })
    const [row] = await call<(Row & { task: string })[]>('subconscious.log_list', { task: 'One' })
    await home.write('HEARTBEAT.md', '')
    await call('subconscious.trigger', { wait: true })
    expect(await call('subconscious.log_list', { task: row?.task })).toMatchObject([{ id: row?.id, title: 'One' }])
  })

  it('pauses and resumes', async () => {
    const { call } = await serve()
    expect(await call('subconscious.pause')).toEqual({ instances: [{ instance: 'memory', state: 'paused' }] })
    await expect(call('subconscious.trigger')).rejects.toMatchObject({ code: 'world/paused' })
    await expect(call('subconscious.trigger', { kind: 'all' })).rejects.toMatchObject({ code: 'world/paused' })
    expect(await call('subconscious.status')).toMatchObject({ instances: [{ paused: true }] })
    expect(await call('subconscious.resume')).toEqual({ instances: [{ instance: 'memory', state: 'resting' }] })
  })

  it('examines itself', async () => {
    const { call } = await serve({ tasks: ['One'] })
    await call('subconscious.trigger', { wait: true })
    const findings = await call<{ ok: boolean }[]>('subconscious.doctor')
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
  })
})

describe('cards through the methods', () => {
  interface CardRow extends Row {
    digest: string
    calls_shown: { target: string; arguments: { name: string; value: string }[] }[]
  }

  it('show what would be touched, hidden characters and all, and are carried out as shown', async () => {
    const { call } = await serve({ tasks: ['Watch the build'], provider: asking('ab\u202Etxt.exe') })
    await call('subconscious.trigger', { wait: true })
    const [card] = await call<CardRow[]>('subconscious.escalations_list')
    expect(card).toMatchObject({
      task_title: 'Watch the build',
      calls: [{ tool: 'note', arguments: { file: 'ab\u202Etxt.exe', deepOnes: { keepCase: 1 } } }],
      calls_shown: [
        {
          tool: 'note',
          target: 'notes/ab⟨U+202E⟩txt.exe',
          arguments: [
            { name: 'file', value: 'ab⟨U+202E⟩txt.exe' },
            { name: 'deepOnes', value: '{"keepCase":1}' },
          ],
        },
      ],
    })
    const answer = { id: card?.id, digest: card?.digest, wait: true, by: 'cli', message: 'm1' }
    const approved = { evaluation: card?.id, state: 'approved', outcome: { state: 'acted', text: 'noted' } }
    expect(await call('subconscious.escalations_approve', answer)).toMatchObject(approved)
    expect(await call('subconscious.escalations_approve', answer)).toMatchObject(approved)
    await expect(call('subconscious.escalations_approve', { ...answer, message: 'm2' })).rejects.toMatchObject({
      code: 'approval/answered',
    })
    expect(await call('subconscious.escalations_list')).toEqual([])
    expect(await call('subconscious.escalations_list', { state: 'all' })).toMatchObject([{ answered_by: 'cli' }])
    await expect(call('subconscious.escalations_retry', { id: card?.id })).rejects.toMatchObject({
      code: 'approval/not-failed',
    })
  })

  it('show no target for a tool that is gone, and are unknown by a wrong id', async () => {
    const { call, home } = await serve({ tasks: ['Watch the build'], provider: asking('a') })
    await call('subconscious.trigger', { wait: true })
    const gone = servicesOf(home.runtime, {
      version: '',
      tools: new Map(),
      ignored: [],
      assertSound: () => {},
      assertWritable: async () => {},
    })
    expect(gone.cards.list({ open: true, limit: 5 })[0]?.callsShown).toMatchObject([{ tool: 'note', target: '' }])
    await expect(call('subconscious.escalations_get', { id: 'ev_0' })).rejects.toMatchObject({
      code: 'approval/unknown',
    })
  })

  it('are cancelled with their evaluation, which then has ended', async () => {
    const { call } = await serve({ tasks: ['Watch the build'], provider: asking('a') })
    await call('subconscious.trigger', { wait: true })
    const [card] = await call<CardRow[]>('subconscious.escalations_list')
    expect(await call('subconscious.cancel', { evaluation: card?.id, by: 'cli' })).toEqual({ cancelled: true })
    expect(await call('subconscious.log_list', { state: 'cancelled' })).toMatchObject([
      { id: card?.id, reason: 'Cancelled by cli' },
    ])
    await expect(call('subconscious.cancel', { evaluation: card?.id })).rejects.toMatchObject({
      code: 'evaluation/ended',
    })
    await expect(call('subconscious.cancel', { evaluation: 'ev_0' })).rejects.toMatchObject({
      code: 'evaluation/unknown',
    })
  })
})

describe('cancelling a tick', () => {
  it('ends one that runs, and no other', async () => {
    const provider = scriptedProvider({
      judge: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    })
    const { call, home } = await serve({ tasks: ['One'], provider })
    const { ticks } = await call<{ ticks: string[] }>('subconscious.trigger')
    const judging = () => provider.calls.judge.length
    while (judging() === 0) await new Promise((next) => setImmediate(next))
    expect(await call('subconscious.cancel', { tick: ticks[0], by: 'cli' })).toEqual({ cancelled: true })
    expect(await home.runtime.settled(ticks[0] as never)).toMatchObject({ state: 'cancelled' })
    await expect(call('subconscious.cancel', { tick: ticks[0] })).rejects.toMatchObject({ code: 'tick/ended' })
    await expect(call('subconscious.cancel', { tick: 'tick_memory_99' })).rejects.toMatchObject({
      code: 'tick/unknown',
    })
  })
})
