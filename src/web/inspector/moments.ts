import type { JSONType } from '../../domain/json.ts'
import type { HistoryStep } from '../rpc/inspector-methods.ts'

/** A moment of an actor's life: the state it came to, and how. */
export interface Moment {
  key: string
  at: number
  event: string
  sender: string | null
  from: string | null
  to: string
  data: JSONType
  /** Null where only a summary is left. */
  snapshot: JSONType
}

/** Every moment that can be looked at, oldest first. A summary of old steps is as many moments as it names states. */
export const momentsOf = (steps: readonly HistoryStep[]): Moment[] =>
  steps.flatMap((step) => {
    const { summary, sender, data, snapshot } = step
    if (summary === null) return [{ ...step, key: String(step.seq) }]
    return summary.map(({ state, at, event }, index) => ({
      key: `${step.seq} ${index}`,
      at,
      event: event ?? '',
      sender,
      from: summary[index - 1]?.state ?? null,
      to: state,
      data,
      snapshot: index === summary.length - 1 ? snapshot : null,
    }))
  })

/** A state's own path and those it lies in: `inProgress.judging` is lit together with `inProgress`. Regions stand behind +. */
export const litStates = (state: string): string[] =>
  state.split('+').flatMap((path) => {
    const names = path.trim().split('.')
    return names.map((_, index) => names.slice(0, index + 1).join('.'))
  })

/** A field of a snapshot, and whether it is another than at the moment before. */
export interface Field {
  name: string
  text: string
  isNew: boolean
}

/** The fields of a snapshot, those first that have changed since the moment before. */
export function fieldsOf(snapshot: JSONType, before: JSONType): Field[] {
  const earlier = flat(before)
  const fields = [...flat(snapshot)].map(([name, text]) => ({
    name,
    text,
    isNew: before !== null && earlier.get(name) !== text,
  }))
  return [...fields.filter(({ isNew }) => isNew), ...fields.filter(({ isNew }) => !isNew)]
}

function flat(value: JSONType): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map()
  return new Map(
    Object.entries(value).map(([name, inner]) => [name, typeof inner === 'string' ? inner : JSON.stringify(inner)]),
  )
}
