import type { Change } from '../domain/change.ts'
import type { Directive } from '../domain/directive.ts'
import type { Card, ToolCall } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { TickId } from '../domain/ids.ts'
import type { JournalRow } from '../domain/ledger.ts'
import type { ModelCall } from '../domain/model.ts'
import type { News } from '../domain/news.ts'
import type { Session, SessionKey, SessionMessage } from '../domain/session.ts'
import type { Goal, Intent, Task } from '../domain/task.ts'
import type { UsageKey, UsageSummary, UsageToday } from '../domain/usage.ts'
import type { TickRow } from '../domain/world.ts'
import type { ImportServices } from './imports.ts'
import type { InspectorServices } from './inspector.ts'
import type { RejudgedView } from './rejudged.ts'

/**
 * What the methods call. Ids arrive as callers gave them and are looked up behind this interface; whatever is wrong with
 * them is a Fault from there. Nothing here waits for a tick unless it says so.
 */
export interface Services {
  /** Version of undermind. */
  readonly version: string
  status(): StatusView
  notifications(limit: number): NotificationView[]
  doctor(): Promise<Finding[]>
  /** What models used in the last days, today being the last. */
  usage(query: { days: number; by: UsageKey }): Promise<UsageSummary>
  /** Tells of news from now on; returns a way to stop. */
  subscribe(listener: (news: News) => void): () => void
  readonly worlds: {
    /** Those that are there. Throws `world/disabled` when the one named is switched off. */
    ids(named?: string): string[]
    /** Returns the tick that covers what is there now. */
    trigger(world: string, order: { force: boolean }): Promise<TickId>
    /** Resolves when the tick has ended. */
    outcome(tick: TickId): Promise<TickView>
    cancelTick(tick: string, who: Answerer): Promise<void>
    /** Both return the state the world is in then. */
    pause(world: string): Promise<string>
    resume(world: string): Promise<string>
  }
  readonly tasks: {
    list(): TaskView[]
    add(task: TaskOrder & { title: string }): Promise<TaskView>
    edit(task: string, change: TaskOrder & { enabled?: boolean | undefined }): Promise<TaskView>
    remove(task: string): Promise<TaskView>
    why(task: string): TaskReasonView
  }
  readonly goals: {
    list(): Goal[]
    add(text: string): Promise<Goal>
    update(goal: string, text: string): Promise<Goal>
    remove(goal: string): Promise<Goal>
  }
  readonly evaluations: {
    /** Newest first. */
    log(filter: LogQuery): LogView[]
    /** Resolves when the evaluation has ended or waits for the user. */
    outcome(evaluation: string): Promise<LogView>
    cancel(evaluation: string, who: Answerer): Promise<void>
    why(evaluation: string): EvaluationReasonView
    undo(evaluation: string, options: { force: boolean }): Promise<UndoView[]>
    replay(evaluation: string): ReplayView[]
    /** Asks another model what it would have decided; nothing else comes of it. */
    rejudge(evaluation: string, order: { model: string; analyse: boolean }): Promise<RejudgedView>
  }
  /** All of it throws `orchestration/disabled` while sessions are switched off. */
  readonly sessions: {
    /** The pinned ones first, then at most so many with the newest messages. */
    list(limit: number): SessionView[]
    create(key: SessionKey, title?: string): Promise<SessionView>
    messages(session: string, page: MessageQuery): { session: SessionView; messages: SessionMessage[] }
    /** With `wait`, resolves when the message is answered, or when answering it has failed and is tried again later. */
    send(order: SendOrder, options: { wait: boolean }): Promise<SentView>
    markRead(session: string, through?: number): Promise<SessionView>
    status(): { sessions: number; waiting: number; failing: number; unread: number; unsure: number }
    attention(): AttentionView[]
  }
  /** What steers the work of sessions; throws `orchestration/disabled` as they do. */
  readonly steering: {
    /** Newest first, those that have ended too. */
    list(limit: number): Directive[]
    revoke(directive: string, by: string): Promise<Directive>
    restore(directive: string): Promise<Directive>
  }
  readonly cards: {
    /** Newest first. */
    list(query: { open: boolean; limit: number }): CardView[]
    get(card: string): CardView
    approve(card: string, digest: string, who: Answerer, calls?: ToolCall[]): Promise<Card>
    dismiss(card: string, who: Answerer): Promise<Card>
    respond(card: string, text: string, who: Answerer): Promise<Card>
    resolve(card: string, happened: boolean, who: Answerer): Promise<Card>
    /** Asks again about an approved action that failed; returns the new evaluation. */
    retry(card: string): Promise<string>
  }
  readonly inspector: InspectorServices
  readonly imports: ImportServices
}

/** Who answers. The same `message` again is the same answer. */
export interface Answerer {
  by: string
  message?: string
}

export interface TaskOrder {
  title?: string | undefined
  /** Words, or a schedule as data. */
  schedule?: unknown
  intent?: Intent | undefined
  inputs?: string[] | undefined
  onlyIfChanged?: boolean | undefined
  catchUp?: 'once' | 'skip' | undefined
  maxLatenessMs?: number | null | undefined
}

export interface LogQuery {
  task?: string | undefined
  tick?: string | undefined
  state?: Evaluation['state'] | undefined
  world?: string | undefined
  since?: number | undefined
  /** An evaluation: only what came before it. */
  before?: string | undefined
  limit: number
}

export type SessionView = Session & { unread: number }

/** Which messages: the newest, those before one, or those after one. */
export interface MessageQuery {
  before?: number
  after?: number
  limit: number
}

/** `session` is named as people do; with `agent`, it is the session's own name, and made where it is not there. */
export interface SendOrder {
  session: string
  agent?: string
  body: string
  id?: string
}

export interface SentView {
  session: SessionView
  message: SessionMessage
  isNew: boolean
  answer: SessionMessage | null
}

export interface AttentionView {
  session: SessionView
  why: 'failing' | 'unknownDelivery' | 'unread'
  text: string
  at: number
}

export interface StatusView {
  workspace: string
  trusted: boolean
  /** False while the memory world does not tick by itself. */
  enabled: boolean
  mode: string
  intervalMinutes: number
  model: { provider: string; model: string }
  providerAvailable: boolean
  providerUnavailableReason: string | null
  tasks: number
  pendingApprovals: number
  heartbeatFile:
    | { kind: 'read'; tasks: number }
    | { kind: 'absent' }
    | { kind: 'noTask' }
    | { kind: 'unreadable'; reason: string }
  sources: { id: string; title: string; health: string; failure: string | null }[]
  pausedTasks: { id: string; title: string; why: string }[]
  deadLetters: number
  stalled: string | null
  usage: UsageToday
  /** Who does which part of the work, and what stands in the way. */
  routes: {
    stage: 'judge' | 'text' | 'tools' | 'analyse'
    route: 'local' | 'cloud'
    provider: string
    model: string
    available: boolean
    reason: string | null
  }[]
  instances: InstanceView[]
}

export interface InstanceView {
  instance: string
  /** False while it does not tick by itself. */
  enabled: boolean
  mode: string
  intervalMinutes: number
  taskCount: number
  pendingEscalations: number
  providerAvailable: boolean
  providerUnavailableReason: string | null
  title: string
  description: string
  state: string
  cadenceMinutes: number | null
  lastTickAt: number | null
  nextTickAt: number | null
  totalTicks: number
  consecutiveFailures: number
  /** Of the last failure, while there is one. */
  failureReason: string | null
  haltedReason: string | null
  paused: boolean
}

export type TaskView = Task & { scheduleText: string }

/** An evaluation with its task's title. */
export type LogView = Evaluation & { title: string }

export interface TickView {
  tick: TickRow
  evaluations: LogView[]
}

/** A card as a person must see it before saying yes: what each call touches, nothing in it hidden. */
export type CardView = Card & {
  taskTitle: string
  callsShown: { tool: string; target: string; arguments: { name: string; value: string }[] }[]
}

export interface NotificationView {
  seq: number
  kind: string
  title: string
  body: string
  at: number
}

export interface TaskReasonView {
  task: TaskView
  schedule: string
  last: Evaluation | null
  lastText: string
  nowText: string
  nextText: string
}

export interface EvaluationReasonView {
  evaluation: Evaluation
  task: TaskView | null
  card: Card | null
  changes: Change[]
  moreChanges: number
  call: ModelCall | null
  journal: JournalRow[]
}

export interface UndoView {
  path: string
  outcome: 'restored' | 'removed' | 'unchanged'
  copy: string | null
}

export interface ReplayView {
  version: number
  at: number
  event: string
  recorded: string
  replayed: string
}

/** What doctor found about one thing, and what to do where it is not well. */
export interface Finding {
  check: string
  ok: boolean
  found: string
  fix: string | null
}
