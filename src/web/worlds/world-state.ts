import type { TextKey, Texts } from '../texts/language.tsx'

const known = new Map<string, TextKey>([
  ['resting', 'world.resting'],
  ['ticking', 'world.ticking'],
  ['superseding', 'world.superseding'],
  ['paused', 'world.paused'],
  ['halted', 'world.halted'],
  ['off', 'world.off'],
])

/** What a world is doing, in words; a state without words is named. */
export function worldState(state: string, t: Texts['t']): string {
  const key = known.get(state)
  return key === undefined ? state : t(key)
}
