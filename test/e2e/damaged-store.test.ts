import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type Desk, desk } from './support/desk.ts'
import { expectRefusal } from './support/said.ts'
import { Status, Tick } from './support/shapes.ts'

async function exampleTicked(at: Desk): Promise<{ notes: string; file: string; card: string }> {
  const notes = at.path('notes')
  await at.run(['init', notes, '--example'])
  const { evaluations } = Tick.parse(await at.json(['-w', notes, 'tick']))
  const card = evaluations.find(({ state }) => state === 'awaitingApproval')?.id ?? ''
  return { notes, file: join(notes, '.undermind/state.db'), card }
}

/** What is wrong with the store is said by what looks and by what would stay; the file stays for whoever can save it. */
async function expectRefused(at: Desk, notes: string, fault: string, says: string): Promise<void> {
  const file = join(notes, '.undermind/state.db')
  const before = statSync(file).isFile() ? readFileSync(file) : null
  const commands = [['status'], ['start']].map((words) => at.run(['-w', notes, ...words]))
  for (const ended of await Promise.all(commands)) expectRefusal(ended, { exit: 1, fault, says })
  if (before !== null) expect(readFileSync(file).equals(before)).toBe(true)
}

describe.concurrent('a store that cannot be used', () => {
  it('is named with what to do, whether it is no store, cut off, a folder or newer than this build', async (test) => {
    const at = desk(test)
    const { notes, file } = await exampleTicked(at)
    const sound = readFileSync(file)

    writeFileSync(file, 'these are my shopping notes\n'.repeat(100))
    await expectRefused(at, notes, 'store/corrupt', `${file} is not an undermind store. Move it away and start again.`)

    writeFileSync(file, sound)
    truncateSync(file, 50_000)
    await expectRefused(at, notes, 'store/corrupt', 'Move it away and start again, or restore a copy of it.')

    rmSync(file)
    mkdirSync(file)
    await expectRefused(at, notes, 'store/corrupt', `${file} is not an undermind store.`)
    rmSync(file, { recursive: true })

    new Database(file).exec('CREATE TABLE recipe(name TEXT); PRAGMA user_version = 1').close()
    await expectRefused(at, notes, 'store/corrupt', `${file} is not an undermind store.`)

    writeFileSync(file, sound)
    new Database(file).exec('PRAGMA user_version = 99').close()
    await expectRefused(
      at,
      notes,
      'store/too-new',
      'it is at version 99, this build knows 1. Install a newer undermind.',
    )

    writeFileSync(file, sound)
    expect(Status.parse(await at.json(['-w', notes, 'status']))).toMatchObject({ tasks: 6, pendingApprovals: 1 })
  })

  it('is named, too, when the damage lies deeper, and what it was about stays as it is', async (test) => {
    const at = desk(test)
    const { notes, file, card } = await exampleTicked(at)
    const agenda = readFileSync(join(notes, 'AGENDA.md'), 'utf8')
    damage(file, 'item', 'change')
    for (const words of [['why', card], ['tick', '--force'], ['doctor']]) {
      const { code, out, err } = await at.run(['-w', notes, ...words])
      expect(code).toBe(1)
      expect(out + err).toMatch(/state\.db is damaged\b.*\. Move it away and start again/)
      expect(out + err).not.toMatch(/\n\s+at |malformed/)
    }
    expect(readFileSync(join(notes, 'AGENDA.md'), 'utf8')).toBe(agenda)
  })
})

/** Turns every byte of the pages over that hold these tables. */
function damage(file: string, ...tables: string[]): void {
  const db = new Database(file, { readonly: true })
  const size = Number(db.pragma('page_size', { simple: true }))
  const pages = db
    .prepare<string[], number>(`SELECT rootpage FROM sqlite_schema WHERE tbl_name IN (${tables.map(() => '?').join()})`)
    .pluck()
    .all(...tables)
  db.close()
  const bytes = readFileSync(file)
  for (const page of pages) for (let at = (page - 1) * size; at < page * size; at++) bytes[at]! ^= 0xff
  writeFileSync(file, bytes)
}
