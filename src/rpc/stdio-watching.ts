import type { Door, Watching } from './door.ts'
import type { StepQuery } from './inspector.ts'
import { stepNotification, subscribeToSteps, unsubscribe } from './methods/inspector.ts'
import { readParams } from './params.ts'

/** Subscriptions to steps on behalf of a caller on two streams: the door carries the steps, and `say` hands them on. */
export class StdioWatching {
  readonly #door: Door
  readonly #say: (notification: string) => void
  readonly #watching = new Map<string, Promise<Watching>>()

  constructor(door: Door, say: (notification: string) => void) {
    this.#door = door
    this.#say = say
  }

  isMeant(method: string): boolean {
    return method === subscribeToSteps.name || method === unsubscribe.name
  }

  async call(method: string, params: unknown): Promise<unknown> {
    if (method === unsubscribe.name) {
      return { ended: await this.#end(readParams(method, unsubscribe.params, params).subscription) }
    }
    const given = readParams(method, subscribeToSteps.params, params)
    const { subscription: name, since_seq: sinceSeq, ...query } = given
    const begun = this.#begin(name, { ...query, sinceSeq }, this.#watching.get(name))
    // Known under its name before anything is waited for: who asks twice at once has one.
    this.#watching.set(name, begun)
    try {
      const { from, head } = await begun
      return { subscription: name, from, head }
    } catch (error) {
      if (this.#watching.get(name) === begun) this.#watching.delete(name)
      throw error
    }
  }

  async stop(): Promise<void> {
    for (const name of [...this.#watching.keys()]) await this.#end(name)
  }

  async #begin(name: string, query: StepQuery, former: Promise<Watching> | undefined): Promise<Watching> {
    const before = await former?.catch(() => undefined)
    before?.stop()
    return this.#door.watch(query, (step) => this.#say(stepNotification(name, step)))
  }

  async #end(name: string): Promise<boolean> {
    const begun = this.#watching.get(name)
    this.#watching.delete(name)
    const watching = await begun?.catch(() => undefined)
    watching?.stop()
    return watching !== undefined
  }
}
