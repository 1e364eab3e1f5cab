/** The name a chart gives an action: its own, or that of the XState function that stands there without one (`assign`). */
export const actionName = (action: unknown): string => nameOf(action, 'action').replace(/^xstate\./, '')

/** The name a chart gives a guard; combined guards are spelt out: `isDue and not isPaused`. */
export const guardName = (guard: unknown): string => {
  const parts = typeof guard === 'function' && 'guards' in guard && Array.isArray(guard.guards) ? guard.guards : []
  if (parts.length === 0 || typeof guard !== 'function') return nameOf(guard, 'guard')
  const names = parts.map((part: unknown) => (isCombined(part) ? `(${guardName(part)})` : guardName(part)))
  return guard.name === 'not' ? `not ${names[0]}` : names.join(` ${guard.name} `)
}

const isCombined = (guard: unknown): boolean =>
  typeof guard === 'function' && (guard.name === 'and' || guard.name === 'or') && 'guards' in guard

const nameOf = (part: unknown, otherwise: string): string => {
  if (typeof part === 'string') return part
  if (part !== null && (typeof part === 'object' || typeof part === 'function') && 'type' in part)
    return String(part.type)
  return typeof part === 'function' && part.name !== '' ? part.name : otherwise
}
