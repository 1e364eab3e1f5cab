import { createHash } from 'node:crypto'
import type { Judged } from '../actors/tick.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { type CallId, id, type TickId } from '../domain/ids.ts'
import type { Provider, RawAnswer, Usage } from '../domain/model.ts'
import type { SituationReport } from '../domain/report.ts'
import { type DecisionReading, mergeRepair, openProblems, readDecisions } from '../models/decisions.ts'
import type { Stores } from './stores.ts'

export interface JudgingParts {
  stores: Stores
  clock: Clock
  provider(): Provider
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
    const { clock } = this.#parts
    const provider = this.#parts.provider()
    const at = clock.now()
    const tasks = report.tasks.map((task) => task.id)
    const first = await provider.judge({ report }, signal)
    const answers = [first]
    let reading = readDecisions(first.text, tasks, first)
    const problems = openProblems(reading)
    if (problems.length > 0) {
      const repair = await provider.judge({ report, repair: { answer: first.text, problems } }, signal)
      answers.push(repair)
      reading = mergeRepair(reading, readDecisions(repair.text, tasks, repair))
    }
    const call = id<CallId>(`call_${batch.tick.slice('tick_'.length)}_${batch.batch}`)
    if (reading.unreadable && tasks.length > 0) {
      throw new Fault(
        'model/unreadable',
        `Nothing of the answer of ${provider.model} could be read, and asking again did not help.`,
        { call },
      )
    }
    this.#keep(call, reading)
    const usage = answers.map((answer) => answer.usage)
    return {
      calls: answers.length,
      call: {
        ...batch,
        id: call,
        provider: provider.id,
        model: provider.model,
        purpose: 'judge',
        promptDigest: createHash('sha256').update(report.text).digest('hex'),
        answer: JSON.stringify(answers.map(({ text, cutOff }): KeptAnswer => ({ text, cutOff }))),
        repaired: answers.length > 1 ? 1 : 0,
        promptTokens: total(usage, 'promptTokens'),
        completionTokens: total(usage, 'completionTokens'),
        durationMs: clock.now() - at,
        at,
      },
    }
  }

  /** What a recorded call says of each task: the first valid answer counts, a repair fills what was missing. */
  reading(call: CallId, tasks: readonly string[]): DecisionReading {
    const known = this.#read.get(call)
    if (known) return known
    const recorded = this.#parts.stores.ticks.call(call)
    const answers = JSON.parse(recorded?.answer ?? '[]') as KeptAnswer[]
    const reading = answers
      .map((answer) => readDecisions(answer.text, tasks, answer))
      .reduce(mergeRepair, readDecisions('', tasks))
    this.#keep(call, reading)
    return reading
  }

  #keep(call: CallId, reading: DecisionReading): void {
    if (this.#read.size >= mostKept) this.#read.delete(this.#read.keys().next().value!)
    this.#read.set(call, reading)
  }
}

const total = (usage: readonly Usage[], what: keyof Usage): number => usage.reduce((sum, one) => sum + one[what], 0)
