import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hour } from '../../src/domain/clock.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { importing, openhuman, uuid } from './import-house.ts'

const open = () => house({ provider: scriptedProvider() })
const mind = 'subconscious/subconscious.db'

describe('a folder to import from', () => {
  it.each(['/nowhere/at/all', 'relative/folder', ''])('is refused when it is %j', async (dir) => {
    const home = await open()
    await expect(importing(home, dir)).rejects.toMatchObject({ code: 'import/no-folder', kind: 'use' })
  })

  it('is refused when nothing of an OpenHuman is in it', async () => {
    const home = await open()
    await expect(importing(home, openhuman().dir)).rejects.toMatchObject({ code: 'import/nothing-there', kind: 'use' })
  })

  it.each([
    [
      'text',
      (file: string) => writeFileSync(file, 'this is no database, only words. '.repeat(200)),
      /no SQLite database/,
    ],
    ['a folder', (file: string) => mkdirSync(file), /is no file/],
    ['a link out of it', (file: string) => symlinkSync('/etc/hostname', file), /link that leads out/],
  ])('whose database is %s is told of, and the rest of it taken', async (_, make, why) => {
    const home = await open()
    const there = openhuman()
    there.talk({ sessions: [{ agent_id: '@anna', session_id: 'h1' }] })
    mkdirSync(join(there.dir, 'subconscious'))
    make(join(there.dir, mind))
    const { counts, unreadable } = await importing(home, there.dir)
    expect(unreadable).toEqual([expect.stringMatching(why)])
    expect(counts.sessions).toEqual([1, 0, 0])
  })

  it('whose database is damaged gives none of its rows', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({
      subconscious_tasks: Array.from({ length: 400 }, (_, n) => ({ id: uuid(n), title: `Task number ${n} of many` })),
    })
    truncateSync(join(there.dir, mind), 8192)
    const { counts, unreadable } = await importing(home, there.dir)
    expect(unreadable).toEqual([expect.stringContaining('is damaged')])
    expect(counts.tasks).toBeUndefined()
  })

  it('with a link where the log of its database should be is told of', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({ subconscious_tasks: [{ id: uuid(1), title: 'One' }] })
    symlinkSync('/etc/hostname', join(there.dir, `${mind}-wal`))
    expect((await importing(home, there.dir)).unreadable).toEqual([expect.stringContaining('link beside it')])
  })

  it('has nothing written to it, also while another program has it open', async () => {
    const home = await open()
    const there = openhuman()
    there.mind({ subconscious_tasks: [] })
    const busy = new Database(join(there.dir, mind))
    onTestFinished(() => void busy.close())
    busy.pragma('journal_mode = WAL')
    busy.pragma('wal_autocheckpoint = 0')
    busy.prepare('INSERT INTO subconscious_tasks(id, title) VALUES(?, ?)').run(uuid(1), 'Only in the log beside it')
    const before = readdirSync(join(there.dir, 'subconscious'))
    expect(before).toContain('subconscious.db-wal')
    expect((await importing(home, there.dir)).counts.tasks).toEqual([1, 0, 0])
    expect(readdirSync(join(there.dir, 'subconscious'))).toEqual(before)
  })

  it('has no say in what its tables are: views and made-up tables are not read', async () => {
    const home = await open()
    const there = openhuman()
    mkdirSync(join(there.dir, 'subconscious'))
    const db = new Database(join(there.dir, mind))
    db.exec(`CREATE TABLE "odd ""name"""(id TEXT); INSERT INTO "odd ""name""" VALUES('1');
      CREATE VIEW subconscious_tasks AS SELECT 'v1' AS id, 'From a view' AS title;
      CREATE VIRTUAL TABLE subconscious_log USING fts5(id, task_id, decision)`)
    db.close()
    const { counts, notes } = await importing(home, there.dir)
    expect(counts).toEqual({})
    expect(notes).toEqual(
      expect.arrayContaining([
        'tasks: There is no table subconscious_tasks.',
        'log: There is no table subconscious_log.',
        'tasks: The table odd "name" has no place here; its rows were left out: 1.',
      ]),
    )
  })
})

describe('a value that is larger than anything may be', () => {
  it('is cut before it is read', async () => {
    const home = await open()
    const there = openhuman()
    const body = 'x'.repeat(30 * 1024 * 1024)
    there.talk({
      messages: [
        { id: 'm1', agent_id: '@anna', session_id: 'h1', role: 'user', body, timestamp: '2026-03-01T10:00:00Z' },
      ],
    })
    const { counts, changed } = await importing(home, there.dir)
    expect(counts.messages).toEqual([1, 0, 0])
    expect(changed).toEqual([expect.stringContaining('cut')])
  })
})

describe('a large import', () => {
  const rows = 20_000

  const large = async () => {
    const home = await open()
    const there = openhuman()
    const at = home.clock.now() / 1000 - 3600
    there.mind({
      subconscious_tasks: [{ id: uuid(1), title: 'Check the build' }],
      subconscious_log: Array.from({ length: rows }, (_, n) => ({
        id: uuid(1000 + n),
        task_id: uuid(1),
        tick_at: at + n / 1000,
        decision: 'noop',
      })),
    })
    return { home, there }
  }

  it('lets everything else have its turn, says how far it is, and doubles nothing', { timeout: 60_000 }, async () => {
    const { home, there } = await large()
    const importingNow = importing(home, there.dir)
    await expect(importing(home, there.dir)).rejects.toMatchObject({ code: 'import/under-way' })
    const seen: number[] = []
    for (let last = -1; ; ) {
      const progress = await home.runtime.imports.progress(last)
      if (progress === null) break
      seen.push(progress.done)
      last = progress.done
    }
    expect((await importingNow).counts.log).toEqual([rows, 0, 0])
    expect(seen.length).toBeGreaterThan(50)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await home.runtime.imports.progress(-1)).toBeNull()
    expect((await importing(home, there.dir)).counts.log).toEqual([0, rows, 0])
  })
})

describe('an import that was cut off', () => {
  it('goes on when it is run again', async () => {
    const home = await open()
    const there = openhuman()
    const at = home.clock.now() / 1000
    there.mind({
      subconscious_tasks: [{ id: uuid(1), title: 'Check the build' }],
      subconscious_log: Array.from({ length: 1000 }, (_, n) => ({
        id: uuid(1000 + n),
        task_id: uuid(1),
        tick_at: at - hour / 1000 + n,
        decision: 'act',
        result: `Result ${n}`,
      })),
    })
    const { host, stores } = home.runtime
    const write = host.write.bind(host)
    const taken = () => stores.evaluations.log({ limit: 2000 }).length
    const spy = vi
      .spyOn(host, 'write')
      .mockImplementation((change) =>
        taken() < 400 ? write(change) : Promise.reject(new Error('this process is no more')),
      )
    await expect(importing(home, there.dir)).rejects.toThrow('no more')
    spy.mockRestore()
    const before = taken()
    expect(before).toBe(400)
    expect((await importing(home, there.dir)).counts.log).toEqual([1000 - before, before, 0])
    expect(taken()).toBe(1000)
  })
})
