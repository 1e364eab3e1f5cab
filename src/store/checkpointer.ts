import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Db } from './open.ts'

/** Commits between two looks at the write-ahead log. */
const every = 64
/** The writer's own checkpoint, in pages: reached only when the other thread cannot keep up. */
const backstopPages = 4000

/** Runs in the other thread, which cannot load the sources of a checkout: plain text, and nothing but SQLite. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.sqlite)
const db = new Database(workerData.file, { timeout: 1000 })
parentPort.on('message', () => {
  try { db.pragma('wal_checkpoint(PASSIVE)') } catch {}
})
`

/**
 * Moves the write-ahead log into the database from a thread with a connection of its own, so that no commit waits for it.
 * Returns what to call after each commit.
 */
export function checkpointer(db: Db, file: string): { committed(): void } & Disposable {
  db.pragma(`wal_autocheckpoint = ${backstopPages}`)
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  let worker: Worker | null = null
  let commits = 0
  return {
    committed() {
      if (++commits % every !== 0) return
      worker ??= begin(file, sqlite)
      worker.postMessage('look')
    },
    [Symbol.dispose]() {
      void worker?.terminate()
    },
  }
}

function begin(file: string, sqlite: string): Worker {
  const worker = new Worker(program, { eval: true, workerData: { file, sqlite } })
  // Without it the backstop does the work; nothing is lost.
  worker.on('error', () => {})
  worker.unref()
  return worker
}
