import type { z } from 'zod'
import type { ImportKind } from '../../rpc/imports.ts'
import type { Findings } from './findings.ts'
import type { SourceDb } from './source-db.ts'

/** A table of there: names it may have, and for each column of ours the names that it may have. */
export interface Shape<Row extends z.ZodObject> {
  kind: ImportKind
  tables: readonly string[]
  columns: { [Name in keyof Row['shape']]: readonly string[] }
  /** Without these the table says nothing. */
  needed: readonly (keyof Row['shape'] & string)[]
  /** By which of ours the rows are read. */
  order: readonly (keyof Row['shape'] & string)[]
  row: Row
}

/** The rows of a table that can be read; what cannot is told, and so is what has no place here. */
export function* rowsOf<Row extends z.ZodObject>(
  db: SourceDb,
  shape: Shape<Row>,
  findings: Findings,
): Iterable<z.output<Row>> {
  const table = tableOf(db, shape)
  if (table === undefined) return findings.note(shape.kind, `There is no table ${shape.tables[0]}.`)
  const columns = columnsOf(db.columns(table), shape.columns)
  const missing = shape.needed.filter((name) => columns[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map((name) => shape.columns[name][0]).join(', ')
    return findings.refuse(shape.kind, `The table ${table} has no column ${names}.`, undefined, db.count(table))
  }
  for (const name of db.columns(table)) {
    if (!Object.values(columns).includes(name))
      findings.note(shape.kind, `The column ${name} of ${table} has no place here.`)
  }
  const order = shape.order.filter((name) => columns[name] !== undefined)
  for (const given of db.rows(table, columns, order)) {
    const read = shape.row.safeParse(given)
    if (read.success) yield read.data
    else findings.refuse(shape.kind, whatIsWrong(read.error, shape), nameOf(given))
  }
}

export const tableOf = (db: SourceDb, shape: Pick<Shape<z.ZodObject>, 'tables'>): string | undefined =>
  shape.tables.find((name) => db.tables.includes(name))

function columnsOf(there: readonly string[], wanted: Readonly<Record<string, readonly string[]>>) {
  const found: Record<string, string> = {}
  for (const [name, candidates] of Object.entries(wanted)) {
    const column = candidates.find((candidate) => there.includes(candidate))
    if (column !== undefined) found[name] = column
  }
  return found
}

function whatIsWrong(error: z.ZodError, { columns }: Pick<Shape<z.ZodObject>, 'columns'>): string {
  const [issue] = error.issues
  const name = String(issue?.path[0] ?? '')
  const column = Object.hasOwn(columns, name) ? columns[name]?.[0] : undefined
  return `Its ${column ?? 'row'} is not as expected: ${issue?.message ?? 'it cannot be read'}.`
}

const nameOf = ({ title, id }: Record<string, unknown>): string | undefined =>
  [title, id].find((one): one is string => typeof one === 'string' && one !== '')
