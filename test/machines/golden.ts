import type { AnyStateMachine } from 'xstate'
import type { ActorId } from '../../src/domain/ids.ts'
import type { ActorRow } from '../../src/domain/ledger.ts'
import type { Walked } from './walk.ts'

/** A stored row for every state in which an actor of this chart can rest, as its version writes it today. */
export function goldenRows<Context, Seen>(
  { places }: Walked<Context, Seen>,
  chart: AnyStateMachine,
  of: { kind: string; id: string; version: number },
): string {
  const states = new Set(places.filter(({ status }) => status === 'active').map(({ state }) => state))
  const rows = [...states].sort().map((state): ActorRow => {
    const { machine } = places.find((place) => place.state === state)!
    return {
      id: of.id as ActorId,
      kind: of.kind,
      parent: null,
      chart: of.version,
      version: 1,
      status: 'active',
      state,
      snapshot: JSON.stringify(chart.getPersistedSnapshot(machine)),
      createdAt: 0,
      updatedAt: 0,
    }
  })
  return `${JSON.stringify(rows, null, 2)}\n`
}
