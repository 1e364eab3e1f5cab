import { randomUUID } from 'node:crypto'
import {
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { faultOf } from './faults.ts'
import type { Db } from './open.ts'

const beat = 5 * second
/** A holder that is alive but has not beaten for this long is taken for stuck. */
const stale = 60 * second

interface Holder {
  pid: number
  token: string
}

/**
 * The right to write to a workspace, held by one process at a time. The lock file names the holder and is touched as it
 * lives; the token in the store fences off a former holder that wakes up late: its next transaction fails.
 */
export class Lease implements Disposable {
  readonly #file: string
  readonly #clock: Clock
  readonly #token: string
  readonly #held
  #cancel: () => void = () => {}
  /** True when the former holder had not let go: it was killed, or it is stuck. */
  readonly unclean: boolean

  private constructor(file: string, clock: Clock, token: string, db: Db, unclean: boolean) {
    this.#file = file
    this.#clock = clock
    this.#token = token
    this.unclean = unclean
    db.transaction(() => {
      // Of two that put the same old lock away, the later one may have taken this one's in its place.
      const other = read(file)
      if (other && other.token !== token) throw inUse(other)
      db.prepare('INSERT INTO lease VALUES(1, ?) ON CONFLICT DO UPDATE SET token = excluded.token').run(token)
    }).immediate()
    this.#held = db.prepare<[], string>('SELECT token FROM lease').pluck()
    this.#beat()
  }

  /**
   * Takes the lock file; throws `workspace/in-use` naming the process that holds it. `open` opens the store once the
   * lock is ours, and is told whether the former holder ended uncleanly.
   */
  static take(file: string, clock: Clock, open: (unclean: boolean) => Db): { lease: Lease; db: Db } {
    const token = randomUUID()
    const unclean = claimed(file, { pid: process.pid, token })
    let db: Db | undefined
    try {
      db = open(unclean)
      return { lease: new Lease(file, clock, token, db, unclean), db }
    } catch (error) {
      db?.close()
      if (read(file)?.token === token) rmSync(file, { force: true })
      throw faultOf(error, db?.name)
    }
  }

  /** Throws `store/taken-over` when another process holds the lease now. */
  assertHeld(): void {
    if (this.#held.get() === this.#token) return
    throw new Fault('store/taken-over', 'Another undermind has taken over this workspace. This one stops.')
  }

  [Symbol.dispose](): void {
    this.#cancel()
    if (read(this.#file)?.token === this.#token) rmSync(this.#file, { force: true })
  }

  #beat(): void {
    const now = systemNow() / second
    try {
      utimesSync(this.#file, now, now)
    } catch {
      // The file is gone or the disk is read-only: the token in the store still decides.
    }
    this.#cancel = this.#clock.wakeAt(this.#clock.now() + beat, () => this.#beat())
  }
}

/** Returns whether a former holder had left its lock behind. */
function claimed(file: string, holder: Holder): boolean {
  const mine = `${file}.${holder.token}`
  try {
    // Linking puts the lock there whole or not at all, so nobody ever reads half of one.
    writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 })
    const unclean = claim(file, mine)
    if (unclean) sweep(file)
    return unclean
  } catch (error) {
    throw faultOf(error, file)
  } finally {
    rmSync(mine, { force: true })
  }
}

function claim(file: string, mine: string): boolean {
  let unclean = false
  while (!link(mine, file)) {
    const touchedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    // It has just been let go of.
    if (touchedAt === undefined) continue
    const other = read(file)
    if (other && isAlive(other.pid, touchedAt) && touchedAt + stale >= systemNow()) throw inUse(other)
    unclean = true
    putAway(file, other, `${mine}.old`)
  }
  return unclean
}

/** Removes what processes left that were killed while they took the lock; nobody takes that long over it. */
function sweep(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const left = join(dirname(file), name)
    if (!name.startsWith(`${basename(file)}.`)) continue
    if ((statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? 0) + stale < systemNow()) rmSync(left, { force: true })
  }
}

const inUse = ({ pid }: Holder): Fault =>
  new Fault(
    'workspace/in-use',
    `Another undermind (process ${pid}) is working in this workspace. Stop it, or use it: commands act through it while it runs.`,
    { pid },
  )

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes a lock that was left behind; should another process have put a new one there meanwhile, that goes back. */
function putAway(file: string, stale: Holder | null, aside: string): void {
  try {
    renameSync(file, aside)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  if (read(aside)?.token !== stale?.token) link(aside, file)
  rmSync(aside, { force: true, recursive: true })
}

const largest = 4096

function read(file: string): Holder | null {
  try {
    const found = lstatSync(file)
    // What came with a stranger's folder may be anything; opening a pipe would wait for ever.
    if (!found.isFile() || found.size > largest) return null
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return parsed !== null && typeof parsed === 'object' && 'pid' in parsed && 'token' in parsed
      ? (parsed as Holder)
      : null
  } catch {
    return null
  }
}

/** Ids of processes come again, in a container at each start: a lock from before this process began is not its own. */
function isAlive(pid: number, touchedAt: number): boolean {
  if (pid === process.pid) return touchedAt >= performance.timeOrigin
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The lock is about processes, so it goes by the machine's time even where a test turns the clock. */
const systemNow = (): number => performance.timeOrigin + performance.now()
