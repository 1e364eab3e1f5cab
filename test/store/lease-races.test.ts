import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Lease } from '../../src/store/lease.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { folder } from './folder.ts'

const nothing = () => {}

/** What another process does just before this one's call of that name, or once a link could not be made. */
const meanwhile = { linkSync: nothing, renameSync: nothing, afterFailedLink: nothing }

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    linkSync(...args: Parameters<typeof fs.linkSync>) {
      meanwhile.linkSync()
      try {
        fs.linkSync(...args)
      } catch (error) {
        meanwhile.afterFailedLink()
        throw error
      }
    },
    renameSync(...args: Parameters<typeof fs.renameSync>) {
      meanwhile.renameSync()
      fs.renameSync(...args)
    },
  }
})

afterEach(() => {
  Object.assign(meanwhile, { linkSync: nothing, renameSync: nothing, afterFailedLink: nothing })
})

/** Only for the first call. */
const once = (act: () => void) => {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}

const theirs = JSON.stringify({ pid: process.ppid, token: 'theirs' })
const old = JSON.stringify({ pid: 2 ** 22 + 1, token: 'old' })

function place() {
  const root = folder()
  const lock = join(root, 'lock')
  const take = () =>
    Lease.take(lock, new HandClock(), () => openStore({ file: join(root, 'state.db'), synchronous: 'normal' }))
  return { lock, take }
}

const systemError = (code: string) => Object.assign(new Error(code), { code })
const inUse = expect.objectContaining({ code: 'workspace/in-use', data: { pid: process.ppid } })

describe('of two that find an old lock at once', () => {
  it('the later one puts the new lock of the other back, and is refused', () => {
    const { lock, take } = place()
    writeFileSync(lock, old)
    meanwhile.renameSync = once(() => writeFileSync(lock, theirs))
    expect(take).toThrow(inUse)
    expect(readFileSync(lock, 'utf8')).toBe(theirs)
  })

  it('the later one takes the lease when the other has put the old lock away and gone no further', () => {
    const { lock, take } = place()
    writeFileSync(lock, old)
    meanwhile.renameSync = once(() => rmSync(lock))
    const { lease, db } = take()
    lease.assertHeld()
    expect(lease.unclean).toBe(true)
    db.close()
    lease[Symbol.dispose]()
  })

  it('the one whose lock was taken for the old one gives way to whoever has it now', () => {
    const { lock, take } = place()
    const robbed = () => {
      writeFileSync(lock, theirs)
      return openStore({ file: `${lock}.db`, synchronous: 'normal' })
    }
    expect(() => Lease.take(lock, new HandClock(), robbed)).toThrow(inUse)
    expect(readFileSync(lock, 'utf8')).toBe(theirs)
    expect(take).toThrow(inUse)
  })
})

it('a lease is simply taken when its holder lets go of it between two looks', () => {
  const { lock, take } = place()
  writeFileSync(lock, theirs)
  meanwhile.afterFailedLink = once(() => rmSync(lock))
  const { lease, db } = take()
  expect(lease.unclean).toBe(false)
  db.close()
  lease[Symbol.dispose]()
  expect(existsSync(lock)).toBe(false)
})

it.each([
  ['linkSync', 'EROFS', 'store/read-only'],
  ['linkSync', 'ENOSPC', 'store/disk-full'],
  ['renameSync', 'EACCES', 'store/read-only'],
] as const)('is refused with a reason where %s fails with %s, and leaves nothing behind', (call, errno, code) => {
  const { lock, take } = place()
  writeFileSync(lock, old)
  meanwhile[call] = () => {
    throw systemError(errno)
  }
  expect(take).toThrow(expect.objectContaining({ code }))
  expect(readFileSync(lock, 'utf8')).toBe(old)
})
