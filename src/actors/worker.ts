import { type Clock, second } from '../domain/clock.ts'
import { Fault, failureOf } from '../domain/errors.ts'
import type { OutboxKey } from '../domain/ids.ts'
import type { Ledger, OutboxRow } from '../domain/ledger.ts'
import type { FaultPoint } from './host.ts'
import type { Message, OrderedWork, StartsAtOnce } from './unit-of-work.ts'
import type { WorkHandler, WorkHandlers, WorkRun } from './work.ts'

export interface WorkerOptions {
  handlers: WorkHandlers
  ledger: Ledger
  clock: Clock
  fault(point: FaultPoint): void
  post(message: Message): void
  write<T>(change: () => T): Promise<T>
}

interface Lane {
  handler: WorkHandler
  running: number
  waiting: Job[]
}

interface Job extends OrderedWork {
  /** Found open after a crash: it may have run already. */
  interrupted: boolean
  dropped?: boolean
}

const page = 500
/** How long work waits that the store could not take. */
const storePause = 2 * second
/** Milliseconds for which work that was told to stop is waited for. */
const grace = second

/**
 * Does the work that actors have ordered, after the order is durable, up to each kind's concurrency. Work that may be
 * repeated runs again after a crash; other work is entered as started before it runs, and found so afterwards it is
 * checked instead, or its outcome is reported as unknown.
 */
export class Worker {
  readonly #options: WorkerOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #running = new Map<OutboxKey, { abort: AbortController; repeatable: boolean; ended: Promise<void> }>()
  readonly #waiting = new Map<OutboxKey, Job>()
  #stopping = false

  constructor(options: WorkerOptions) {
    this.#options = options
    for (const [kind, handler] of Object.entries(options.handlers))
      this.#lanes.set(kind, { handler, running: 0, waiting: [] })
  }

  get busy(): boolean {
    return this.#running.size > 0
  }

  /** Takes up all work that an earlier process left open; all of it is found before any of it runs and orders more. */
  async recover(): Promise<void> {
    const found: OutboxRow[] = []
    for (let last: OutboxRow | undefined; ; ) {
      const rows = this.#options.ledger.openWork(page, last)
      found.push(...rows)
      if (rows.length < page) break
      last = rows.at(-1)
      await new Promise((next) => setImmediate(next))
    }
    for (const row of found) this.#enqueue({ ...row, interrupted: true })
  }

  readonly startsAtOnce: StartsAtOnce = (kind, input, ahead) => {
    const lane = this.#lanes.get(kind)
    if (!lane || lane.handler.repeatable(input as never)) return false
    return !this.#stopping && lane.waiting.length === 0 && lane.running + ahead < lane.handler.concurrency
  }

  take(ordered: readonly OrderedWork[], dropped: readonly OutboxKey[]): void {
    const calledOff = new Set(dropped)
    for (const order of ordered) if (!calledOff.has(order.key)) this.#enqueue({ ...order, interrupted: false })
    for (const key of dropped) {
      const waiting = this.#waiting.get(key)
      if (waiting) waiting.dropped = true
      this.#running.get(key)?.abort.abort(new Fault('work/dropped', 'The result is no longer wanted.'))
    }
  }

  async quiet(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Breaks off what may be repeated, and waits for the rest; work that does not heed is left behind. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const { abort, repeatable } of this.#running.values()) {
      if (repeatable) abort.abort(new Fault('work/stopping', 'undermind is stopping; this goes on at the next start.'))
    }
    await Promise.all([...this.#running.values()].map(({ repeatable, ended }) => (repeatable ? null : ended)))
    // In turns of the loop, since a timer of the clock's would keep no process alive.
    const until = performance.now() + grace
    while (this.busy && performance.now() < until) await new Promise((next) => setImmediate(next))
  }

  #enqueue(job: Job): void {
    const lane = this.#lanes.get(job.kind)
    if (!lane) {
      this.#report(job, {
        type: 'work.failed',
        error: { code: 'work/no-handler', message: `Nobody here can do work of kind ${job.kind}.` },
      })
      return
    }
    lane.waiting.push(job)
    this.#waiting.set(job.key, job)
    this.#pump(lane)
  }

  #pump(lane: Lane): void {
    while (!this.#stopping && lane.running < lane.handler.concurrency && lane.waiting.length > 0) {
      const job = lane.waiting.shift()!
      this.#waiting.delete(job.key)
      if (job.dropped) continue
      lane.running++
      const abort = new AbortController()
      const repeatable = lane.handler.repeatable(JSON.parse(job.input) as never)
      const ended = this.#do(job, lane.handler, repeatable, abort.signal).finally(() => {
        this.#running.delete(job.key)
        lane.running--
        this.#pump(lane)
      })
      this.#running.set(job.key, { abort, repeatable, ended })
    }
  }

  async #do(job: Job, handler: WorkHandler, repeatable: boolean, signal: AbortSignal): Promise<void> {
    const run: WorkRun = { key: job.key, actor: job.actor, signal }
    try {
      const input = JSON.parse(job.input) as never
      if (!repeatable) {
        const found =
          job.state === 'started' && job.interrupted
            ? await this.#checked(handler, input, run)
            : { outcome: 'notHappened' as const }
        if (found.outcome === 'happened') return this.#report(job, { type: 'work.done', output: found.output })
        if (found.outcome === 'unknown') return this.#report(job, { type: 'work.failed', error: unknownOutcome })
        if (
          job.state === 'pending' &&
          !(await this.#options.write(() => this.#options.ledger.startWork(job.key, this.#options.clock.now())))
        )
          return
      }
      this.#options.fault('before-work')
      const output = await handler.run(input, run)
      this.#options.fault('after-work')
      this.#report(job, { type: 'work.done', output })
    } catch (error) {
      if (this.#stopping && repeatable) return
      // The store could not take what it wanted to write, so it has not been done: it is tried again when it may.
      if (repeatable && !signal.aborted && this.#options.ledger.isTransient(error)) return this.#later(job)
      this.#report(job, { type: 'work.failed', error: failureOf(error) })
    }
  }

  #later(job: Job): void {
    const { clock, ledger } = this.#options
    clock.wakeAt(clock.now() + storePause, () => {
      // It may have been called off meanwhile.
      if (!this.#stopping && ledger.work(job.key)?.state === job.state) this.#enqueue(job)
    })
  }

  async #checked(handler: WorkHandler, input: never, run: WorkRun) {
    return handler.check ? handler.check(input, run) : { outcome: 'unknown' as const }
  }

  #report(
    job: Job,
    event: { type: 'work.done'; output: unknown } | { type: 'work.failed'; error: { code: string; message: string } },
  ): void {
    const [state, result] =
      event.type === 'work.done'
        ? (['done', JSON.stringify(event.output ?? null)] as const)
        : ([event.error === unknownOutcome ? 'unknown' : 'failed', JSON.stringify(event.error)] as const)
    this.#options.post({
      to: job.actor,
      invoke: job.invoke,
      event,
      claim: (ledger, now) => {
        if (ledger.settleWork(job.key, state, result, now)) return true
        ledger.recordLateResult(job.key, result)
        return false
      },
    })
  }
}

const unknownOutcome = {
  code: 'effect/unknown-outcome',
  message: 'undermind was interrupted while this ran: it may have happened. Check, then say so or run it again.',
} as const
