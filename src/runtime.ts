import { heartbeatId, instanceId } from './actors/heartbeat.ts'
import type { FaultPoint, SqliteHost } from './actors/host.ts'
import type { Inspector } from './actors/inspection.ts'
import type { Source } from './domain/change.ts'
import type { Clock } from './domain/clock.ts'
import { Fault } from './domain/errors.ts'
import type { Card } from './domain/escalation.ts'
import type { Evaluation } from './domain/evaluation.ts'
import { type ActorId, type EvaluationId, id, type TickId, type WorldId } from './domain/ids.ts'
import type { News } from './domain/news.ts'
import type { Channel } from './domain/session.ts'
import type { Settings } from './domain/settings.ts'
import type { Tool } from './domain/tool.ts'
import type { OwnPorts, Profile, TickRow } from './domain/world.ts'
import type { Answers } from './house/answers.ts'
import { memoryWorld } from './house/blank-task.ts'
import type { Directives } from './house/directives.ts'
import { buildEngine, type Engine } from './house/engine.ts'
import { sourceChanged } from './house/event-driven.ts'
import type { GoalBook } from './house/goal-book.ts'
import type { Imports } from './house/import/imports.ts'
import type { Guard, Minds } from './house/minds.ts'
import { checkModels } from './house/model-check.ts'
import { prepare } from './house/prepare.ts'
import type { Registry } from './house/registry.ts'
import { type ReplayStep, replayEvaluation } from './house/replay.ts'
import type { Routes } from './house/routes.ts'
import type { SessionBook } from './house/sessions/session-book.ts'
import { standing } from './house/standing.ts'
import type { Stores } from './house/stores.ts'
import { systemClock, systemRandom } from './house/system-clock.ts'
import type { TaskBook } from './house/task-book.ts'
import { type EvaluationReason, type Status, type TaskReason, whyEvaluation, whyTask } from './house/views.ts'
import { Waiting } from './house/waiting.ts'
import type { Finding } from './rpc/services.ts'
import { type UndoOutcome, undo } from './skills/undo.ts'
import type { LogFilter } from './store/evaluations.ts'
import { Lease } from './store/lease.ts'
import { assertSound, type Db, openStore } from './store/open.ts'

export interface RuntimeOptions {
  /** Folder that tools may write in; its real path. */
  workspace: string
  /** Files of the state folder. */
  db: string
  lock: string
  heartbeatFile: string
  settings: Settings
  /** Whether the user has said yes to this workspace; without it no tool writes. */
  trusted: boolean
  sources: readonly Source[]
  /** Who can be asked; the guard is for what costs money. */
  minds: (guard: Guard) => Minds
  tools: ReadonlyMap<string, Tool>
  /** Worlds beside the built-in ones. */
  worlds?: readonly Profile<OwnPorts>[]
  clock?: Clock
  random?: () => number
  /** Where answers of sessions leave through. Not given: they stand in the session. */
  channel?: Channel
  fault?: (point: FaultPoint) => void
}

/**
 * One workspace's background mind: assembled here from its parts, started and stopped as a whole. Only one runtime may
 * have a workspace open for writing.
 */
export class Runtime implements AsyncDisposable {
  readonly host: SqliteHost
  readonly stores: Stores
  readonly tasks: TaskBook
  readonly goals: GoalBook
  readonly answers: Answers
  /** Sessions with other agents and with the user. */
  readonly sessions: SessionBook
  readonly imports: Imports
  readonly usage: Engine['summary']
  readonly rejudge: Engine['rejudge']
  /** Who does which part of the work. */
  readonly routes: Routes
  readonly settings: Settings
  readonly clock: Clock
  readonly #options: RuntimeOptions
  readonly #db: Db
  readonly #right: Lease | Fault
  readonly #engine: Engine
  readonly #waiting: Waiting
  readonly #watching: AsyncDisposable[] = []
  #stalled: string | null = null
  /** When something was last carried out: the change it made is no reason to tick. */
  #carriedOutAt = Number.NEGATIVE_INFINITY
  #closed = false

  /** Opens the workspace's store and takes the right to write to it; throws `workspace/in-use` and the store's faults. */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    const clock = options.clock ?? systemClock
    const synchronous = options.settings.store.synchronous
    const { lease, db } = Lease.take(options.lock, clock, (check) =>
      openStore({ file: options.db, synchronous, check }),
    )
    const runtime = new Runtime(options, clock, db, lease)
    try {
      await prepare(runtime.#engine, options.settings, clock)
      return runtime
    } catch (error) {
      await runtime[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Opens the store beside the process that has it, to look only: whoever tries to change something is told `inUse`. */
  static view(options: RuntimeOptions, inUse: Fault): Runtime {
    const db = openStore({ file: options.db, synchronous: options.settings.store.synchronous, readOnly: true })
    return new Runtime(options, options.clock ?? systemClock, db, inUse)
  }

  private constructor(options: RuntimeOptions, clock: Clock, db: Db, right: Lease | Fault) {
    this.#options = options
    this.#db = db
    this.#right = right
    this.clock = clock
    this.#engine = buildEngine({ ...options, random: options.random ?? systemRandom, clock, store: db, right })
    this.host = this.#engine.host
    this.stores = this.#engine.stores
    this.tasks = this.#engine.tasks
    this.goals = this.#engine.goals
    this.answers = this.#engine.answers
    this.sessions = this.#engine.sessions
    this.imports = this.#engine.imports
    this.usage = this.#engine.summary
    this.rejudge = this.#engine.rejudge
    this.routes = this.#engine.routes
    this.settings = options.settings
    this.#waiting = new Waiting({ stores: this.stores, host: this.host, stalled: () => this.#stalled })
    this.host.subscribe((news) => {
      if (news.type === 'evaluation' && news.phase === 'carryingOut') this.#carriedOutAt = clock.now()
      if (news.type === 'store') this.#stalled = news.state === 'flowing' ? null : news.reason
      if (news.type === 'world' && news.state === 'resting' && !this.#closed) {
        void this.#engine.tidy.run().catch(() => {})
      }
    })
  }

  get timezone(): string {
    return this.#engine.timezone()
  }

  /** Takes up interrupted work, then beats by itself until stopped; sources are watched where they can be. */
  async start(): Promise<void> {
    for (const source of this.#options.sources) {
      const watching = await source.watch?.(() =>
        sourceChanged({ ...this, settings: this.settings }, this.#carriedOutAt),
      )
      if (watching) this.#watching.push(watching)
    }
    await this.worlds.lookAtHalts()
    await this.#beat('start')
    await this.sessions.sweep()
  }

  /**
   * Asks a world to tick now; returns the tick that will cover what is there at this moment. Throws `world/unknown`,
   * `world/disabled` and `world/paused`; of a halted world the tick ends failed, with the reason.
   */
  async trigger(options: { world?: WorldId; force?: boolean } = {}): Promise<TickId> {
    const { id: world, title } = this.#engine.registry.find(options.world ?? memoryWorld)
    const row = this.stores.ticks.world(world)
    if (!row)
      throw Fault.use('world/unknown', `There is no world ${world}. undermind status shows which there are.`, { world })
    if (row.state === 'paused')
      throw new Fault('world/paused', `${title} is paused. Run undermind resume first.`, { world })
    await this.host.dispatch({ to: heartbeatId, event: { type: 'trigger', world, force: options.force ?? false } })
    const { generation, state } = this.stores.ticks.world(world)!
    const leaving = state === 'superseding' ? 1 : 0
    // While an older tick is on its way out, or left to finish, the new one has no actor yet; its generation is known.
    return id<TickId>(`tick_${world}_${Math.max(generation + leaving, row.generation + 1)}`)
  }

  /** Resolves when a tick has ended; see `Waiting`. */
  settled(tick: TickId): Promise<TickRow> {
    return this.#waiting.tick(tick)
  }

  /** Resolves when an evaluation has ended or waits for the user. */
  evaluationSettled(evaluation: EvaluationId): Promise<Evaluation> {
    return this.#waiting.evaluation(evaluation)
  }

  /** What waits for the user, newest first. */
  cards(limit = 100): Card[] {
    return this.stores.escalations.open(limit)
  }

  /** Says yes to a card as it was shown and resolves with what came of it; see `Answers.approve` for what it throws. */
  async approve(card: Pick<Card, 'id' | 'digest'>, by = 'user'): Promise<Evaluation> {
    await this.answers.approve(card.id, card.digest, { by })
    return this.evaluationSettled(card.id)
  }

  /** Throws `world/unknown` and `world/disabled`. */
  async pause(world: WorldId = memoryWorld): Promise<void> {
    await this.host.dispatch({ to: instanceId(this.#engine.registry.find(world).id), event: { type: 'pause' } })
  }

  /** Lets a paused world tick again, and a halted one try its model again. Throws `world/unknown` and `world/disabled`. */
  async resume(world: WorldId = memoryWorld): Promise<void> {
    await this.host.dispatch({ to: instanceId(this.#engine.registry.find(world).id), event: { type: 'resume' } })
  }

  /** The worlds of this workspace. */
  get worlds(): Registry {
    return this.#engine.registry
  }

  /** What steers the work of sessions. */
  get directives(): Directives {
    return this.#engine.directives
  }

  status(): Status {
    return standing(this.#engine, this.#options, this.#stalled)
  }

  /** Asks every model that a part of the work is routed to one small question. */
  checkModels(signal: AbortSignal = new AbortController().signal): Promise<Finding[]> {
    return checkModels(this.#engine, signal)
  }

  log(filter: LogFilter): Evaluation[] {
    return this.stores.evaluations.log(filter)
  }

  whyTask(given: string): TaskReason {
    const task = this.tasks.find(given)
    const time = (at: number) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: this.timezone }).format(at)
    return whyTask(this.stores, task, this.stores.ticks.world(task.world)?.nextTickAt ?? null, time)
  }

  whyEvaluation(given: string): EvaluationReason {
    return whyEvaluation(this.stores, given, (evaluation) =>
      this.#engine.ledger.journal(evaluation as string as ActorId),
    )
  }

  replay(given: string): ReplayStep[] {
    return replayEvaluation(this.whyEvaluation(given).journal)
  }

  /** Puts back what an evaluation's effects changed in files. */
  async undo(given: string, options: { force?: boolean } = {}): Promise<UndoOutcome[]> {
    const { evaluation } = this.whyEvaluation(given)
    this.#engine.assertTrusted()
    const images = this.stores.records.images(evaluation.id)
    const outcomes = await undo(this.#options.workspace, [...images].reverse(), options)
    const keys = images.map(({ key }) => key)
    await this.host.write(() => this.stores.records.wereUndone(keys, this.clock.now()))
    return outcomes
  }

  /** Drops what has aged and gives the space back; done in part by itself, a few times a day. */
  async compact(): Promise<void> {
    await this.#engine.tidy.all()
    this.#db.exec('VACUUM')
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Looks at the whole store; throws `store/corrupt`. */
  assertSound(): void {
    assertSound(this.#db, this.#options.db, 'integrity_check')
  }

  subscribe(listener: (news: News) => void): () => void {
    return this.host.subscribe(listener)
  }

  inspect(inspector: Inspector): () => void {
    return this.host.inspect(inspector)
  }

  /** Stops in order. Work in hand goes on at the next start; nothing is cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const watching of this.#watching.reverse()) await watching[Symbol.asyncDispose]()
    // Should the store not take it, the next start stops the beat before anything else.
    await this.#beat('stop').catch(() => {})
    await this.#engine.tidy.stop()
    await this.host[Symbol.asyncDispose]()
    this.#engine.checkpointer[Symbol.dispose]()
    this.#db.close()
    if (this.#right instanceof Lease) this.#right[Symbol.dispose]()
  }

  async #beat(type: 'start' | 'stop'): Promise<void> {
    await this.host.dispatch({ to: heartbeatId, event: { type } })
  }
}
