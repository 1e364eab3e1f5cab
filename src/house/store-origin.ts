import { randomUUID } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import type { KnownStores } from '../settings/known-stores.ts'
import type { WorkspacePaths } from '../settings/workspace.ts'
import { openStore } from '../store/open.ts'
import { recordStore } from '../store/records.ts'
import type { Stores } from './stores.ts'

const keptUnder = 'store-id'

/** Remembers a store that was just made as one of the user's own. */
export function markAsOurs(stores: Stores, known: KnownStores): void {
  const id = randomUUID()
  try {
    known.add(id)
  } catch {
    return // where this cannot be remembered, a yes to the workspace cannot be either
  }
  stores.records.keep(keptUnder, id)
}

/**
 * A folder may bring a state folder of its own, with orders planted in it that would run once the folder is trusted. Unless
 * its store was made here, the state folder is put aside before that. Returns where it is then, null when all is well.
 */
export function putForeignStateAside(paths: WorkspacePaths, known: KnownStores): string | null {
  if (!isForeign(paths, known)) return null
  const { stateDir } = paths
  for (let n = 1; ; n++) {
    const aside = `${stateDir}-foreign-${n}`
    if (existsSync(aside)) continue
    renameSync(stateDir, aside)
    return aside
  }
}

/** Whether a workspace has a store that was not made here. */
export const isForeign = ({ db }: Pick<WorkspacePaths, 'db'>, known: KnownStores): boolean =>
  existsSync(db) && !isOurs(db, known)

function isOurs(file: string, known: KnownStores): boolean {
  try {
    const db = openStore({ file, synchronous: 'full', readOnly: true })
    try {
      const id = recordStore(db).kept(keptUnder)
      return typeof id === 'string' && known.has(id)
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}
