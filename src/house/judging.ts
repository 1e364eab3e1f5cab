import type { Judged } from '../actors/tick.ts'
import { Fault } from '../domain/errors.ts'
import { type CallId, id, type TickId } from '../domain/ids.ts'
import type { JudgeRequest, Provider, RawAnswer } from '../domain/model.ts'
import type { SituationReport } from '../domain/report.ts'
import type { Route } from '../domain/usage.ts'
import { type DecisionReading, mergeRepair } from '../models/decisions.ts'
import type { Calls, OpenCall } from './calls.ts'
import type { Stores } from './stores.ts'
import { askForVerdicts, readVerdictsInTurns } from './verdicts.ts'

export interface JudgingParts {
  stores: Stores
  calls: Calls
  provider(): Provider
  route(): Route
}

type KeptAnswer = Pick<RawAnswer, 'text' | 'cutOff'>

/** Verdicts of this many calls are kept until they are dealt. */
const mostKept = 32

/** Has batches judged: one call, one repair of what was wrong or missing, and one row that keeps both answers as they came. */
export class Judging {
  readonly #parts: JudgingParts
  /** Verdicts already read from an answer; read again from the row where a restart has lost them. */
  readonly #read = new Map<CallId, DecisionReading>()

  constructor(parts: JudgingParts) {
    this.#parts = parts
  }

  /** Throws what the provider throws, and `model/unreadable` when nothing of either answer could be read. */
  async judge(batch: { tick: TickId; batch: number }, report: SituationReport, signal: AbortSignal): Promise<Judged> {
    const { stores, calls } = this.#parts
    const provider = this.#parts.provider()
    const open = calls.begin({
      ...batch,
      purpose: 'judge',
      world: stores.ticks.get(batch.tick)?.world ?? null,
      evaluation: null,
      tasks: report.tasks.map((task) => task.id),
      provider,
      route: this.#parts.route(),
      prompt: report.text,
      promptTokens: report.tokens,
    })
    const call = id<CallId>(`call_${batch.tick.slice('tick_'.length)}_${batch.batch}`)
    try {
      const reading = await this.#ask(open, call, provider, report, signal)
      await open.dropped(signal)
      this.#keep(call, reading)
      const verdicts = [...reading.decisions.values()]
      const escalated = verdicts.filter(({ decision }) => decision === 'escalate').length
      return { call: open.ended(call), verdicts: verdicts.length, escalated }
    } catch (error) {
      await open.failed(error)
      throw error
    }
  }

  async #ask(
    open: OpenCall,
    call: CallId,
    provider: Provider,
    report: SituationReport,
    signal: AbortSignal,
  ): Promise<DecisionReading> {
    const asked = {
      judge: (request: JudgeRequest) => {
        // Nobody is asked again about what nobody wants any more.
        signal.throwIfAborted()
        return open.ask(() => provider.judge(request, signal))
      },
    }
    const { reading } = await askForVerdicts(asked, report, signal)
    if (reading.unreadable && report.tasks.length > 0) {
      throw new Fault(
        'model/unreadable',
        `Nothing of the answer of ${provider.model} could be read, and asking again did not help.`,
        { call },
      )
    }
    return reading
  }

  /** What a recorded call says of each task: the first valid answer counts, a repair fills what was missing. */
  async reading(
    call: CallId,
    report: () => Promise<Pick<SituationReport, 'tasks' | 'changes'>>,
  ): Promise<DecisionReading> {
    const known = this.#read.get(call)
    if (known) return known
    const recorded = this.#parts.stores.ticks.call(call)
    const judged = await report()
    let reading = await readVerdictsInTurns({ text: '', cutOff: false }, judged)
    for (const answer of JSON.parse(recorded?.answer ?? '[]') as KeptAnswer[])
      reading = mergeRepair(reading, await readVerdictsInTurns(answer, judged))
    this.#keep(call, reading)
    return reading
  }

  /** Lets go of verdicts that have been dealt. */
  forget(call: CallId): void {
    this.#read.delete(call)
  }

  #keep(call: CallId, reading: DecisionReading): void {
    if (this.#read.size >= mostKept) this.#read.delete(this.#read.keys().next().value!)
    this.#read.set(call, reading)
  }
}
