import type { Row } from '../rpc/methods.ts'

/** What stands in the list of a day: something that was found, or all that a tick passed over. */
export type Entry = { kind: 'row'; id: string; row: Row } | { kind: 'quiet'; id: string; rows: Row[] }

/** The rows as they are shown, newest first: of a tick, what it passed over is one entry after the rest. */
export function entriesOf(rows: readonly Row[]): Entry[] {
  const entries: Entry[] = []
  const quiet = new Map<string, Row[]>()
  for (const row of rows) {
    if (row.state !== 'skipped') {
      entries.push({ kind: 'row', id: row.id, row })
      continue
    }
    const tick = row.tick ?? row.id
    const others = quiet.get(tick)
    if (others !== undefined) {
      others.push(row)
      continue
    }
    const first = [row]
    quiet.set(tick, first)
    entries.push({ kind: 'quiet', id: `quiet ${tick}`, rows: first })
  }
  return entries
}
