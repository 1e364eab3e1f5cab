import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteHost } from '../../src/actors/host.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { recordStore } from '../../src/store/records.ts'
import type { Process, Setting } from './conformance/theatre.ts'
import { describeActorHost } from './conformance.ts'

async function processOver(db: Db, setting: Setting, closed: () => void): Promise<Process> {
  const ledger = sqliteLedger(db)
  const records = recordStore(db)
  const host = new SqliteHost({ ledger, ...setting })
  await host.start()
  return {
    host,
    idle: () => host.idle(),
    actor: (id) => ledger.actor(id),
    journal: (id) => ledger.journal(id),
    deadLetters: () =>
      records
        .deadLetters(100)
        .reverse()
        .map(({ actor, reason }) => ({ actor, reason })),
    keep: (name, value) => records.keep(name, value),
    kept: (name) => records.kept(name),
    async close() {
      await host[Symbol.asyncDispose]()
      closed()
    },
  }
}

describeActorHost('SqliteHost in memory', async () => {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  return { open: (setting) => processOver(db, setting, () => {}), remove: async () => void db.close() }
})

describeActorHost('SqliteHost over a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-host-'))
  const opened: Db[] = []
  return {
    open(setting) {
      const db = openStore({ file: join(folder, 'state.db'), synchronous: 'normal' })
      opened.push(db)
      return processOver(db, setting, () => void db.close())
    },
    async remove() {
      for (const db of opened) db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
