import type { ActorId } from '../domain/ids.ts'

/** One step of one actor, told to observers after it is durable. */
export interface InspectedStep {
  actor: ActorId
  kind: string
  parent: ActorId | null
  version: number
  sender: string | null
  event: { readonly type: string }
  from: string | null
  to: string
  at: number
}

export type Inspector = (step: InspectedStep) => void

/** A state value as rows and people write it: `inProgress.judging`. */
export const stateName = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return ''
  return Object.entries(value)
    .map(([name, inner]) => {
      const below = stateName(inner)
      return below === '' ? name : `${name}.${below}`
    })
    .join('+')
}
