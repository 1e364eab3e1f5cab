import type { ImportRun } from './import-run.ts'
import { numbers, texts } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned } from './values.ts'

const worlds = /^(?:memory|tinyplace):(?:last_tick_at|baseline_checkpoint_id)$/
const ofOneWorld = ['last_tick_at', 'baseline_checkpoint_id']

/**
 * Takes over the few values that a world keeps. One from the time when there was one world alone becomes that world's,
 * unless that has one of its own, here or there.
 */
export async function importState(run: ImportRun, db: SourceDb): Promise<void> {
  const { records } = run.parts.stores
  const rows = [...rowsOf(db, numbers, run.findings), ...rowsOf(db, texts, run.findings)]
  const given = new Set(rows.map(({ key }) => key))
  await run.each(rows, ({ key, value }, _turn, findings) => {
    const name = ofOneWorld.includes(key) ? `memory:${key}` : key
    if (!worlds.test(name)) return findings.refuse('state', 'A value of this name has no place here.', key)
    const isOlder = name !== key && given.has(name)
    if (isOlder || records.kept(name) !== undefined) return findings.wasThere('state')
    records.keep(name, typeof value === 'string' ? cleaned(value, 500).text : value)
    findings.took('state')
  })
}
