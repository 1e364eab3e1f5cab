import { Fault } from '../../domain/errors.ts'
import type { ImportView } from '../../rpc/imports.ts'
import { pastStore } from '../../store/past.ts'
import { importDiffs, importHistory } from './cycles.ts'
import { importDirectives } from './directives.ts'
import { importEscalations } from './escalations.ts'
import { importHeartbeat } from './heartbeat.ts'
import { ImportRun } from './import-run.ts'
import type { ImportsParts } from './imports.ts'
import { importLog } from './log.ts'
import { importMessages, importSessions } from './sessions.ts'
import * as shapes from './shapes.ts'
import { openSourceDb, type SourceDb } from './source-db.ts'
import { importState } from './state.ts'
import { tableOf } from './table.ts'
import { importTasks } from './tasks.ts'
import { idsFrom } from './values.ts'

export interface OpenHumanOrder {
  /** Its real path. */
  folder: string
  dryRun: boolean
  onTotal(rows: number): void
  onRows(rows: number): void
}

type Step = (run: ImportRun, db: SourceDb) => Promise<void>

const databases = [
  {
    path: ['subconscious', 'subconscious.db'],
    kind: 'tasks',
    known: [shapes.tasks, shapes.log, shapes.escalations, shapes.numbers, shapes.texts],
    steps: [importTasks, importLog, importEscalations, importState],
  },
  {
    path: ['orchestration', 'orchestration.db'],
    kind: 'sessions',
    known: [shapes.sessions, shapes.messages, shapes.history, shapes.diffs, shapes.directives],
    steps: [importSessions, importMessages, importHistory, importDiffs, importDirectives],
  },
] as const

type Part = (typeof databases)[number]

/** Takes over the workspace of an OpenHuman, and says what it could not take. */
export async function importOpenHuman(parts: ImportsParts, order: OpenHumanOrder): Promise<ImportView> {
  const { folder, dryRun } = order
  const { heartbeatTasks: tasks, heartbeatFile: file, assertTrusted } = parts
  const run = new ImportRun({
    ...parts,
    past: pastStore(parts.store),
    dryRun,
    ids: idsFrom(folder),
    now: parts.clock.now(),
    onRows: order.onRows,
  })
  const unreadable: string[] = []
  let found = await importHeartbeat(run, folder, { file, tasks, assertTrusted })
  const opened: { part: Part; db: SourceDb }[] = []
  try {
    for (const part of databases) {
      const source = await openSourceDb(folder, part.path)
      if (source.kind !== 'absent') found = true
      if (source.kind === 'refused') unreadable.push(`${part.path.join('/')} ${source.why}.`)
      if (source.kind === 'open') opened.push({ part, db: source.db })
    }
    if (!found) throw nothing(folder)
    order.onTotal(opened.reduce((sum, { part, db }) => sum + rowsIn(part, db), 0))
    for (const { part, db } of opened) {
      for (const step of part.steps as readonly Step[]) await step(run, db)
      tellStrangers(run, part, db)
    }
  } finally {
    for (const { db } of opened) db[Symbol.dispose]()
  }
  return { folder, dryRun, ...run.findings.view(), unreadable }
}

const tablesOf = ({ known }: Part, db: SourceDb): string[] => known.flatMap((shape) => tableOf(db, shape) ?? [])

const rowsIn = (part: Part, db: SourceDb): number => tablesOf(part, db).reduce((sum, table) => sum + db.count(table), 0)

function tellStrangers(run: ImportRun, part: Part, db: SourceDb): void {
  const known = tablesOf(part, db)
  for (const table of db.tables.filter((name) => !known.includes(name))) {
    const rows = db.count(table)
    if (rows > 0) run.findings.note(part.kind, `The table ${table} has no place here; its rows were left out: ${rows}.`)
  }
}

const nothing = (folder: string): Fault =>
  Fault.use(
    'import/nothing-there',
    `${folder} is no workspace of an OpenHuman: it has no subconscious/subconscious.db, orchestration/orchestration.db or HEARTBEAT.md. Name the folder that holds one of these.`,
    { folder },
  )
