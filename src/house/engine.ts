import { evaluationSeat } from '../actors/evaluation.ts'
import { heartbeatSeat } from '../actors/heartbeat.ts'
import { type FaultPoint, SqliteHost } from '../actors/host.ts'
import { instanceSeat } from '../actors/instance.ts'
import type { Policy } from '../actors/ports.ts'
import { tickSeat } from '../actors/tick.ts'
import type { Source } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Provider } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import type { Tool } from '../domain/tool.ts'
import { type MemoryPorts, memoryProfile } from '../profiles/memory.ts'
import { checkpointer } from '../store/checkpointer.ts'
import { housekeeping } from '../store/housekeeping.ts'
import type { Lease } from '../store/lease.ts'
import { sqliteLedger, viewLedger } from '../store/ledger.ts'
import type { Db } from '../store/open.ts'
import { Answers } from './answers.ts'
import { allowWriteTool } from './ask-to-write.ts'
import { evaluationWork } from './evaluation-work.ts'
import { GoalBook } from './goal-book.ts'
import { HeartbeatTasks } from './heartbeat-tasks.ts'
import { timedIds } from './ids.ts'
import { memoryPorts } from './memory-ports.ts'
import { policyOf } from './policy.ts'
import { Reports } from './reports.ts'
import { withStoreFaults } from './store-errors.ts'
import { type Stores, stores as storesOver } from './stores.ts'
import { TaskBook } from './task-book.ts'
import { tickWork } from './tick-work.ts'
import { Tidy } from './tidy.ts'
import { lookAnew } from './turned-back.ts'

export interface EngineParts {
  workspace: string
  /** Path of the database; `store` is its open connection. */
  db: string
  store: Db
  /** The right to write; a Fault where there is none, which is what everybody who tries is told. */
  right: Lease | Fault
  heartbeatFile: string
  settings: Settings
  trusted: boolean
  sources: readonly Source[]
  provider: Provider
  tools: ReadonlyMap<string, Tool>
  clock: Clock
  random: () => number
  fault?: (point: FaultPoint) => void
}

/** The parts of a runtime, put together and not yet running. */
export interface Engine {
  host: SqliteHost
  ledger: Ledger
  stores: Stores
  tasks: TaskBook
  goals: GoalBook
  answers: Answers
  heartbeatTasks: HeartbeatTasks
  tidy: Tidy
  policy: Policy
  checkpointer: Disposable
  timezone(): string
  /** Throws `workspace/untrusted` while the user has not said yes to the workspace. */
  assertTrusted(): void
}

const systemZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The one place where a runtime's parts are made and handed to each other. */
export function buildEngine(parts: EngineParts): Engine {
  const { clock, settings, store, workspace, trusted } = parts
  const stores = storesOver(store)
  const { ledger, checkpoints } = writing(parts)
  const ids = timedIds(clock)
  const timezone = () => settings.user.timezone ?? systemZone
  const assertTrusted = () => {
    if (!trusted) throw untrusted(workspace)
  }
  const { host, late } = lateHost()
  const tools = new Map(parts.tools)
  const allow = allowWriteTool(stores, (change) => late.write(change))
  tools.set(allow.name, allow)
  const policy = policyOf({ settings: () => settings, timezone, tools, random: parts.random })
  const budget = () => Math.min(settings.heartbeat.context_budget_tokens, parts.provider.contextTokens)
  const reports = new Reports({ stores, clock, timezone, budget })
  const tasks = new TaskBook({ host: late, stores, clock, ids, timezone })
  const heartbeatTasks = new HeartbeatTasks({ file: parts.heartbeatFile, host: late, stores, ids, book: tasks })
  const common = { host: late, stores, clock, reports, provider: () => parts.provider }
  const memory = { ...common, sources: parts.sources, policy, timezone, heartbeatTasks, found: new Map() }
  const { concurrency } = settings.heartbeat
  const made = new SqliteHost({
    ledger,
    clock,
    seats: [
      heartbeatSeat(stores),
      instanceSeat(stores, policy),
      tickSeat(stores, policy),
      evaluationSeat(stores, policy),
    ],
    handlers: {
      ...withStoreFaults(
        tickWork<MemoryPorts>({
          ...common,
          worldOf: (due) => ({ profile: memoryProfile, ports: memoryPorts(memory, due) }),
        }),
        parts.db,
      ),
      ...withStoreFaults(evaluationWork({ ...common, tools, concurrency, assertTrusted }), parts.db),
    },
    // Should the store not take it now, the next beat is late by no more than the clock was set back.
    onTurnedBack: () => void lookAnew({ host: late, stores, policy }).catch(() => {}),
    ...(parts.fault && { fault: parts.fault }),
  })
  host.is = made
  // A task that was changed or taken away between the look and the judging is looked up again.
  made.subscribe((news) => {
    if (news.type === 'task' && news.what !== 'added') memory.found.clear()
  })
  return {
    host: made,
    ledger,
    stores,
    tasks,
    goals: new GoalBook({ host: made, stores, clock, ids }),
    answers: new Answers({ host: made, stores, clock, ids, tools, assertTrusted }),
    heartbeatTasks,
    tidy: new Tidy({
      host: made,
      housekeeping: housekeeping(store),
      stores,
      clock,
      keepDays: () => settings.journal.keep_days,
    }),
    policy,
    checkpointer: checkpoints,
    timezone,
    assertTrusted,
  }
}

function writing({ store, db, right }: EngineParts): { ledger: Ledger; checkpoints: Disposable } {
  if (right instanceof Fault) return { ledger: viewLedger(store, right), checkpoints: { [Symbol.dispose]() {} } }
  const checkpoints = checkpointer(store, db)
  return { ledger: sqliteLedger(store, right, () => checkpoints.committed()), checkpoints }
}

type LateHost = Pick<SqliteHost, 'spawnAll' | 'dispatchAll' | 'write'>

/** The host needs its handlers and they need the host: they are handed this, which is the host as soon as there is one. */
function lateHost(): { host: { is?: SqliteHost }; late: LateHost } {
  const host: { is?: SqliteHost } = {}
  const is = (): SqliteHost => {
    if (!host.is) throw new Fault('runtime/unexpected', 'Work began before the host was there.')
    return host.is
  }
  return {
    host,
    late: {
      spawnAll: (...args) => is().spawnAll(...args),
      dispatchAll: (...args) => is().dispatchAll(...args),
      write: (change) => is().write(change),
    },
  }
}

const untrusted = (workspace: string): Fault =>
  new Fault(
    'workspace/untrusted',
    'This workspace is not trusted, so nothing may be written to it. Run undermind trust if it is yours.',
    { workspace },
  )
