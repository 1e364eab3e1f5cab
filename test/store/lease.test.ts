import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lease } from '../../src/store/lease.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { folder } from './folder.ts'

function place() {
  const root = folder()
  const lock = join(root, 'lock')
  const clock = new HandClock()
  const unclean: boolean[] = []
  const open = (check: boolean) => {
    unclean.push(check)
    return openStore({ file: join(root, 'state.db'), synchronous: 'normal', check })
  }
  const take = () => {
    const { lease, db } = Lease.take(lock, clock, open)
    return {
      lease,
      ledger: sqliteLedger(db, lease),
      release() {
        db.close()
        lease[Symbol.dispose]()
      },
    }
  }
  return { root, lock, clock, unclean, take }
}

const leave = (lock: string, holder: unknown) => writeFileSync(lock, JSON.stringify(holder))
/** The process that runs the tests' process: alive for as long as they run. */
const alive = process.ppid
const dead = () => spawnSync(process.execPath, ['-e', '']).pid
const before = (file: string, ms: number) => utimesSync(file, ms / 1000, ms / 1000)
const longAgo = (file: string) => utimesSync(file, 1000, 1000)

describe('the lease of a workspace', () => {
  it('is held by one at a time, whom the next is told of, and is free again after', () => {
    const { lock, take, unclean } = place()
    const first = take()
    expect(take).toThrow(expect.objectContaining({ code: 'workspace/in-use', data: { pid: process.pid } }))
    expect(take).toThrow(new RegExp(`process ${process.pid}`))
    first.release()
    expect(existsSync(lock)).toBe(false)
    take().release()
    expect(unclean).toEqual([false, false])
  })

  it('leaves nothing beside the lock, which only its owner can read', () => {
    const { root, lock, take } = place()
    const held = take()
    expect(readdirSync(root).filter((name) => !name.startsWith('state.db'))).toEqual(['lock'])
    expect(statSync(lock).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid })
    held.release()
  })

  it('is refused while another process lives, and is not taken from it', () => {
    const { lock, take } = place()
    leave(lock, { pid: alive, token: 'theirs' })
    expect(take).toThrow(expect.objectContaining({ code: 'workspace/in-use', data: { pid: alive } }))
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ token: 'theirs' })
  })

  it.each([
    ['is dead', (lock: string) => leave(lock, { pid: dead(), token: 'theirs' })],
    [
      'lives but has not stirred for a minute',
      (lock: string) => {
        leave(lock, { pid: alive, token: 'theirs' })
        longAgo(lock)
      },
    ],
    [
      'had this process’s id before this process began',
      (lock: string) => {
        leave(lock, { pid: process.pid, token: 'theirs' })
        before(lock, performance.timeOrigin - 1000)
      },
    ],
    ['has left half a lock', (lock: string) => writeFileSync(lock, '{"pid": 1')],
    ['has left an empty lock', (lock: string) => writeFileSync(lock, '')],
    ['has left nonsense', (lock: string) => writeFileSync(lock, '[17]')],
  ])('is taken over from a holder that %s, and the store is looked at', (_, left) => {
    const { root, lock, take, unclean } = place()
    left(lock)
    const held = take()
    expect([held.lease.unclean, unclean]).toEqual([true, [true]])
    held.lease.assertHeld()
    expect(readdirSync(root).filter((name) => !name.startsWith('state.db'))).toEqual(['lock'])
    held.release()
  })

  it('is shown to be alive every few seconds', async () => {
    const { lock, clock, take } = place()
    const held = take()
    longAgo(lock)
    await clock.advance(4000, async () => {})
    expect(statSync(lock).mtimeMs).toBe(1_000_000)
    await clock.advance(1000, async () => {})
    expect(statSync(lock).mtimeMs).toBeGreaterThan(1_000_000)
    longAgo(lock)
    await clock.advance(5000, async () => {})
    expect(statSync(lock).mtimeMs).toBeGreaterThan(1_000_000)
    held.release()
    expect(clock.nextWakeAt).toBeNull()
  })

  it('fences off a holder that wakes up late: its next transaction fails, and it takes nothing from the new one', () => {
    const { lock, take } = place()
    const late = take()
    longAgo(lock)
    const now = take()
    expect(() => late.ledger.begin()).toThrow(expect.objectContaining({ code: 'store/taken-over' }))
    late.ledger.rollback()
    now.ledger.begin()
    now.ledger.commit()
    late.release()
    expect(existsSync(lock)).toBe(true)
    now.release()
    expect(existsSync(lock)).toBe(false)
  })

  it('holds though its lock file was deleted, until another takes it', () => {
    const { lock, take } = place()
    const first = take()
    rmSync(lock)
    first.ledger.begin()
    first.ledger.commit()
    const second = take()
    expect(() => first.ledger.begin()).toThrow(expect.objectContaining({ code: 'store/taken-over' }))
    first.ledger.rollback()
    first.release()
    second.release()
  })

  it('is free again when the store could not be opened', () => {
    const { lock, root, clock, take } = place()
    const fail = () => {
      throw new Error('no store')
    }
    expect(() => Lease.take(lock, clock, fail)).toThrow('no store')
    expect(readdirSync(root)).toEqual([])
    take().release()
  })

  it('of somebody else stays when the store could not be opened', () => {
    const { lock, clock } = place()
    const robbed = () => {
      leave(lock, { pid: alive, token: 'theirs' })
      throw new Error('no store')
    }
    expect(() => Lease.take(lock, clock, robbed)).toThrow('no store')
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ token: 'theirs' })
  })

  it('is given up when another has put its lock in the place of this one meanwhile', () => {
    const { lock, root, clock } = place()
    const robbed = () => {
      leave(lock, { pid: alive, token: 'theirs' })
      return openStore({ file: join(root, 'state.db'), synchronous: 'normal' })
    }
    expect(() => Lease.take(lock, clock, robbed)).toThrow(
      expect.objectContaining({ code: 'workspace/in-use', data: { pid: alive } }),
    )
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ token: 'theirs' })
  })
})
