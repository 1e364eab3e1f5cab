import type { Day } from '../domain/usage.ts'
import type { Db } from './open.ts'

const keysOf: Record<string, string> = {
  usage: 'day, task, provider, model, route, purpose, world',
  usage_day: 'day, provider, model, route, purpose, world',
  tally: 'day, world',
}

/** Lets go of a slice of what models used before a day; true when more of it is left. */
export function forgetUsage(db: Db): (before: Day, atOnce: number) => boolean {
  const deletes = Object.entries(keysOf).map(([table, key]) =>
    db.prepare<[string, number]>(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE day < ? ORDER BY day LIMIT ?)`,
    ),
  )
  return (before, atOnce) => deletes.map((one) => one.run(before, atOnce).changes).some((gone) => gone === atOnce)
}
