import { Cron } from 'croner'
import { Fault } from '../domain/errors.ts'
import { instantOf, wallTimeAt } from './zone.ts'

const patterns = new Map<string, Cron>()

/** Parsing costs as much as searching; a workspace has few patterns. */
const patternOf = (expression: string): Cron => {
  const known = patterns.get(expression)
  if (known !== undefined) return known
  const made = new Cron(expression, { mode: '5-part', utcOffset: 0 })
  if (patterns.size >= 1000) patterns.clear()
  patterns.set(expression, made)
  return made
}

/**
 * Gives the expression back with single spaces. Throws a Fault for one that is not five fields of cron, or that never
 * comes (30 February). `?`, which stands for the current time, is refused: the same words must mean the same time always.
 */
export const parseCron = (expression: string): string => {
  const normal = expression.trim().replace(/\s+/g, ' ')
  const fields = normal === '' ? 0 : normal.split(' ').length
  if (fields !== 5) throw invalid(expression, `it has ${fields} field${fields === 1 ? '' : 's'}, and five are needed`)
  if (!/^[\w*,/#\- ]+$/.test(normal))
    throw invalid(expression, 'only digits, names, "*", ",", "-", "/" and "#" are known')
  try {
    if (patternOf(normal).nextRun(new Date(0)) !== null) return normal
  } catch (error) {
    throw invalid(expression, error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error))
  }
  throw invalid(expression, 'no such day ever comes')
}

const invalid = (expression: string, why: string): Fault =>
  Fault.use(
    'task/schedule-invalid',
    `The schedule's expression "${expression.slice(0, 100)}" is not understood: ${why}. Give minute, hour, day, month and weekday, like "0 9 * * 1" for Mondays at 9:00.`,
    { field: 'expression', expression: expression.slice(0, 100) },
  )

/**
 * The first occurrence after an instant. The pattern is searched on the wall clock, and the wall-clock time then turned
 * into an instant, so that an occurrence that daylight saving leaves out comes at the next minute there is, and one that
 * it repeats comes once, the first time. (Croner's own rule depends on how the pattern is written.)
 */
export const nextCron = (expression: string, zone: string, after: number): number | null => {
  const pattern = patternOf(expression)
  let wall = wallTimeAt(after, zone)
  for (;;) {
    const next = pattern.nextRun(new Date(wall))
    if (next === null) return null
    wall = next.getTime()
    const instant = instantOf(wall, zone)
    if (instant > after) return instant
  }
}
