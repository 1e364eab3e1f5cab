import { day, minute } from '../../../src/domain/clock.ts'
import { now } from './fake.ts'

/** Rows as the methods answer with, with what a test says of them. */
export const row = (given: Record<string, unknown> = {}) => ({
  id: 'ev_1',
  task: 'task_mail',
  title: 'Tell me about urgent messages in the inbox',
  world: 'memory',
  tick: 'tick_memory_1',
  state: 'acted',
  phase: null,
  decision: 'act',
  reason: 'A deadline is named',
  text: 'Urgent: the contract must be signed by 2 April\n> Please sign by 2 April.',
  sources: [{ source: 'folder', key: 'inbox/0003.eml', quote: 'Please sign by 2 April.', external: true }],
  failure: null,
  retry_of: null,
  tainted: true,
  created_at: now - minute,
  settled_at: now,
  ...given,
})

export const skipped = (id: string, given: Record<string, unknown> = {}) =>
  row({ id, state: 'skipped', text: null, reason: 'Nothing urgent', sources: [], decision: 'skip', ...given })

export const card = (given: Record<string, unknown> = {}) => ({
  id: 'ev_card',
  task: 'task_dates',
  world: 'memory',
  kind: 'proposal',
  state: 'open',
  title: 'Note the date of the contract',
  summary: 'The mail names 2 April; the agenda does not have it.',
  priority: 'important',
  calls: [{ tool: 'append_file', arguments: { path: 'AGENDA.md', text: '- 2 April: sign the contract' } }],
  calls_shown: [
    {
      tool: 'append_file',
      target: 'AGENDA.md',
      arguments: [
        { name: 'path', value: 'AGENDA.md' },
        { name: 'text', value: '- 2 April: sign the contract' },
      ],
    },
  ],
  provenance: [{ source: 'folder', key: 'inbox/0003.eml', quote: 'Please sign by 2 April.', external: true }],
  digest: 'd1',
  fingerprint: 'f1',
  external: true,
  bundled: false,
  created_at: now - 5 * minute,
  refreshed_at: now - 5 * minute,
  expires_at: now + 14 * day,
  answered_at: null,
  answered_by: null,
  answer: null,
  task_title: 'Note dates from the inbox in the agenda',
  ...given,
})

export const task = (given: Record<string, unknown> = {}) => ({
  id: 'task_mail',
  world: 'memory',
  title: 'Tell me about urgent messages in the inbox',
  source: 'system',
  origin: 'heartbeat',
  judge: 'model',
  intent: 'read',
  intent_by: 'rule',
  asks_to_write: false,
  effects: [],
  schedule: { kind: 'every-tick' },
  schedule_text: 'every tick',
  inputs: [],
  only_if_changed: false,
  catch_up: 'once',
  max_lateness_ms: null,
  enabled: true,
  paused: null,
  completed: false,
  last_run_at: now - 5 * minute,
  next_run_at: null,
  attempts: 0,
  created_at: now - day,
  ...given,
})

export const usageToday = (given: Record<string, unknown> = {}) => ({
  day: '2026-04-01',
  calls: 12,
  local_calls: 10,
  cloud_calls: 2,
  failed_calls: 0,
  prompt_tokens: 12_000,
  completion_tokens: 2_200,
  cost: 30_000 as number | null,
  calls_avoided: 41,
  escalations: { verdicts: 37, escalated: 3 },
  budget: null,
  ...given,
})

export const status = (given: Record<string, unknown> = {}) => ({
  enabled: true,
  mode: 'simple',
  interval_minutes: 5,
  last_tick_at: now - 5 * minute,
  total_ticks: 12,
  task_count: 4,
  pending_escalations: 1,
  consecutive_failures: 0,
  provider_available: true,
  provider_unavailable_reason: null,
  workspace: '/home/mina/notes',
  trusted: true,
  model: { provider: 'builtin', model: 'builtin' },
  heartbeat_file: { kind: 'read', tasks: 3 },
  sources: [{ id: 'folder', title: 'Files', health: 'ok', failure: null }],
  paused_tasks: [],
  dead_letters: 0,
  stalled: null,
  usage: usageToday(),
  routes: [
    { stage: 'judge', route: 'local', provider: 'builtin', model: 'builtin', available: true, reason: null },
    {
      stage: 'tools',
      route: 'cloud',
      provider: 'builtin',
      model: 'builtin',
      available: false,
      reason: 'no model is set under [models.cloud]',
    },
  ],
  instances: [
    {
      instance: 'memory',
      title: 'Memory',
      description: 'Watches your files',
      state: 'resting',
      cadence_minutes: 5,
      last_tick_at: now - 5 * minute,
      next_tick_at: now + 5 * minute,
      total_ticks: 12,
      consecutive_failures: 0,
      halted_reason: null,
      paused: false,
    },
  ],
  ...given,
})

export const tick = (given: Record<string, unknown> = {}) => {
  const evaluations = [row(), skipped('ev_2'), skipped('ev_3'), row({ id: 'ev_card', state: 'awaitingApproval' })]
  return {
    world: 'memory',
    tick: 'tick_memory_1',
    state: 'done',
    reason: null,
    model_calls: 1,
    evaluations: evaluations.map(({ id, task: of, title, state, text, reason, sources }) => ({
      id,
      task: of,
      title,
      state,
      text,
      reason,
      sources,
    })),
    calls_avoided: 2,
    duration_ms: 412,
    ...given,
  }
}
