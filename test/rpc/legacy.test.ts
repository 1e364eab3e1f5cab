import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { id, type TaskId } from '../../src/domain/ids.ts'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import type { Services, TaskView } from '../../src/rpc/services.ts'
import { card, evaluation, noon, services, task } from './samples.ts'

/** As a client of OpenHuman calls: its names, its envelope. */
const call = async (name: string, params: unknown = {}, given: Services = services()): Promise<unknown> => {
  const asked = `openhuman.subconscious_${name}`
  const answer = await invoke({ methods, services: given, checkResults: true }, asked, params, {})
  expect(Object.keys(answer as object).sort()).toEqual(['logs', 'result'])
  expect((answer as { logs: unknown }).logs).toEqual([expect.stringMatching(/^[a-z ]+$/)])
  return (answer as { result: unknown }).result
}
const noonSeconds = noon / 1000

describe('a client of OpenHuman', () => {
  it('is told how it stands, in Unix seconds', async () => {
    const top = {
      enabled: true,
      mode: 'simple',
      provider_available: true,
      provider_unavailable_reason: null,
      interval_minutes: 5,
      last_tick_at: noonSeconds,
      total_ticks: 7,
      consecutive_failures: 2,
    }
    expect(await call('status')).toEqual({
      ...top,
      task_count: 3,
      pending_escalations: 1,
      instances: [
        {
          ...top,
          instance: 'memory',
          title: 'Memory',
          description: 'Your files and mail',
          state: 'resting',
          cadence_minutes: 5,
          next_tick_at: noonSeconds + 300,
          halted_reason: null,
          paused: false,
        },
      ],
    })
  })

  it('is told so before anything has happened', async () => {
    const given = services()
    const status = { ...given.status(), instances: [] }
    expect(await call('status', {}, services({ status: () => status }))).toMatchObject({
      last_tick_at: null,
      total_ticks: 0,
      instances: [],
    })
  })

  it.each([
    [{}, ['memory']],
    [{ kind: null }, ['memory']],
    [{ kind: 'tiny_place' }, ['tinyplace']],
    [{ kind: 'all' }, ['memory', 'tinyplace']],
  ])('triggers with %j', async (params, worlds) => {
    const asked: string[] = []
    const given = services({
      worlds: {
        trigger: async (world) => {
          asked.push(world)
          return id<never>('tick')
        },
      },
    })
    expect(await call('trigger', params, given)).toEqual({ triggered: true })
    expect(asked).toEqual(worlds)
  })

  it('is told that a world is unknown', async () => {
    await expect(call('trigger', { kind: 'garden' })).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })

  const tasks: TaskView[] = [
    { ...task, lastRunAt: noon + 500 },
    { ...task, id: id<TaskId>('task_2'), enabled: false, schedule: { kind: 'every-tick' } },
    { ...task, id: id<TaskId>('task_3'), schedule: { kind: 'once' } },
    { ...task, id: id<TaskId>('task_4'), schedule: { kind: 'cron', expression: '0 9 * * 1' } },
  ]

  it('lists tasks', async () => {
    const given = services({ tasks: { list: () => tasks } })
    const all = (await call('tasks_list', { enabled_only: false }, given)) as { recurrence: string }[]
    expect(all[0]).toEqual({
      id: 'task_1',
      title: 'Check urgent mail',
      source: 'user',
      recurrence: 'every 30 minutes',
      enabled: true,
      last_run_at: noonSeconds + 0.5,
      next_run_at: noonSeconds,
      completed: false,
      created_at: noonSeconds,
    })
    expect(all.map(({ recurrence }) => recurrence).slice(1)).toEqual(['pending', 'once', 'cron:0 9 * * 1'])
    expect(await call('tasks_list', { enabled_only: true }, given)).toHaveLength(3)
    expect(await call('tasks_list', {}, given)).toHaveLength(4)
  })

  it('adds, changes and removes a task', async () => {
    const asked: unknown[] = []
    const given = services({
      tasks: {
        add: async (order) => {
          asked.push(order)
          return task
        },
        edit: async (which, change) => {
          asked.push([which, change])
          return task
        },
        remove: async (which) => {
          asked.push(which)
          return task
        },
      },
    })
    expect(await call('tasks_add', { title: 'Watch the build', source: 'user' }, given)).toMatchObject({ id: 'task_1' })
    const update = (change: object) => call('tasks_update', { task_id: 'task_1', ...change }, given)
    expect(await update({ title: 'New', enabled: false })).toEqual({ updated: 'task_1' })
    await update({ recurrence: 'cron:0 9 * * 1' })
    await update({ recurrence: 'pending', enabled: null, title: null })
    await update({ recurrence: 'once' })
    expect(await call('tasks_remove', { task_id: 'task_1' }, given)).toEqual({ removed: 'task_1' })
    expect(asked).toEqual([
      { title: 'Watch the build' },
      ['task_1', { title: 'New', enabled: false }],
      ['task_1', { schedule: { kind: 'cron', expression: '0 9 * * 1' } }],
      ['task_1', { schedule: { kind: 'every-tick' } }],
      ['task_1', { schedule: 'once' }],
      'task_1',
    ])
  })

  it('lists the log, with its own words for what became of a task', async () => {
    const queries: unknown[] = []
    const states = {
      inProgress: 'in_progress',
      acted: 'act',
      skipped: 'noop',
      awaitingApproval: 'escalate',
      dismissed: 'dismissed',
      failed: 'failed',
      cancelled: 'cancelled',
      superseded: 'cancelled',
    } as const
    const rows = Object.keys(states).map((state) => ({ ...evaluation, state: state as keyof typeof states }))
    const given = services({
      evaluations: {
        log: (query) => {
          queries.push(query)
          return rows
        },
      },
    })
    const told = (await call('log_list', { task_id: 'task_1', limit: 5 }, given)) as { decision: string }[]
    expect(told.map(({ decision }) => decision)).toEqual(Object.values(states))
    expect(told[0]).toEqual({
      id: 'ev_1',
      task_id: 'task_1',
      tick_at: noonSeconds,
      decision: 'in_progress',
      result: 'Anna needs the figures by tonight',
      duration_ms: 0,
      created_at: noonSeconds,
    })
    await call('log_list', {}, given)
    expect(queries).toMatchObject([{ task: 'task_1', limit: 5 }, { limit: 50 }])
  })

  it('is told what failed, and of what goes on that it has no duration yet', async () => {
    const failed = { ...evaluation, text: null, failure: { code: 'model/unreadable' as const, message: 'No answer.' } }
    const going = { ...evaluation, text: null, reason: null, settledAt: null }
    const given = services({ evaluations: { log: () => [failed, going] } })
    expect(await call('log_list', {}, given)).toMatchObject([
      { result: 'No answer.' },
      { result: null, duration_ms: null },
    ])
  })

  it('lists escalations with all that an approval would do', async () => {
    const states = ['open', 'approved', 'dismissed', 'expired', 'withdrawn', 'superseded', 'cancelled'] as const
    const cards = states.map((state) => ({ ...card, state, answeredAt: state === 'open' ? null : noon }))
    const given = services({ cards: { list: ({ open }) => (open ? cards.slice(0, 1) : cards) } })
    expect(await call('escalations_list', { status: 'pending' }, given)).toEqual([
      {
        id: 'ev_1',
        task_id: 'task_1',
        log_id: 'ev_1',
        title: 'Note the figures',
        description: 'Write them down\n\nappend_file notes.md\n  path: notes.md',
        priority: 'important',
        status: 'pending',
        created_at: noonSeconds,
        resolved_at: null,
      },
    ])
    expect(await call('escalations_list', {}, given)).toHaveLength(7)
    expect(await call('escalations_list', { status: 'approved' }, given)).toHaveLength(1)
    expect(await call('escalations_list', { status: 'dismissed' }, given)).toMatchObject(
      [1, 2, 3, 4, 5].map(() => ({ status: 'dismissed', resolved_at: noonSeconds })),
    )
  })

  it('approves a card as it stands and dismisses one', async () => {
    const answers: unknown[] = []
    const given = services({
      cards: {
        approve: async (...answer) => {
          answers.push(answer)
          return { ...card, state: 'approved' }
        },
        dismiss: async (...answer) => {
          answers.push(answer)
          return { ...card, state: 'dismissed' }
        },
      },
    })
    expect(await call('escalations_approve', { escalation_id: 'ev_1' }, given)).toEqual({ approved: 'ev_1' })
    expect(await call('escalations_dismiss', { escalation_id: 'ev_1' }, given)).toEqual({ dismissed: 'ev_1' })
    expect(answers).toEqual([
      ['ev_1', 'd1', { by: 'user' }],
      ['ev_1', { by: 'user' }],
    ])
  })

  it('cannot say yes to a question that it does not see as one', async () => {
    const given = services({
      cards: {
        get: () => ({ ...card, kind: 'unknown' }),
        approve: () => Promise.reject(new Error('it was approved')),
      },
    })
    await expect(call('escalations_approve', { escalation_id: 'ev_1' }, given)).rejects.toMatchObject({
      code: 'rpc/invalid-params',
    })
  })

  it('is told what went wrong like everybody else', async () => {
    const fault = Fault.use('task/unknown', 'There is no task x.')
    const given = services({ tasks: { remove: () => Promise.reject(fault) } })
    await expect(call('tasks_remove', { task_id: 'x' }, given)).rejects.toBe(fault)
    await expect(call('tasks_remove', {})).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })
})
