import type { Directive } from '../../src/domain/directive.ts'
import { type EvaluationId, id, type SourceId, type TaskId, type TickId, type WorldId } from '../../src/domain/ids.ts'
import type { SessionMessage } from '../../src/domain/session.ts'
import type { UsageSummary, UsageSums, UsageToday } from '../../src/domain/usage.ts'
import type { CardView, LogView, Services, SessionView, StatusView, TaskView } from '../../src/rpc/services.ts'
import { inspector } from './inspector-samples.ts'

export const noon = Date.parse('2026-04-01T12:00:00Z')
const memory = id<WorldId>('memory')

export const task: TaskView = {
  id: id<TaskId>('task_1'),
  world: memory,
  title: 'Check urgent mail',
  origin: 'user',
  source: 'user',
  judge: 'model',
  intent: 'read',
  intentBy: 'rule',
  asksToWrite: false,
  effects: [{ tool: 'append_file', target: 'notes/digest.md' }],
  schedule: { kind: 'every', minutes: 30 },
  scheduleText: 'every 30 minutes',
  inputs: ['inbox/**'],
  onlyIfChanged: true,
  catchUp: 'once',
  maxLatenessMs: null,
  enabled: true,
  paused: null,
  completed: false,
  retired: false,
  createdAt: noon,
  lastRunAt: null,
  nextRunAt: noon,
  retryAt: null,
  attempts: 0,
  retryOf: null,
  judgedThrough: 4,
}

const found = [{ source: 'folder', key: 'inbox/1.eml', quote: 'by tonight', external: true }]

export const evaluation: LogView = {
  id: id<EvaluationId>('ev_1'),
  task: task.id,
  title: task.title,
  world: memory,
  tick: id<TickId>('tick_memory_1'),
  batch: 0,
  state: 'acted',
  phase: null,
  decision: 'act',
  reason: 'One mail is urgent',
  text: 'Anna needs the figures by tonight',
  sources: found,
  from: 0,
  through: 4,
  call: null,
  failure: null,
  retryOf: null,
  tainted: true,
  createdAt: noon,
  settledAt: noon,
}

const decided = {
  decision: evaluation.decision,
  reason: evaluation.reason,
  text: evaluation.text,
  sources: found,
  failure: null,
}

export const card: CardView = {
  id: evaluation.id,
  task: task.id,
  taskTitle: task.title,
  world: memory,
  kind: 'proposal',
  state: 'open',
  title: 'Note the figures',
  summary: 'Write them down',
  priority: 'important',
  calls: [{ tool: 'append_file', arguments: { path: 'notes.md', fileMode: { keepAsGiven: 1 } } }],
  callsShown: [{ tool: 'append_file', target: 'notes.md', arguments: [{ name: 'path', value: 'notes.md' }] }],
  provenance: found,
  digest: 'd1',
  fingerprint: 'f1',
  external: true,
  bundled: false,
  createdAt: noon,
  refreshedAt: noon,
  expiresAt: noon,
  answeredAt: null,
  answeredBy: null,
  answer: null,
}

export const usageToday: UsageToday = {
  day: '2026-04-01',
  calls: 12,
  localCalls: 10,
  cloudCalls: 2,
  failedCalls: 1,
  promptTokens: 12_000,
  completionTokens: 2_200,
  cost: 30_000,
  callsAvoided: 41,
  escalations: { verdicts: 37, escalated: 3 },
  budget: { money: { limit: 500_000, used: 30_000, left: 470_000 }, tokens: null, refusedUntil: null },
}

const usageSummary: UsageSummary = {
  today: usageToday,
  from: '2026-03-26',
  to: '2026-04-01',
  by: 'task',
  total: { ...sumsOf(usageToday), callsAvoided: 50 },
  rows: [
    { key: 'task_1', title: 'Check urgent mail', ...sumsOf(usageToday), callsAvoided: null },
    { key: '', title: null, ...sumsOf(usageToday), cost: null, callsAvoided: null },
  ],
  more: 0,
}

function sumsOf({
  day: _day,
  callsAvoided: _avoided,
  escalations: _told,
  budget: _left,
  ...sums
}: UsageToday): UsageSums {
  return sums
}

export const status: StatusView = {
  workspace: '/home/anna/work',
  trusted: true,
  enabled: true,
  mode: 'simple',
  intervalMinutes: 5,
  model: { provider: 'builtin', model: 'builtin-1' },
  providerAvailable: true,
  providerUnavailableReason: null,
  tasks: 3,
  pendingApprovals: 1,
  heartbeatFile: { kind: 'noTask' },
  sources: [{ id: 'folder', title: 'Workspace', health: 'ok', failure: null }],
  pausedTasks: [{ id: 'task_1', title: 'Check urgent mail', why: 'It failed six times' }],
  deadLetters: 0,
  stalled: null,
  usage: usageToday,
  routes: [
    { stage: 'judge', route: 'local', provider: 'builtin', model: 'builtin-1', available: true, reason: null },
    {
      stage: 'tools',
      route: 'cloud',
      provider: 'builtin',
      model: 'builtin-1',
      available: false,
      reason: 'none is set',
    },
  ],
  instances: [
    {
      instance: 'memory',
      enabled: true,
      mode: 'simple',
      intervalMinutes: 5,
      taskCount: 3,
      pendingEscalations: 1,
      providerAvailable: true,
      providerUnavailableReason: null,
      title: 'Memory',
      description: 'Your files and mail',
      state: 'resting',
      cadenceMinutes: 5,
      lastTickAt: noon,
      nextTickAt: noon + 300_000,
      totalTicks: 7,
      consecutiveFailures: 2,
      failureReason: null,
      haltedReason: null,
      paused: false,
    },
  ],
}

const session: SessionView = {
  id: id<never>('session_1'),
  agent: 'anna',
  session: 'plans',
  kind: 'peer',
  title: 'Plans',
  state: 'idle',
  reason: null,
  head: 2,
  inbound: 1,
  cursor: 1,
  read: 0,
  unread: 2,
  attempts: 0,
  utilization: 0.25,
  evicted: 0,
  remembered: 0,
  createdAt: noon,
  activeAt: noon,
}

const message = (seq: number, role: 'user' | 'assistant'): SessionMessage => ({
  id: id<never>(`m${seq}`),
  session: session.id,
  seq,
  role,
  body: role === 'user' ? 'hi' : 'Hello.',
  cycle: role === 'user' ? null : id<never>('session_1:1'),
  delivery: role === 'user' ? null : 'delivered',
  at: noon,
})

export const directive: Directive = {
  id: id<never>('directive_1'),
  scope: 'anna',
  text: 'Ask for the date first.',
  state: 'current',
  createdCycle: 3,
  expiresAfter: 20,
  age: 2,
  rows: ['session_1:1'],
  againOf: null,
  createdAt: noon,
  endedAt: null,
  supersededBy: null,
  revokedBy: null,
}

const goal = { id: id<never>('goal_1'), text: 'Ship in May', createdAt: noon }

type Given = {
  [Part in keyof Services]?: Services[Part] extends (...args: never[]) => unknown
    ? Services[Part]
    : Partial<Services[Part]>
}

/** Services that answer with samples; a test replaces what it looks at. */
export function services(given: Given = {}): Services {
  const approved = async () => ({ ...card, state: 'approved' as const })
  const usual: Services = {
    version: '1.2.3',
    status: () => status,
    notifications: () => [{ seq: 1, kind: 'notify', title: 'Digest', body: 'Two mails', at: noon }],
    doctor: async () => [{ check: 'store', ok: true, found: 'sound', fix: null }],
    usage: async () => usageSummary,
    subscribe: () => () => {},
    worlds: {
      ids: () => ['memory', 'tinyplace'],
      trigger: async (world) => id<TickId>(`tick_${world}_1`),
      outcome: async (tick) => ({
        tick: {
          id: tick,
          world: memory,
          generation: 1,
          force: false,
          state: 'done',
          reason: null,
          modelCalls: 1,
          evaluations: 1,
          callsAvoided: 2,
          startedAt: noon,
          endedAt: noon + 40,
        },
        evaluations: [evaluation],
      }),
      cancelTick: async () => {},
      pause: async () => 'paused',
      resume: async () => 'resting',
    },
    tasks: {
      list: () => [task],
      add: async () => task,
      edit: async () => task,
      remove: async () => task,
      why: () => ({ task, schedule: 'every 30 minutes', last: null, lastText: 'a', nowText: 'b', nextText: 'c' }),
    },
    goals: {
      list: () => [goal],
      add: async (text) => ({ ...goal, text }),
      update: async (_, text) => ({ ...goal, text }),
      remove: async () => goal,
    },
    evaluations: {
      log: () => [evaluation],
      outcome: async () => evaluation,
      cancel: async () => {},
      why: () => evaluationReason(),
      undo: async () => [{ path: 'notes.md', outcome: 'restored', copy: null }],
      replay: () => [{ version: 1, at: noon, event: 'verdict', recorded: 'acted', replayed: 'acted' }],
      rejudge: async (given, { model }) => ({
        evaluation: given,
        task: evaluation.task,
        title: evaluation.title,
        recorded: { ...decided, provider: null, model: null, state: 'acted', card: null },
        rejudged: { ...decided, provider: 'ollama', model, route: 'local', analysis: null },
        changes: { shown: 1, missing: 2, left: 3 },
        used: { calls: 1, promptTokens: 5, completionTokens: 7, cost: null, durationMs: 10 },
      }),
    },
    sessions: {
      list: () => [session],
      create: async () => session,
      messages: () => ({ session, messages: [message(1, 'user'), message(2, 'assistant')] }),
      send: async (_, { wait }) => ({
        session,
        message: message(1, 'user'),
        isNew: true,
        answer: wait ? message(2, 'assistant') : null,
      }),
      markRead: async () => ({ ...session, read: 2, unread: 0 }),
      status: () => ({ sessions: 3, waiting: 1, failing: 0, unread: 1, unsure: 0 }),
      attention: () => [{ session, why: 'failing', text: 'The model is down.', at: noon }],
    },
    inspector,
    imports: {
      openhuman: async (folder, { dryRun }) => ({
        folder,
        dryRun,
        kinds: [{ kind: 'worldDiff', taken: 2, there: 1, refused: 1 }],
        findings: [{ kind: 'tasks', effect: 'refused', text: 'It has no title.', count: 1, examples: ['t1'] }],
        unreadable: ['orchestration/orchestration.db is no SQLite database.'],
      }),
      progress: async (seen) => ({ done: seen + 1, total: 400 }),
    },
    steering: {
      list: () => [directive],
      revoke: async (_, by) => ({ ...directive, state: 'revoked', endedAt: noon, revokedBy: by }),
      restore: async () => directive,
    },
    cards: {
      list: () => [card],
      get: () => card,
      approve: approved,
      dismiss: async () => ({ ...card, state: 'dismissed' }),
      respond: approved,
      resolve: approved,
      retry: async () => 'ev_2',
    },
  }
  const merged = Object.entries(usual).map(([name, part]) => {
    const change = given[name as keyof Services]
    return [name, typeof part === 'object' ? { ...part, ...(change as object | undefined) } : (change ?? part)]
  })
  return Object.fromEntries(merged) as Services
}

function evaluationReason(): ReturnType<Services['evaluations']['why']> {
  const { title: _, ...row } = evaluation
  const { taskTitle: _title, callsShown: _shown, ...stored } = card
  return {
    evaluation: row,
    task,
    card: stored,
    changes: [
      {
        seq: 4,
        source: id<SourceId>('folder'),
        key: 'inbox/1.eml',
        kind: 'added',
        itemKind: 'mail',
        title: 'Figures',
        author: 'Anna',
        time: noon,
        link: 'inbox/1.eml',
        external: true,
        at: noon,
        added: ['by tonight'],
        removed: [],
        omitted: 0,
      },
    ],
    moreChanges: 0,
    call: {
      id: id<never>('call_1'),
      tick: id<TickId>('tick_memory_1'),
      batch: 0,
      world: memory,
      evaluation: null,
      tasks: [task.id],
      provider: 'builtin',
      model: 'builtin-1',
      route: 'local',
      purpose: 'judge',
      promptDigest: 'abc',
      answer: '[]',
      repaired: 0,
      calls: 1,
      failed: false,
      promptTokens: 10,
      completionTokens: 2,
      cost: null,
      durationMs: 3,
      at: noon,
    },
    journal: [
      {
        seq: 9,
        actor: id<never>('ev_1'),
        version: 1,
        sender: null,
        event: '{"type":"verdict","someArgument":1}',
        fromState: null,
        toState: 'acted',
        at: noon,
      },
    ],
  }
}
