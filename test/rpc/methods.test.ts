import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { id, type TickId } from '../../src/domain/ids.ts'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import type { Services } from '../../src/rpc/services.ts'
import { card, evaluation, noon, services, task } from './samples.ts'

const call = (method: string, params: unknown = {}, given: Services = services()) =>
  invoke({ methods, services: given, checkResults: true }, method, params, {
    beginNews: () => 'news',
    feeds: { begin: () => {}, end: () => true },
    doorLink: async () => ({ url: 'http://127.0.0.1:1', link: 'http://127.0.0.1:1/open?once=x' }),
  })

/** Every method with parameters it takes. */
const usual: Record<string, object> = {
  'rpc.discover': {},
  'subconscious.status': {},
  'subconscious.trigger': { kind: 'all', force: true, wait: true },
  'subconscious.cancel': { evaluation: 'ev_1' },
  'subconscious.pause': {},
  'subconscious.resume': { kind: 'memory' },
  'subconscious.tasks_list': {},
  'subconscious.tasks_add': { title: 'Watch the build', schedule: 'every 30m', max_lateness_minutes: 5 },
  'subconscious.tasks_update': { task: 'task_1', enabled: false },
  'subconscious.tasks_remove': { task: 'task_1' },
  'subconscious.goals_list': {},
  'subconscious.goals_add': { text: 'Ship in May' },
  'subconscious.goals_update': { goal: 'goal_1', text: 'Ship in June' },
  'subconscious.goals_remove': { goal: 'goal_1' },
  'subconscious.log_list': { state: 'acted', limit: 500 },
  'subconscious.notifications_list': {},
  'subconscious.escalations_list': { state: 'all' },
  'subconscious.escalations_get': { id: 'ev_1' },
  'subconscious.escalations_approve': { id: 'ev_1', digest: 'd1', wait: true },
  'subconscious.escalations_dismiss': { id: 'ev_1' },
  'subconscious.escalations_respond': { id: 'ev_1', text: 'Only Anna' },
  'subconscious.escalations_resolve': { id: 'ev_1', happened: true },
  'subconscious.escalations_retry': { id: 'ev_1' },
  'subconscious.why': { evaluation: 'ev_1' },
  'subconscious.undo': { evaluation: 'ev_1' },
  'subconscious.replay': { evaluation: 'ev_1' },
  'orchestration.sessions_list': {},
  'orchestration.sessions_create': { agent: 'anna' },
  'orchestration.messages_list': { session: 'anna/plans', after: 3, limit: 2 },
  'orchestration.message_send': { session: 'plans', agent: 'anna', body: 'hi', id: 'm1', wait: true },
  'orchestration.mark_read': { session: 'master', through: 2 },
  'orchestration.status': {},
  'orchestration.attention': {},
  'orchestration.steering_list': {},
  'orchestration.steering_revoke': { directive: 'directive_1', by: 'cli' },
  'orchestration.steering_restore': { directive: 'directive_1' },
  'usage.summary': { days: 400, by: 'task' },
  'subconscious.doctor': {},
  'events.subscribe': {},
  'door.link': {},
  'import.openhuman': { dir: '/home/mina/openhuman', dry_run: true },
  'import.progress': { seen: 3 },
  'inspector.actors': { parent: 'instance_memory', kind: 'evaluation', state: 'inProgress', settled: true, limit: 5 },
  'inspector.actor': { id: 'ev_1' },
  'inspector.definition': { kind: 'evaluation' },
  'inspector.history': { actor: 'ev_1', from_version: 2, snapshots: true },
  'inspector.messages': { since_seq: 0 },
  'inspector.subscribe': { actor: 'ev_1', since_seq: 4, subscription: 'detail' },
  'inspector.unsubscribe': { subscription: 'detail' },
  'openhuman.subconscious_status': {},
  'openhuman.subconscious_trigger': { kind: 'memory' },
  'openhuman.subconscious_tasks_list': { enabled_only: true },
  'openhuman.subconscious_tasks_add': { title: 'Watch the build', source: 'user' },
  'openhuman.subconscious_tasks_update': { task_id: 'task_1', recurrence: 'pending', enabled: false },
  'openhuman.subconscious_tasks_remove': { task_id: 'task_1' },
  'openhuman.subconscious_log_list': { task_id: 'task_1', limit: 5 },
  'openhuman.subconscious_escalations_list': { status: 'pending' },
  'openhuman.subconscious_escalations_approve': { escalation_id: 'ev_1' },
  'openhuman.subconscious_escalations_dismiss': { escalation_id: 'ev_1' },
}

describe('every method', () => {
  it('is tried here', () => {
    expect([...methods.keys()].sort()).toEqual(Object.keys(usual).sort())
  })

  it.each(Object.entries(usual))('%s answers in the shape it promises', async (name, params) => {
    expect(await call(name, params)).toBeDefined()
  })

  it.each([...methods.keys()])('%s refuses a parameter it does not know', async (name) => {
    await expect(call(name, { ...usual[name], colour: 'red' })).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      kind: 'use',
      message: expect.stringContaining('colour is not among its parameters'),
    })
  })

  it('finds a result that is not as promised, where it is told to look', async () => {
    const wrong = services({ tasks: { list: () => [{ ...task, attempts: 'many' } as never] } })
    await expect(call('subconscious.tasks_list', {}, wrong)).rejects.toMatchObject({ code: 'runtime/unexpected' })
  })
})

describe('subconscious.status', () => {
  it('has the numbers of the memory world at the top and every world below', async () => {
    expect(await call('subconscious.status')).toMatchObject({
      last_tick_at: noon,
      total_ticks: 7,
      consecutive_failures: 2,
      task_count: 3,
      pending_escalations: 1,
      interval_minutes: 5,
      heartbeat_file: { kind: 'noTask' },
      instances: [{ instance: 'memory', cadence_minutes: 5, paused: false }],
    })
  })
})

describe('subconscious.trigger', () => {
  const asked: [string, boolean][] = []
  const worlds = {
    trigger: async (world: string, { force }: { force: boolean }) => {
      asked.push([world, force])
      return id<TickId>(`tick_${world}_9`)
    },
  }
  const trigger = (params: object, given = services({ worlds })) => {
    asked.length = 0
    return call('subconscious.trigger', params, given)
  }

  it('asks the memory world and answers with the tick, at once', async () => {
    expect(await trigger({})).toEqual({ ticks: ['tick_memory_9'] })
    expect(asked).toEqual([['memory', false]])
  })

  it('takes all for every world, and tiny_place for tinyplace', async () => {
    expect(await trigger({ kind: 'all' })).toEqual({ ticks: ['tick_memory_9', 'tick_tinyplace_9'] })
    expect(await trigger({ kind: 'tiny_place', force: true })).toEqual({ ticks: ['tick_tinyplace_9'] })
    expect(asked).toEqual([['tinyplace', true]])
  })

  it.each(['garden', '', '__proto__', 'toString'])('refuses the unknown kind %j as a wrong parameter', async (kind) => {
    await expect(trigger({ kind })).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      message: expect.stringContaining('memory, tinyplace, all'),
    })
  })

  it('waits for the end when asked to, and tells what came of it', async () => {
    expect(await trigger({ wait: true })).toEqual({
      ticks: [
        {
          world: 'memory',
          tick: 'tick_memory_9',
          state: 'done',
          reason: null,
          model_calls: 1,
          calls_avoided: 2,
          duration_ms: 40,
          evaluations: [
            {
              id: 'ev_1',
              task: 'task_1',
              title: 'Check urgent mail',
              state: 'acted',
              text: 'Anna needs the figures by tonight',
              reason: 'One mail is urgent',
              sources: evaluation.sources,
            },
          ],
        },
      ],
    })
  })

  it('gives the failure for the reason where an evaluation has no other', async () => {
    const failed = {
      ...evaluation,
      reason: null,
      failure: { code: 'model/no-verdict' as const, message: 'No answer.' },
    }
    const given = services({
      worlds: {
        outcome: async (tick) => ({
          ...(await services().worlds.outcome(tick)),
          evaluations: [failed],
        }),
      },
    })
    expect(await trigger({ wait: true }, given)).toMatchObject({ ticks: [{ evaluations: [{ reason: 'No answer.' }] }] })
  })

  it('passes over a paused world when all are asked, and refuses one that is asked by name', async () => {
    const paused = new Fault('world/paused', 'Memory is paused.')
    const given = services({
      worlds: {
        trigger: async (world) => {
          if (world === 'memory') throw paused
          return id<TickId>('tick_tinyplace_9')
        },
      },
    })
    expect(await call('subconscious.trigger', { kind: 'all' }, given)).toEqual({ ticks: ['tick_tinyplace_9'] })
    await expect(call('subconscious.trigger', {}, given)).rejects.toMatchObject({ code: 'world/paused' })
  })

  it('is refused when all worlds are paused, or when one cannot tick for another reason', async () => {
    const refusing = (fault: Fault) => services({ worlds: { trigger: () => Promise.reject(fault) } })
    const all = { kind: 'all' }
    await expect(call('subconscious.trigger', all, refusing(new Fault('world/paused', 'x')))).rejects.toMatchObject({
      code: 'world/paused',
    })
    await expect(call('subconscious.trigger', all, refusing(new Fault('store/stalled', 'x')))).rejects.toMatchObject({
      code: 'store/stalled',
    })
  })
})

describe('pausing and resuming', () => {
  it('is of all worlds unless one is named', async () => {
    expect(await call('subconscious.pause')).toEqual({
      instances: [
        { instance: 'memory', state: 'paused' },
        { instance: 'tinyplace', state: 'paused' },
      ],
    })
    expect(await call('subconscious.resume', { kind: 'tiny_place' })).toEqual({
      instances: [{ instance: 'tinyplace', state: 'resting' }],
    })
  })
})

describe('subconscious.replay', () => {
  it('runs the journal again, or has the model that is named judge again', async () => {
    expect(await call('subconscious.replay', { evaluation: 'ev_1' })).toMatchObject([{ replayed: 'acted' }])
    const given = { evaluation: 'ev_1', model: 'ollama:qwen3' }
    expect(await call('subconscious.replay', given)).toMatchObject({
      recorded: { decision: 'act', state: 'acted', provider: null },
      rejudged: { model: 'ollama:qwen3', analysis: null },
      used: { prompt_tokens: 5 },
    })
  })

  it.each([{ analyse: true }, { model: '' }, { model: 'm'.repeat(501) }, { model: 'm', by: 'x' }])(
    'does not take %j',
    async (params) => {
      const asked = call('subconscious.replay', { evaluation: 'ev_1', ...params })
      await expect(asked).rejects.toMatchObject({ code: 'rpc/invalid-params' })
    },
  )
})

describe('subconscious.cancel and why', () => {
  it.each([
    ['subconscious.cancel', {}],
    ['subconscious.cancel', { evaluation: 'ev_1', tick: 'tick_1' }],
    ['subconscious.why', {}],
    ['subconscious.why', { task: 'task_1', evaluation: 'ev_1' }],
  ])('%s takes one thing, not %j', async (name, params) => {
    await expect(call(name, params)).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })

  it('says who stops a tick', async () => {
    const stopped: unknown[] = []
    const given = services({ worlds: { cancelTick: async (...order) => void stopped.push(order) } })
    expect(await call('subconscious.cancel', { tick: 'tick_1', by: 'cli' }, given)).toEqual({ cancelled: true })
    expect(stopped).toEqual([['tick_1', { by: 'cli' }]])
  })

  it('tells of a task or of an evaluation, journal and all', async () => {
    expect(await call('subconscious.why', { task: 'task_1' })).toMatchObject({ task: { id: 'task_1' }, last_text: 'a' })
    expect(await call('subconscious.why', { evaluation: 'ev_1' })).toMatchObject({
      evaluation: { from: 0, through: 4, created_at: noon },
      changes: [{ item_kind: 'mail' }],
      more_changes: 0,
      journal: [{ to_state: 'acted', event: '{"type":"verdict","someArgument":1}' }],
    })
  })
})

describe('tasks', () => {
  it('are shown without what only the scheduler needs', async () => {
    const [row] = (await call('subconscious.tasks_list')) as Record<string, unknown>[]
    expect(row).toMatchObject({ schedule_text: 'every 30 minutes', only_if_changed: true, intent_by: 'rule' })
    expect(Object.keys(row ?? {})).not.toEqual(expect.arrayContaining(['judged_through']))
  })

  it('are ordered in the runtime’s own words, minutes as milliseconds', async () => {
    const orders: unknown[] = []
    const given = services({
      tasks: {
        add: async (order) => {
          orders.push(order)
          return task
        },
      },
    })
    const schedule = { kind: 'every', minutes: 30 }
    await call(
      'subconscious.tasks_add',
      { title: 'T', schedule, inputs: ['a_b/**'], only_if_changed: true, catch_up: 'skip', max_lateness_minutes: 2 },
      given,
    )
    expect(orders).toEqual([
      {
        title: 'T',
        schedule,
        intent: undefined,
        inputs: ['a_b/**'],
        onlyIfChanged: true,
        catchUp: 'skip',
        maxLatenessMs: 120_000,
      },
    ])
  })

  it('lose their latest time when it is null, and keep it when nothing is said', async () => {
    const late: unknown[] = []
    const given = services({
      tasks: {
        edit: async (_, { maxLatenessMs }) => {
          late.push(maxLatenessMs)
          return task
        },
      },
    })
    await call('subconscious.tasks_update', { task: 'task_1', max_lateness_minutes: null }, given)
    await call('subconscious.tasks_update', { task: 'task_1' }, given)
    expect(late).toEqual([null, undefined])
  })

  it.each([
    [{ title: 1 }, 'title'],
    [{ title: 'a', schedule: 7 }, 'schedule'],
    [{ title: 'a', intent: 'destroy' }, 'intent'],
    [{ title: 'a', inputs: 'inbox' }, 'inputs'],
    [{ title: 'a', inputs: [1] }, 'inputs[0]'],
    [{ title: 'a', max_lateness_minutes: -1 }, 'max_lateness_minutes'],
    [{}, 'title is missing'],
  ])('are refused with the field named: %j', async (params, field) => {
    await expect(call('subconscious.tasks_add', params)).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      message: expect.stringContaining(field),
    })
  })
})

describe('the log', () => {
  it.each([0, 501, 1.5, '5'])('has no page of %j rows', async (limit) => {
    await expect(call('subconscious.log_list', { limit })).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })

  it('has 50 rows a page unless more are asked for', async () => {
    const queries: unknown[] = []
    const given = services({
      evaluations: {
        log: (query) => {
          queries.push(query)
          return []
        },
      },
    })
    await call('subconscious.log_list', { before: 'ev_1', world: 'memory' }, given)
    expect(queries).toEqual([{ before: 'ev_1', world: 'memory', limit: 50 }])
  })
})

describe('cards', () => {
  it('are shown with their calls as they are, names of arguments too', async () => {
    expect(await call('subconscious.escalations_get', { id: 'ev_1' })).toMatchObject({
      task_title: 'Check urgent mail',
      calls: [{ arguments: { fileMode: { keepAsGiven: 1 } } }],
      calls_shown: [{ target: 'notes.md' }],
    })
  })

  it('are open ones unless all are asked for', async () => {
    const queries: unknown[] = []
    const given = services({
      cards: {
        list: (query) => {
          queries.push(query)
          return []
        },
      },
    })
    await call('subconscious.escalations_list', {}, given)
    await call('subconscious.escalations_list', { state: 'all', limit: 2 }, given)
    expect(queries).toEqual([
      { open: true, limit: 100 },
      { open: false, limit: 2 },
    ])
  })

  it('are answered by the user unless somebody else is named', async () => {
    const answers: unknown[] = []
    const approve: Services['cards']['approve'] = async (...answer) => {
      answers.push(answer)
      return { ...card, state: 'approved' }
    }
    const given = services({ cards: { approve } })
    const calls = [{ tool: 'append_file', arguments: { path: 'a.md', deepValue: [{ someKey: null }] } }]
    await call('subconscious.escalations_approve', { id: 'ev_1', digest: 'd1' }, given)
    await call('subconscious.escalations_approve', { id: 'ev_1', digest: 'd1', calls, by: 'cli', message: 'm1' }, given)
    expect(answers).toEqual([
      ['ev_1', 'd1', { by: 'user' }, undefined],
      ['ev_1', 'd1', { by: 'cli', message: 'm1' }, calls],
    ])
  })

  it('say that they are approved at once, and what came of it only when waited for', async () => {
    const answer = { id: 'ev_1', digest: 'd1' }
    expect(await call('subconscious.escalations_approve', answer)).toEqual({ evaluation: 'ev_1', state: 'approved' })
    expect(await call('subconscious.escalations_approve', { ...answer, wait: true })).toMatchObject({
      state: 'approved',
      outcome: { id: 'ev_1', state: 'acted' },
    })
  })

  it.each([
    [{ id: 'ev_1' }, 'digest is missing'],
    [{ id: '', digest: 'd' }, 'id'],
    [{ id: 'ev_1', digest: 'd', calls: [] }, 'calls'],
    [{ id: 'ev_1', digest: 'd', calls: [{ tool: 'x' }] }, 'calls[0].arguments is missing'],
    [{ id: 'ev_1', digest: 'd', calls: [{ tool: 'x', arguments: {}, more: 1 }] }, 'calls[0].more'],
    [{ id: 'ev_1', digest: 'd', by: '' }, 'by'],
  ])('are not approved by %j', async (params, field) => {
    await expect(call('subconscious.escalations_approve', params)).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      message: expect.stringContaining(field),
    })
  })
})

it('has no subscription for a caller who cannot be told', async () => {
  const asked = invoke({ methods, services: services() }, 'events.subscribe', {}, {})
  await expect(asked).rejects.toMatchObject({ code: 'rpc/no-subscription', kind: 'use' })
})

describe('usage.summary', () => {
  it('asks for a week told apart by day unless it is told otherwise, and answers in millionths', async () => {
    const asked: object[] = []
    const given = services({
      usage: (query) => {
        asked.push(query)
        return services().usage(query)
      },
    })
    expect(await call('usage.summary', {}, given)).toMatchObject({
      from: '2026-03-26',
      to: '2026-04-01',
      today: { calls: 12, local_calls: 10, cost: 30_000, calls_avoided: 41, budget: { money: { left: 470_000 } } },
      rows: [
        { key: 'task_1', title: 'Check urgent mail', cost: 30_000 },
        { key: '', cost: null },
      ],
    })
    await call('usage.summary', { days: 1, by: 'purpose' }, given)
    expect(asked).toEqual([
      { days: 7, by: 'day' },
      { days: 1, by: 'purpose' },
    ])
  })

  it.each([{ days: 0 }, { days: 401 }, { days: 1.5 }, { days: '7' }, { by: 'colour' }])(
    'refuses %j',
    async (params) => {
      await expect(call('usage.summary', params)).rejects.toMatchObject({ code: 'rpc/invalid-params' })
    },
  )
})
