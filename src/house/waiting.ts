import type { ActorHost } from '../actors/actor-host.ts'
import { Fault } from '../domain/errors.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type EvaluationId, id, type TickId, type WorldId } from '../domain/ids.ts'
import type { News } from '../domain/news.ts'
import type { TickRow } from '../domain/world.ts'
import type { Stores } from './stores.ts'

export interface WaitingParts {
  stores: Stores
  host: Pick<ActorHost, 'subscribe'>
  /** Why the store cannot be written just now; null when it can. */
  stalled(): string | null
}

/** Waits for what is going on to come to an end, by news and rows alone. */
export class Waiting {
  readonly #parts: WaitingParts

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  /**
   * Resolves when a tick has ended, whatever it became. Throws `tick/called-off` when it will never begin, because its world
   * was paused or stopped before its turn came, and `store/stalled`.
   */
  async tick(tick: TickId): Promise<TickRow> {
    for (;;) {
      const row = this.#parts.stores.ticks.get(tick)
      if (row && row.endedAt !== null) return row
      if (!row && !this.#mayBegin(tick)) {
        throw new Fault(
          'tick/called-off',
          `${tick} did not begin: its world was paused or stopped before its turn came.`,
          { tick },
        )
      }
      const reason = this.#parts.stalled()
      if (reason !== null) throw new Fault('store/stalled', reason)
      await this.#news(
        (news) => news.type === 'store' || news.type === 'world' || (news.type === 'tick' && news.id === tick),
      )
    }
  }

  /** Resolves when an evaluation has ended or waits for the user. */
  async evaluation(evaluation: EvaluationId): Promise<Evaluation> {
    for (;;) {
      const row = this.#parts.stores.evaluations.get(evaluation)
      if (!row) throw Fault.use('evaluation/unknown', `There is no evaluation ${evaluation}.`, { evaluation })
      if (row.state !== 'inProgress') return row
      const reason = this.#parts.stalled()
      if (reason !== null) throw new Fault('store/stalled', reason)
      await this.#news((news) => news.type === 'store' || (news.type === 'evaluation' && news.id === evaluation))
    }
  }

  #mayBegin(tick: TickId): boolean {
    const [, world, generation] = /^tick_(.+)_(\d+)$/.exec(tick) ?? []
    const row = world === undefined ? undefined : this.#parts.stores.ticks.world(id<WorldId>(world))
    return (
      row !== undefined &&
      Number(generation) > row.generation &&
      (row.state === 'ticking' || row.state === 'superseding')
    )
  }

  #news(isIt: (news: News) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#parts.host.subscribe((news) => {
        if (!isIt(news)) return
        stop()
        resolve()
      })
    })
  }
}
