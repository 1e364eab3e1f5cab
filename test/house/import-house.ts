import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { House } from '../support/house.ts'

type Value = string | number | null | Buffer
export type Rows = readonly Readonly<Record<string, Value>>[]

/** Columns of a table, by its name. Given in place of the usual ones, where a version of there has had others. */
export type Tables = Readonly<Record<string, string>>

export const usualTables = {
  subconscious_tasks:
    "id TEXT PRIMARY KEY, title TEXT NOT NULL, source TEXT, recurrence TEXT DEFAULT 'pending', enabled INTEGER DEFAULT 1, last_run_at REAL, next_run_at REAL, completed INTEGER DEFAULT 0, created_at REAL",
  subconscious_log:
    'id TEXT PRIMARY KEY, task_id TEXT, tick_at REAL, decision TEXT, result TEXT, duration_ms INTEGER, created_at REAL',
  subconscious_escalations:
    'id TEXT PRIMARY KEY, task_id TEXT, log_id TEXT, title TEXT, description TEXT, priority TEXT, status TEXT, created_at REAL, resolved_at REAL',
  subconscious_state: 'key TEXT PRIMARY KEY, value REAL',
  subconscious_state_text: 'key TEXT PRIMARY KEY, value TEXT',
} as const satisfies Tables

export const sessionTables = {
  sessions:
    'session_id TEXT, agent_id TEXT, source TEXT, label TEXT, workspace TEXT, last_seq INTEGER, created_at TEXT, last_message_at TEXT',
  messages:
    'id TEXT PRIMARY KEY, agent_id TEXT, session_id TEXT, chat_kind TEXT, role TEXT, body TEXT, timestamp TEXT, seq INTEGER',
  kv: 'k TEXT PRIMARY KEY, v TEXT',
  compressed_history:
    'cycle_id TEXT PRIMARY KEY, session_id TEXT, agent_id TEXT, input_tokens INTEGER, output_tokens INTEGER, text TEXT, created_at TEXT',
  world_diff:
    'cycle_id TEXT PRIMARY KEY, seq INTEGER, session_id TEXT, agent_id TEXT, event_signature TEXT, world_mutation TEXT, delta TEXT, timestamp TEXT',
  steering_directives:
    'id INTEGER PRIMARY KEY, text TEXT, created_at TEXT, source_tick_id TEXT, expires_after_cycles INTEGER, created_cycle INTEGER, derived_from TEXT, superseded_by INTEGER',
} as const satisfies Tables

/** A folder like a workspace of OpenHuman's. */
export function openhuman() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'undermind-openhuman-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  const fill = (path: string, tables: Tables, rows: Readonly<Record<string, Rows>>) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    const db = new Database(join(dir, path))
    for (const [table, columns] of Object.entries(tables)) db.exec(`CREATE TABLE IF NOT EXISTS ${table}(${columns})`)
    db.transaction(() => {
      for (const [table, list] of Object.entries(rows)) {
        const puts = new Map<string, Database.Statement<Value[]>>()
        for (const row of list) {
          const names = Object.keys(row).join()
          const put = puts.get(names) ?? db.prepare<Value[]>(putting(table, names))
          puts.set(names, put)
          put.run(...Object.values(row))
        }
      }
    })()
    db.close()
  }
  return {
    dir,
    write,
    /** Puts rows into the database of tasks. */
    mind: (rows: Readonly<Record<string, Rows>>, tables: Tables = usualTables) =>
      fill('subconscious/subconscious.db', tables, rows),
    /** Puts rows into the database of sessions. */
    talk: (rows: Readonly<Record<string, Rows>>, tables: Tables = sessionTables) =>
      fill('orchestration/orchestration.db', tables, rows),
  }
}

const putting = (table: string, names: string): string =>
  `INSERT INTO ${table}(${names}) VALUES(${names.replace(/[^,]+/g, '?')})`

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Imports, and says for each kind how many were taken, there and refused. */
export async function importing({ runtime }: Pick<House, 'runtime'>, dir: string, dryRun = false) {
  const view = await runtime.imports.openhuman(dir, { dryRun })
  const counts = Object.fromEntries(
    view.kinds.map(({ kind, taken, there, refused }) => [kind, [taken, there, refused] as const]),
  )
  const told = (effect: string) =>
    view.findings.filter((one) => one.effect === effect).map(({ kind, text }) => `${kind}: ${text}`)
  return { ...view, counts, refused: told('refused'), changed: told('changed'), notes: told('note') }
}
