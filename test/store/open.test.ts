import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrations } from '../../src/store/migrations/index.ts'
import { type Db, openStore, type StoreOptions } from '../../src/store/open.ts'
import { folder } from './folder.ts'

const [first = ''] = migrations
/** Steps that later builds might bring; running one twice, or half of one, can be told. */
const second = 'CREATE TABLE second(n INTEGER) STRICT; INSERT INTO second SELECT count(*) FROM goal;'
const third = "ALTER TABLE goal ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'; INSERT INTO second VALUES(3);"

const normal = (file: string): StoreOptions => ({ file, synchronous: 'normal' })
const version = (db: Db) => db.pragma('user_version', { simple: true })
const goals = (db: Db) => db.prepare('SELECT * FROM goal ORDER BY id').all()

/** A store of version 1 with a row in it. */
function ofVersionOne(): string {
  const file = join(folder(), 'state.db')
  const db = openStore(normal(file), [first])
  db.exec("INSERT INTO goal VALUES('goal_1', 'Sleep well', 5)")
  db.close()
  return file
}

const refusal = (open: () => Db): unknown => {
  try {
    open().close()
  } catch (error) {
    return error
  }
  return 'opened'
}

describe('migrations', () => {
  it('are numbered without a gap, a file for each', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/store/migrations')).filter((name) =>
      /^\d.*\.ts$/.test(name),
    )
    expect(files.sort().map((name) => Number(/^(\d{4})-[a-z-]+\.ts$/.exec(name)?.[1]))).toEqual(
      migrations.map((_, index) => index + 1),
    )
  })

  it('make a new store of the newest version, which only its owner can read', () => {
    const file = join(folder(), 'state.db')
    const db = openStore(normal(file))
    expect([version(db), db.pragma('journal_mode', { simple: true })]).toEqual([migrations.length, 'wal'])
    db.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['state.db'])
  })

  it('make no folder: one that is gone is said to be gone', () => {
    const file = join(folder(), 'gone', 'state.db')
    expect(() => openStore(normal(file))).toThrow(expect.objectContaining({ code: 'store/missing' }))
    expect(existsSync(join(file, '..'))).toBe(false)
  })

  it('bring an older store up to date in order, each once, and keep its rows', () => {
    const file = ofVersionOne()
    openStore(normal(file), [first, second]).close()
    const db = openStore(normal(file), [first, second, third])
    expect(version(db)).toBe(3)
    expect(goals(db)).toEqual([{ id: 'goal_1', text: 'Sleep well', created_at: 5, colour: 'green' }])
    expect(db.prepare('SELECT n FROM second').pluck().all()).toEqual([1, 3])
    db.close()
  })

  it('leave a copy of the store as it was before the first of them', () => {
    const file = ofVersionOne()
    openStore(normal(file), [first, second, third]).close()
    expect(readdirSync(join(file, '..')).sort()).toEqual(['state.db', 'state.db.v1.bak'])
    const copy = openStore({ ...normal(`${file}.v1.bak`), check: true }, [first])
    expect(version(copy)).toBe(1)
    expect(goals(copy)).toEqual([{ id: 'goal_1', text: 'Sleep well', created_at: 5 }])
    copy.close()
  })

  it('make no copy of a store that is up to date, nor a second one of the same version', () => {
    const file = ofVersionOne()
    openStore(normal(file), [first]).close()
    expect(readdirSync(join(file, '..'))).toEqual(['state.db'])
    writeFileSync(`${file}.v1.bak`, 'kept from an earlier try')
    openStore(normal(file), [first, second]).close()
    expect(readFileSync(`${file}.v1.bak`, 'utf8')).toBe('kept from an earlier try')
  })

  it('take back the whole of a step that fails, keep those before it, and go on from there', () => {
    const file = ofVersionOne()
    const broken = `${third} SELECT no_such_function();`
    expect(refusal(() => openStore(normal(file), [first, second, broken]))).toMatchObject({
      message: expect.stringContaining('no_such_function'),
    })
    const before = openStore(normal(file), [first, second])
    expect([version(before), before.prepare('SELECT n FROM second').pluck().all()]).toEqual([2, [1]])
    before.close()
    const after = openStore(normal(file), [first, second, third])
    expect(after.prepare('SELECT n FROM second').pluck().all()).toEqual([1, 3])
    after.close()
  })

  it('touch nothing for whoever only reads', () => {
    const file = ofVersionOne()
    const before = readFileSync(file)
    const db = openStore({ ...normal(file), readOnly: true }, [first, second])
    expect([version(db), goals(db)]).toEqual([1, [{ id: 'goal_1', text: 'Sleep well', created_at: 5 }]])
    expect(() => db.exec("DELETE FROM goal WHERE id = 'goal_1'")).toThrow(/readonly/)
    db.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('a store that cannot be used', () => {
  it('is refused when a newer build has written it, and left as it is', () => {
    const file = ofVersionOne()
    openStore(normal(file), [first, second]).close()
    const before = readFileSync(file)
    for (const readOnly of [false, true]) {
      expect(refusal(() => openStore({ ...normal(file), readOnly }, [first]))).toMatchObject({
        code: 'store/too-new',
        message: 'Cannot open the store: it is at version 2, this build knows 1. Install a newer undermind.',
        data: { at: 2, known: 1 },
      })
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is refused when it is no store, and left as it is', () => {
    const file = join(folder(), 'state.db')
    writeFileSync(file, 'a letter to my aunt, which is long enough to be a file of some size\n'.repeat(100))
    const before = readFileSync(file)
    expect(refusal(() => openStore(normal(file)))).toMatchObject({
      code: 'store/corrupt',
      message: expect.stringContaining(file),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is refused when it is damaged, by whoever looks for damage', () => {
    const file = ofVersionOne()
    const db = openStore(normal(file), [first])
    db.exec(`WITH RECURSIVE count(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < 3000)
      INSERT INTO goal SELECT 'goal_' || (i + 1), hex(randomblob(50)), i FROM count`)
    db.close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, bytes.length - 40_960, bytes.length - 4096)
    writeFileSync(file, bytes)
    expect(refusal(() => openStore({ ...normal(file), check: true }, [first]))).toMatchObject({
      code: 'store/corrupt',
      message: expect.stringMatching(/damaged: .+ Move it away and start again, or restore a copy of it\.$/),
    })
    expect(refusal(() => openStore(normal(file), [first, 'UPDATE goal SET text = lower(text);']))).toMatchObject({
      code: 'store/corrupt',
    })
  })

  it('is refused when its end is missing', () => {
    const file = ofVersionOne()
    truncateSync(file, 8192)
    expect(refusal(() => openStore({ ...normal(file), check: true }, [first]))).toMatchObject({ code: 'store/corrupt' })
  })

  it('is not made for whoever only reads', () => {
    const file = join(folder(), 'state.db')
    expect(refusal(() => openStore({ ...normal(file), readOnly: true }))).toMatchObject({ code: 'store/missing' })
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  it('is refused where a folder stands in its place, or a file in the place of its folder', () => {
    const place = folder()
    mkdirSync(join(place, 'state.db'))
    expect(refusal(() => openStore(normal(join(place, 'state.db'))))).toMatchObject({ code: 'store/corrupt' })
    writeFileSync(join(place, 'file'), '')
    expect(refusal(() => openStore(normal(join(place, 'file/state.db'))))).toMatchObject({ code: 'store/read-only' })
  })

  it('is opened all the same beside a reader that is in the middle of it', () => {
    const file = ofVersionOne()
    const reader = new Database(file, { readonly: true })
    const rows = reader.prepare('SELECT * FROM goal').iterate()
    rows.next()
    openStore(normal(file), [first, second]).close()
    rows.return?.()
    reader.close()
  })
})
