import { agentRunSeat } from '../actors/agent-run.ts'
import { evaluationSeat } from '../actors/evaluation.ts'
import { heartbeatSeat } from '../actors/heartbeat.ts'
import { type FaultPoint, SqliteHost } from '../actors/host.ts'
import { instanceSeat } from '../actors/instance.ts'
import type { Policy } from '../actors/ports.ts'
import { tickSeat } from '../actors/tick.ts'
import { toolCallSeat } from '../actors/tool-call.ts'
import type { RunStage } from '../domain/agent.ts'
import type { Source } from '../domain/change.ts'
import type { ChatModel } from '../domain/chat.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { WorldId } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Channel } from '../domain/session.ts'
import { effectiveMode, type Settings } from '../domain/settings.ts'
import type { Tool } from '../domain/tool.ts'
import type { UsageSummary } from '../domain/usage.ts'
import type { OwnPorts, Profile, World } from '../domain/world.ts'
import { type Checkpoints, checkpointer } from '../store/checkpointer.ts'
import { housekeeping } from '../store/housekeeping.ts'
import type { Lease } from '../store/lease.ts'
import { sqliteLedger, viewLedger } from '../store/ledger.ts'
import type { Db } from '../store/open.ts'
import { admitted } from './admitted.ts'
import { AgentRuns } from './agent-runs.ts'
import { agentWork } from './agent-work.ts'
import { Answers } from './answers.ts'
import { allowWriteTool } from './ask-to-write.ts'
import { Calls } from './calls.ts'
import { Directives } from './directives.ts'
import { evaluationWork } from './evaluation-work.ts'
import { modelOf } from './gate.ts'
import { GoalBook } from './goal-book.ts'
import { HeartbeatTasks } from './heartbeat-tasks.ts'
import { timedIds } from './ids.ts'
import { Imports } from './import/imports.ts'
import { intentAsker } from './intent-asker.ts'
import { memoryPorts } from './memory-ports.ts'
import type { Guard, Minds } from './minds.ts'
import { policyOf } from './policy.ts'
import { Registry } from './registry.ts'
import { type Rejudge, rejudging } from './rejudge.ts'
import { Reports } from './reports.ts'
import { Routes, stageOf } from './routes.ts'
import { sessionHouse } from './sessions/assemble.ts'
import type { SessionBook } from './sessions/session-book.ts'
import { withStoreFaults } from './store-errors.ts'
import { type Stores, stores as storesOver } from './stores.ts'
import { TaskBook } from './task-book.ts'
import { tickWork } from './tick-work.ts'
import { Tidy } from './tidy.ts'
import { lookAnew } from './turned-back.ts'
import { UsageBook } from './usage.ts'
import { type SummaryQuery, usageSummary } from './usage-summary.ts'
import { ownPorts } from './world-ports.ts'
import { tinyplacePorts } from './world-ports-tinyplace.ts'

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
  /** Who can be asked; the guard is for what costs money. */
  minds: (guard: Guard) => Minds
  tools: ReadonlyMap<string, Tool>
  /** Worlds beside the built-in ones. */
  worlds?: readonly Profile<OwnPorts>[]
  clock: Clock
  random: () => number
  /** Where answers of sessions leave through. Not given: they stand in the session. */
  channel?: Channel
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
  sessions: SessionBook
  registry: Registry
  directives: Directives
  heartbeatTasks: HeartbeatTasks
  imports: Imports
  usage: UsageBook
  /** What models used in the last days. */
  summary(query: SummaryQuery): Promise<UsageSummary>
  rejudge: Rejudge
  calls: Calls
  routes: Routes
  tidy: Tidy
  policy: Policy
  checkpointer: Disposable
  timezone(): string
  /** Throws `workspace/untrusted` while the user has not said yes to the workspace. */
  assertTrusted(): void
}

/** Model calls that one agent run may make. */
const stepsPerRun = 15

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
  const policy = policyOf({
    settings: () => settings,
    timezone,
    tools,
    random: parts.random,
    cadence: (world) => registry.cadence(world),
    model: (world) => modelOf(registry.get(world) ?? {}, routes),
  })
  const usage = new UsageBook({ store: stores.usage, clock, settings: () => settings, timezone })
  const calls = new Calls({ host: late, stores, accounts: usage, clock, ids })
  const minds = parts.minds((chat) => admitted(chat, usage))
  const routes = new Routes({ settings: () => settings, clock, ...minds })
  const reports = new Reports({ stores, clock, timezone, ...routes.room(settings.heartbeat.context_budget_tokens) })
  const askIntent = intentAsker({ routes, calls, clock })
  const tasks = new TaskBook({ host: late, stores, clock, ids, timezone, askIntent })
  const heartbeatTasks = new HeartbeatTasks({ file: parts.heartbeatFile, host: late, stores, ids, book: tasks })
  const common = { host: late, stores, clock, reports, calls, routes, tools }
  const memory = { ...common, sources: parts.sources, policy, timezone, heartbeatTasks, found: new Map() }
  const directives = new Directives({ host: late, stores, ids })
  const reviewing = { stores, routes, directives, settings: () => settings }
  const registry = new Registry({
    ...common,
    policy,
    settings: () => settings,
    ports: { memory: (tick) => memoryPorts(memory, tick), tinyplace: (tick) => tinyplacePorts(reviewing, tick) },
    own: parts.worlds ?? [],
    ownPorts: ownPorts(common),
  })
  const { concurrency } = settings.heartbeat
  const steps = () => (effectiveMode(settings) === 'aggressive' ? 2 : 1) * stepsPerRun
  const agentRuns = new AgentRuns({ ...common, steps })
  const agent = async (stage: RunStage, signal: AbortSignal): Promise<ChatModel> => {
    await routes.ready(signal)
    const model = routes.agent(stage)
    if (!model) throw new Fault('model/needs-agent', 'The model that worked on this is no longer set up.')
    return model
  }
  const sessions = sessionHouse({
    ...common,
    ids,
    settings: () => settings,
    timezone,
    channel: parts.channel,
    steeringFor: (peer) => directives.steeringFor(peer),
  })
  const made = new SqliteHost({
    ledger,
    clock,
    seats: [
      heartbeatSeat(stores),
      instanceSeat(stores, policy),
      tickSeat(stores, policy),
      evaluationSeat(stores, policy),
      agentRunSeat(stores),
      toolCallSeat(stores),
      sessions.seat,
    ],
    handlers: {
      ...withStoreFaults(sessions.work, parts.db),
      ...withStoreFaults(tickWork({ ...common, worldOf: (due) => worldOf(registry, due.world) }), parts.db),
      ...withStoreFaults(evaluationWork({ ...common, agentRuns, concurrency, assertTrusted }), parts.db),
      ...withStoreFaults(
        agentWork({
          ...common,
          concurrency,
          assertTrusted,
          agent,
          lacksTools: (stage) => routes.lacksTools(stage),
          route: (stage) => routes.route(stageOf(stage)),
        }),
        parts.db,
      ),
    },
    // Should the store not take it now, the next beat is late by no more than the clock was set back.
    onTurnedBack: () => void lookAnew({ host: late, stores, policy }).catch(() => {}),
    ...(parts.fault && { fault: parts.fault }),
  })
  host.is = made
  // A task that was changed or taken away between the look and the judging is looked up again.
  made.subscribe((news) => {
    if (news.type === 'task' && news.what !== 'added') memory.found.clear()
    if (news.type === 'world' && news.state === 'resting') checkpoints.rests()
  })
  return {
    host: made,
    ledger,
    stores,
    tasks,
    goals: new GoalBook({ host: made, stores, clock, ids }),
    answers: new Answers({
      host: made,
      stores,
      clock,
      ids,
      tools,
      assertTrusted,
      async hasAgent() {
        await routes.ready(new AbortController().signal)
        return routes.agent('plan') !== null
      },
    }),
    sessions: sessions.book,
    registry,
    directives,
    heartbeatTasks,
    imports: new Imports({ ...parts, ...common, book: tasks, heartbeatTasks, assertTrusted }),
    usage,
    summary: (query) => usageSummary(stores, usage, query),
    rejudge: rejudging({ stores, reports, calls, named: minds.named, settings: () => settings }),
    calls,
    routes,
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

/** A tick may outlive its world: the program that opens the store now need not know it. */
function worldOf(registry: Registry, id: WorldId): World {
  const world = registry.get(id)
  if (!world) throw new Fault('world/unknown', `Nobody here knows the world ${id} any more.`, { world: id })
  return world
}

const noCheckpoints: Checkpoints = { committed() {}, rests() {}, [Symbol.dispose]() {} }

function writing({ store, db, right }: EngineParts): { ledger: Ledger; checkpoints: Checkpoints } {
  if (right instanceof Fault) return { ledger: viewLedger(store, right), checkpoints: noCheckpoints }
  const checkpoints = checkpointer(store, db)
  return { ledger: sqliteLedger(store, right, () => checkpoints.committed()), checkpoints }
}

type LateHost = Pick<SqliteHost, 'spawnAll' | 'dispatch' | 'dispatchAll' | 'write' | 'subscribe'>

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
      dispatch: (...args) => is().dispatch(...args),
      dispatchAll: (...args) => is().dispatchAll(...args),
      write: (change) => is().write(change),
      subscribe: (listener) => is().subscribe(listener),
    },
  }
}

const untrusted = (workspace: string): Fault =>
  new Fault(
    'workspace/untrusted',
    'This workspace is not trusted, so nothing may be written to it. Run undermind trust if it is yours.',
    { workspace },
  )
