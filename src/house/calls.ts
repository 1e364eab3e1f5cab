import { createHash } from 'node:crypto'
import type { ActorHost } from '../actors/actor-host.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault, failureOf } from '../domain/errors.ts'
import type { CallId, Ids, TaskId } from '../domain/ids.ts'
import type { ModelCall, Provider, Usage } from '../domain/model.ts'
import type { CallMade, CountedCall, Route } from '../domain/usage.ts'
import { usageOf, usageOfFailed } from './call-cost.ts'
import type { Stores } from './stores.ts'
import type { UsageBook } from './usage.ts'

export interface CallsParts {
  host: Pick<ActorHost, 'write'>
  stores: Pick<Stores, 'usage'>
  accounts: Pick<UsageBook, 'counted' | 'routeOf'>
  clock: Clock
  ids: Ids
}

/** What is known of a call before it is made. */
export interface CallFacts extends Pick<ModelCall, 'purpose' | 'tick' | 'batch' | 'world' | 'evaluation'> {
  provider: Pick<Provider, 'id' | 'model'>
  /** Not given: told by provider and model. */
  route?: Route
  tasks: readonly TaskId[]
  /** What the model is shown. */
  prompt: string
  /** Tokens of the prompt, estimated from above. */
  promptTokens: number
}

/** Rows that the store could not take yet; of more than these the oldest are let go of. */
const mostUnwritten = 1000

/**
 * Makes rows of calls of models. A call that went well is handed to whoever made it, to be recorded in the transaction of
 * the step it led to; one that nothing came of is recorded at once, since no step will. What the budget refused was no call.
 */
export class Calls {
  readonly #parts: CallsParts
  /** Many steps of a tick are shown the same report; it is digested once. */
  #digested = { prompt: '', digest: '' }
  #unwritten: CountedCall[] = []

  constructor(parts: CallsParts) {
    this.#parts = parts
  }

  begin(facts: CallFacts): OpenCall {
    if (facts.prompt !== this.#digested.prompt) {
      this.#digested = { prompt: facts.prompt, digest: createHash('sha256').update(facts.prompt).digest('hex') }
    }
    const { digest } = this.#digested
    return new OpenCall(this.#parts, facts, digest, (call) => this.record(call))
  }

  /**
   * Asks a model once. `call` is to be recorded with what `output` leads to, under `as` where work that is done again is to
   * be recorded once. What `ask` throws is thrown on, and the call recorded here.
   */
  async make<T extends { usage: Usage }>(
    facts: CallFacts,
    signal: AbortSignal,
    ask: () => Promise<T>,
    as?: CallId,
  ): Promise<{ output: T; call: CountedCall }> {
    const open = this.begin(facts)
    try {
      const output = await open.ask(ask)
      await open.dropped(signal)
      return { output, call: open.ended(as) }
    } catch (error) {
      await open.failed(error)
      throw error
    }
  }

  /** Records a call in a transaction of its own. Where the store cannot take it now, it goes with the next. */
  async record(call: CountedCall): Promise<void> {
    const calls = [...this.#unwritten, call].slice(-mostUnwritten)
    this.#unwritten = calls
    try {
      await this.#parts.host.write(() => {
        for (const one of calls) this.#parts.stores.usage.record(one)
      })
      this.#unwritten = this.#unwritten.filter((one) => !calls.includes(one))
    } catch {
      // What the call came to stays in the accounts; the store's own trouble is told by whoever needs it.
    }
  }
}

/** A call under way: one answer, or an answer and its repair. */
export class OpenCall {
  readonly #parts: CallsParts
  readonly #facts: CallFacts
  readonly #digest: string
  readonly #record: (call: CountedCall) => Promise<void>
  readonly #at: number
  readonly #answers: object[] = []
  #used: Usage = { promptTokens: 0, completionTokens: 0 }
  #asked = 0
  #isRecorded = false

  constructor(parts: CallsParts, facts: CallFacts, digest: string, record: (call: CountedCall) => Promise<void>) {
    this.#parts = parts
    this.#facts = facts
    this.#digest = digest
    this.#record = record
    this.#at = parts.clock.now()
  }

  /** Throws what `once` throws. */
  async ask<T extends { usage: Usage }>(once: () => Promise<T>): Promise<T> {
    try {
      const output = await once()
      const { usage, ...answer } = output
      this.#answers.push(answer)
      this.#add(usage)
      return output
    } catch (error) {
      if (!isRefusal(error)) this.#add(usageOfFailed(error, this.#isCloud() ? this.#facts.promptTokens : 0))
      throw error
    }
  }

  /** The call as it is to be recorded. Under one id only the first is recorded. */
  ended(as: CallId = this.#parts.ids.next<CallId>('call')): CountedCall {
    return this.#parts.accounts.counted(this.#made(as, this.#answers, false))
  }

  /** Records that nothing came of it; there is nothing to record where the budget let no call be made. */
  async failed(error: unknown): Promise<void> {
    if (this.#isRecorded || this.#asked === 0) return
    this.#isRecorded = true
    const answers = [...this.#answers, { failure: failureOf(error) }]
    // Under an id of its own: the work may be done again and then go well.
    await this.#record(this.#parts.accounts.counted(this.#made(this.#parts.ids.next<CallId>('call'), answers, true)))
  }

  /** Records it where nobody wants its answer any more: no step will. */
  async dropped(signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.reason
    if (signal.aborted && reason instanceof Fault && reason.code === 'work/dropped') await this.failed(reason)
  }

  #isCloud(): boolean {
    const { provider, route } = this.#facts
    const asked = { provider: provider.id, model: provider.model }
    return this.#parts.accounts.routeOf(route === undefined ? asked : { ...asked, route }) === 'cloud'
  }

  #add(given: Usage): void {
    this.#asked++
    const { promptTokens, completionTokens } = usageOf(given)
    this.#used = {
      promptTokens: this.#used.promptTokens + promptTokens,
      completionTokens: this.#used.completionTokens + completionTokens,
    }
  }

  #made(id: CallId, answers: readonly object[], failed: boolean): CallMade {
    const { provider, prompt: _shown, tasks, promptTokens: _estimated, ...facts } = this.#facts
    return {
      ...facts,
      ...this.#used,
      id,
      tasks: [...tasks],
      provider: provider.id,
      model: provider.model,
      promptDigest: this.#digest,
      answer: JSON.stringify(answers),
      repaired: this.#asked > 1 ? 1 : 0,
      calls: this.#asked,
      failed,
      durationMs: Math.max(0, this.#parts.clock.now() - this.#at),
      at: this.#at,
    }
  }
}

/** Nobody was asked: the budget did not allow it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Fault && ['model/budget', 'model/budget-too-small', 'model/no-price'].includes(error.code)
