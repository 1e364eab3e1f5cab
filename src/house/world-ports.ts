import type { ActorHost } from '../actors/actor-host.ts'
import type { TickId } from '../domain/ids.ts'
import type { JSONType } from '../domain/json.ts'
import type { OwnPorts, TickAt } from '../domain/world.ts'
import type { Stores } from './stores.ts'

/** False once a tick has left: whatever it still wants to make good is discarded. */
export const isCommitting = (stores: Pick<Stores, 'ticks'>, tick: TickId): boolean =>
  stores.ticks.get(tick)?.state === 'working.committing'

export interface OwnPortsParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
}

/** What a world of an embedder's own may see and move. Its values and what it tells stand under its name. */
export const ownPorts =
  ({ host, stores }: OwnPortsParts) =>
  ({ tick, world, at }: TickAt): OwnPorts => ({
    at,
    kept: (name) => stores.records.kept(`${world}:${name}`) as JSONType | undefined,
    conclude: ({ keep = {}, tell }) =>
      host.write((turn) => {
        if (!isCommitting(stores, tick)) return
        for (const [name, value] of Object.entries(keep)) stores.records.keep(`${world}:${name}`, value)
        if (!tell) return
        const { key, title, body } = tell
        const row = { key: `${world}:${key}`, kind: world, title, body, at: turn.now }
        if (stores.records.notify(row)) turn.news({ type: 'notification', title, body })
      }),
  })
