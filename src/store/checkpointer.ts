import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Db } from './open.ts'

/** Commits between two looks at the write-ahead log. */
const every = 16
/** Commits before the thread is worth its start. */
const worthIt = 64
/** Pages that a look finds worth moving: each time the log begins anew, one commit waits for the disk. */
const muchPages = 1500
/** The writer's own checkpoint, in pages: reached only when the other thread cannot keep up. */
const backstopPages = 4000
/** Milliseconds without such a look after which the log is emptied. */
const quietTime = 1000

/** Runs in the other thread, which cannot load the sources of a checkout: plain text, and nothing but SQLite. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.sqlite)
const db = new Database(workerData.file, { timeout: 1000 })
const move = (how) => { try { return db.pragma('wal_checkpoint(' + how + ')')[0] } catch {} }
const empty = setTimeout(() => move('TRUNCATE'), workerData.quiet)
parentPort.on('message', (rests) => {
  const { log = 0, checkpointed = 0 } = move('NOOP') ?? {}
  if (rests || log - checkpointed > workerData.muchPages) move('PASSIVE')
  empty.refresh()
})
`

export interface Checkpoints extends Disposable {
  /** To be called after each commit. */
  committed(): void
  /** Nothing much is going on: what the log holds may be moved. */
  rests(): void
}

/**
 * Moves the write-ahead log into the database from a thread with a connection of its own, so that no commit waits for it,
 * and empties the log when there has been little to move for a while.
 */
export function checkpointer(db: Db, file: string, quiet = quietTime): Checkpoints {
  db.pragma(`wal_autocheckpoint = ${backstopPages}`)
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  let worker: Worker | null = null
  let commits = 0
  return {
    committed() {
      if (++commits % every !== 0 || commits < worthIt) return
      worker ??= begin({ file, sqlite, quiet, muchPages })
      worker.postMessage(false)
    },
    rests() {
      worker?.postMessage(true)
    },
    [Symbol.dispose]() {
      void worker?.terminate()
    },
  }
}

interface Given {
  file: string
  /** Where SQLite is loaded from. */
  sqlite: string
  quiet: number
  muchPages: number
}

function begin(given: Given): Worker {
  const worker = new Worker(program, { eval: true, workerData: given })
  // Without it the backstop does the work; nothing is lost.
  worker.on('error', () => {})
  worker.unref()
  return worker
}
