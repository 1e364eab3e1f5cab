import type { Db } from './open.ts'

interface Count {
  world: string
  count: number
}

/**
 * What there is in each world but one. The main world may have very much of it: what is its is the rest of the whole, which
 * is counted elsewhere, so that nothing is counted twice.
 */
export function worldCounts(db: Db) {
  const beside = (table: string, index: string, isIt: string) =>
    db.prepare<{ main: string }, Count>(
      ['<', '>']
        .map(
          (side) =>
            `SELECT world, count(*) AS count FROM ${table} INDEXED BY ${index} WHERE world ${side} @main AND ${isIt} GROUP BY world`,
        )
        .join(' UNION ALL '),
    )
  const tasks = beside('task', 'task_title', 'enabled = 1 AND completed = 0 AND retired = 0')
  const cards = beside('escalation', 'escalation_day', "state = 'open'")
  const asMap = (rows: Count[]): Map<string, number> => new Map(rows.map(({ world, count }) => [world, count]))
  return {
    tasksBeside: (main: string): Map<string, number> => asMap(tasks.all({ main })),
    openCardsBeside: (main: string): Map<string, number> => asMap(cards.all({ main })),
  }
}
