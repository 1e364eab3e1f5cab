import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { id, type TaskId, type WorldId } from '../../src/domain/ids.ts'
import { type DoctorParts, doctor } from '../../src/house/doctor.ts'
import type { Status } from '../../src/house/views.ts'
import { HandClock } from '../support/clock.ts'

const world: Status['worlds'][number] = {
  id: id<WorldId>('memory'),
  kind: 'memory',
  title: 'Memory',
  state: 'resting',
  reason: null,
  generation: 3,
  lastTickAt: null,
  nextTickAt: null,
  totalTicks: 3,
  consecutiveFailures: 0,
  seenThrough: 0,
}

const usage: Status['usage'] = {
  day: '2026-04-01',
  calls: 0,
  localCalls: 0,
  cloudCalls: 0,
  failedCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cost: null,
  callsAvoided: 0,
  escalations: { verdicts: 0, escalated: 0 },
  budget: null,
}

const well: Status = {
  workspace: '/home/anna/work',
  trusted: true,
  mode: 'simple',
  model: { provider: 'builtin', model: 'builtin-1' },
  worlds: [world],
  tasks: 3,
  pausedTasks: [],
  pendingApprovals: 0,
  heartbeatFile: { kind: 'read', tasks: 3 },
  sources: [{ id: 'folder', title: 'Workspace', health: 'ok', failure: null }],
  deadLetters: 0,
  stalled: null,
  routes: [],
  usage,
}

const examine = (change: Partial<DoctorParts> = {}, status: Partial<Status> = {}) =>
  doctor({
    nodeVersion: 'v20.19.4',
    clock: new HandClock('2026-04-01T16:00:00Z'),
    status: () => ({ ...well, ...status }),
    models: async () => [],
    assertSound: () => {},
    assertWritable: async () => {},
    deadLetters: () => [],
    hasOwnTasks: () => false,
    ignored: [],
    lastRecordedAt: () => null,
    ...change,
  })

/** The one check that is not well. */
async function illness(change: Partial<DoctorParts> = {}, status: Partial<Status> = {}) {
  const ill = (await examine(change, status)).filter(({ ok }) => !ok)
  expect(ill).toHaveLength(1)
  const [one] = ill
  expect(one?.fix).toMatch(/^[A-Z].*\.$/s)
  return `${one?.check}: ${one?.found}`
}

describe('doctor', () => {
  it('finds a healthy house healthy, and looks at everything', async () => {
    const findings = await examine()
    expect(findings.filter(({ ok, fix }) => !ok || fix !== null)).toEqual([])
    expect(findings.map(({ check }) => check)).toEqual([
      'Node version',
      'clock',
      'workspace',
      'store',
      'settings',
      'trust',
      'HEARTBEAT.md',
      'sources',
      'worlds',
      'tasks',
      'messages',
    ])
  })

  it.each(['v18.20.0', 'v20.18.9', 'v21.7.0', 'v22.11.0', 'nonsense'])('refuses Node %s', async (nodeVersion) => {
    expect(await illness({ nodeVersion })).toBe(`Node version: ${nodeVersion} is not supported`)
  })

  it.each(['v20.19.0', 'v22.12.0', 'v23.0.0', 'v26.1.0'])('accepts Node %s', async (nodeVersion) => {
    expect((await examine({ nodeVersion })).every(({ ok }) => ok)).toBe(true)
  })

  it('notices a clock that stands before what has happened, or before this version was made', async () => {
    const now = Date.parse('2026-04-01T16:00:00Z')
    expect(await illness({ lastRecordedAt: () => now + 3_600_000 })).toBe(
      'clock: it says 2026-04-01T16:00:00.000Z, but something happened at 2026-04-01T17:00:00.000Z already',
    )
    expect(await illness({ clock: new HandClock('1970-01-01T00:05:00Z') })).toContain('long past')
    expect((await examine({ lastRecordedAt: () => now + 30_000 })).every(({ ok }) => ok)).toBe(true)
  })

  it('notices a workspace that cannot be written to', async () => {
    const assertWritable = () => Promise.reject(new Error('EACCES: permission denied'))
    expect(await illness({ assertWritable })).toBe('workspace: EACCES: permission denied')
  })

  it('notices a damaged store, and one that cannot be written to', async () => {
    const assertSound = () => {
      throw new Fault('store/corrupt', 'The store is damaged: page 4.')
    }
    expect(await illness({ assertSound })).toBe('store: The store is damaged: page 4.')
    expect(await illness({}, { stalled: 'The disk is full.' })).toBe('store: The disk is full.')
  })

  it('tells of settings that do not apply, and why', async () => {
    const ignored = [{ key: 'models.cloud', reason: 'the workspace is not trusted' }]
    expect(await illness({ ignored })).toBe('settings: 1 not applied: models.cloud (the workspace is not trusted)')
  })

  it('notices that the workspace is not trusted', async () => {
    expect(await illness({}, { trusted: false })).toContain('trust: this workspace is not trusted')
  })

  it.each<[Status['heartbeatFile'], string]>([
    [{ kind: 'absent' }, 'there is none'],
    [{ kind: 'read', tasks: 0 }, 'no task'],
    [{ kind: 'noTask' }, 'it holds words but no task'],
    [{ kind: 'unreadable', reason: 'It is not text.' }, 'It is not text.'],
  ])('notices a HEARTBEAT.md that asks for nothing: %j', async (heartbeatFile, found) => {
    expect(await illness({}, { heartbeatFile })).toBe(`HEARTBEAT.md: ${found}`)
  })

  it('does not miss a HEARTBEAT.md where the user has tasks without one', async () => {
    for (const heartbeatFile of [{ kind: 'absent' }, { kind: 'read', tasks: 0 }] as const) {
      expect((await examine({ hasOwnTasks: () => true }, { heartbeatFile })).every(({ ok }) => ok)).toBe(true)
    }
  })

  it('tells of every model that was asked, between the tasks and the sources', async () => {
    const models = async () => [
      { check: 'model for judging', ok: false, found: 'llama3 did not answer', fix: 'Start it.' },
      { check: 'model for texts', ok: true, found: 'llama3 (ollama, local)', fix: null },
    ]
    expect(await illness({ models })).toBe('model for judging: llama3 did not answer')
    const names = (await examine({ models })).map(({ check }) => check)
    expect(names.slice(names.indexOf('HEARTBEAT.md'), names.indexOf('worlds'))).toEqual([
      'HEARTBEAT.md',
      'model for judging',
      'model for texts',
      'sources',
    ])
  })

  it('notices sources that fail, not those that were never read', async () => {
    const sources = [
      { id: 'folder', title: 'Workspace', health: 'failing', failure: 'It is gone.' },
      { id: 'mail', title: 'Mail', health: 'unread', failure: null },
    ]
    expect(await illness({}, { sources })).toBe('sources: Workspace: It is gone.')
    expect((await examine({}, { sources: [] })).every(({ ok }) => ok)).toBe(true)
  })

  it('notices worlds that are paused or fail', async () => {
    expect(await illness({}, { worlds: [{ ...world, state: 'paused' }] })).toBe('worlds: Memory is paused')
    expect(await illness({}, { worlds: [{ ...world, consecutiveFailures: 2, reason: 'No answer.' }] })).toBe(
      'worlds: Memory failed 2 times in a row: No answer.',
    )
  })

  it('lists paused tasks with their reasons, a few of many', async () => {
    const pausedTasks = Array.from({ length: 7 }, (_, n) => ({ id: id<TaskId>(`t${n}`), title: `T${n}`, why: 'Why.' }))
    expect(await illness({}, { pausedTasks })).toBe(
      'tasks: 7 paused: “T0” (Why.), “T1” (Why.), “T2” (Why.), “T3” (Why.), “T4” (Why.), and 2 more',
    )
  })

  it('tells of messages that nobody could take, and of the last of them', async () => {
    const letter = { seq: 2, actor: 'ev_1', event: '{}', reason: 'no such actor', at: 0 }
    expect(await illness({ deadLetters: () => [letter] }, { deadLetters: 2 })).toBe(
      'messages: 2 could not be delivered; the last one to ev_1: no such actor',
    )
  })

  it('goes on when a check itself fails', async () => {
    const lastRecordedAt = () => {
      throw new Error('odd')
    }
    expect(await illness({ lastRecordedAt })).toBe('clock: Could not be checked: odd')
  })
})
