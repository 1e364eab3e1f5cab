import type { AgentRun, RunStep } from '../domain/agent.ts'
import type { ChatMessage } from '../domain/chat.ts'
import type { Card, CardState, ToolCall } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { CycleId, EvaluationId, RunId, SessionId, TaskId, TickId, WorldId } from '../domain/ids.ts'
import type { Cycle, CycleKept, Session, SessionMessage } from '../domain/session.ts'
import type { Task, TaskStanding } from '../domain/task.ts'
import type { CountedCall, Day } from '../domain/usage.ts'
import type { TickRow, WorldRow } from '../domain/world.ts'

/** The rows that mirror the actors; every call is part of the transaction in which it is made. */
export interface Rows {
  tasks: {
    get(id: TaskId): Task | undefined
    /** Of a task, what the end of an evaluation needs to know. */
    standing(id: TaskId): TaskStanding | undefined
    update(id: TaskId, change: Partial<Omit<Task, 'id'>>): void
    settle(id: TaskId, end: { through: number; at: number; nextRunAt: number | null; completed: boolean }): void
    nextDueAt(world: WorldId, now: number): number | null
  }
  evaluations: {
    get(id: EvaluationId): Evaluation | undefined
    insert(row: Evaluation): void
    move(
      row: Omit<Evaluation, 'task' | 'world' | 'tick' | 'batch' | 'from' | 'through' | 'retryOf' | 'createdAt'>,
    ): void
    remainingIn(tick: TickId): number
  }
  escalations: {
    put(card: Card): void
    get(id: EvaluationId): Card | undefined
    close(
      id: EvaluationId,
      end: { state: CardState; at: number; answer: { by: string; answer: string } | null; calls?: ToolCall[] },
    ): void
    openOf(task: TaskId): Card[]
    countSince(world: WorldId, at: number, most: number): number
    isSilenced(task: TaskId, fingerprint: string, now: number): boolean
    silence(id: EvaluationId, until: number): void
    refresh(id: EvaluationId, at: number): void
  }
  agentRuns: {
    insert(run: AgentRun): void
    move(run: Omit<AgentRun, 'evaluation' | 'task' | 'world' | 'stage' | 'createdAt'>): void
    /** The run that is at work for an evaluation. */
    openOf(evaluation: EvaluationId): RunId | undefined
    addStep(run: RunId, step: RunStep): void
    answerStep(run: RunId, n: number, message: ChatMessage, at: number): void
    step(run: RunId, n: number): RunStep | undefined
  }
  sessions: {
    get(id: SessionId): Session | undefined
    move(row: Pick<Session, 'id' | 'state' | 'reason' | 'cursor' | 'attempts'>): void
    /** Puts a message behind the others, unless one of its id is there. */
    addMessage(session: SessionId, message: Omit<SessionMessage, 'session' | 'seq'>): unknown
  }
  cycles: {
    get(id: CycleId): Cycle | undefined
    /** Puts down what a step came to. */
    keep(kept: CycleKept, at: number): void
    end(id: CycleId, at: number): void
  }
  ticks: {
    get(id: TickId): TickRow | undefined
    insert(row: Pick<TickRow, 'id' | 'world' | 'generation' | 'force' | 'state' | 'startedAt'>): void
    move(row: Omit<TickRow, 'world' | 'generation' | 'force' | 'startedAt'>): void
    lastStartedAt(world: WorldId): number | null
    dueWorlds(now: number): WorldRow[]
    nextTickAt(): number | null
    world(id: WorldId): WorldRow | undefined
    moveWorld(row: Omit<WorldRow, 'kind' | 'title' | 'seenThrough'>): void
    setNextTick(id: WorldId, at: number | null): void
    /** Keeps a call and counts it; one that is kept already is not counted again. */
    recordCall(call: CountedCall): void
  }
  usage: {
    tally(day: Day, world: WorldId, counts: { avoided?: number; verdicts?: number; escalated?: number }): void
  }
}

/** What the seats need to know of the house's rules; settings may change under them. */
export interface Policy {
  /** Milliseconds between a world's ticks; null while it does not tick by itself. */
  cadenceMs(world: WorldId): number | null
  /** Who is asked for a world just now: `<instance>|<provider>:<model>`. */
  signatureOf(world: WorldId): string
  tickTimeoutMs(): number
  cardExpiryMs(): number
  newCardsPerDay(): number
  /** Local midnight before `now`. */
  startOfDay(now: number): number
  /** The day of the user's calendar that it is. */
  dayOf(at: number): Day
  /** When a task is due after a run at `now`; null: at each tick. */
  nextRunAt(task: Pick<Task, 'schedule' | 'nextRunAt'>, now: number): number | null
  /** The same moment, or the end of the quiet hours that it falls into. */
  afterQuietHours(at: number): number
  /** The next local midnight. */
  nextDay(now: number): number
  /** Milliseconds to wait before the given attempt. */
  backoffMs(attempt: number): number
  /** What a call touches. */
  targetOf(call: ToolCall): string
}
