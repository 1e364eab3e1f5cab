import type { Db } from './open.ts'

const names = "('last_tick_at', 'baseline_checkpoint_id')"

/**
 * Values that were kept when there was one world get that world's name before their own, as those of every world have it.
 * One that has it already stands. Done again it changes nothing.
 */
export function namespaceKeys(db: Db): void {
  // Looked for first: there is hardly ever one, and opening a store that is up to date writes nothing.
  if (db.prepare(`SELECT 1 FROM kept WHERE name IN ${names}`).get() === undefined) return
  db.transaction(() => {
    db.exec(`INSERT OR IGNORE INTO kept SELECT 'memory:' || name, value FROM kept WHERE name IN ${names};
      DELETE FROM kept WHERE name IN ${names};`)
  }).immediate()
}
