import { type DirectiveId, id } from '../../domain/ids.ts'
import { cutAtWord } from '../../profiles/steering.ts'
import type { ImportRun } from './import-run.ts'
import { type DirectiveThere, directives as shape } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned, hash } from './values.ts'

const longest = 900
const longestRead = 10_000
const usualExpiry = 20

/** Its number says little, since every workspace counts from 1; what it says and when does. */
const idFrom = ({ text, createdAt }: DirectiveThere): DirectiveId =>
  id<DirectiveId>(`directive_oh${hash(['directive', text, createdAt])}`)

/**
 * Takes directives over as ones that have ended. The one that held there was drawn from all sessions together, and what is
 * learned from one peer must not reach another: the user may let it hold.
 */
export async function importDirectives(run: ImportRun, db: SourceDb): Promise<void> {
  const { past, now } = run.parts
  const rows = [...rowsOf(db, shape, run.findings)]
  const byKey = new Map(rows.map((row) => [row.id, row]))
  await run.each(rows, (row, _turn, findings) => {
    const self = idFrom(row)
    if (past.hasDirective(self)) return findings.wasThere('directives')
    const { text: whole, changed } = cleaned(row.text.trim(), longestRead)
    const text = cutAtWord(whole, longest)
    if (text === '') return findings.refuse('directives', 'It says nothing.', row.id)
    const successor = row.supersededBy === null ? undefined : byKey.get(row.supersededBy)
    const createdAt = Math.min(row.createdAt, now)
    past.directive({
      id: self,
      text,
      createdCycle: 0,
      expiresAfter: Math.min(200, Math.max(1, Math.round(row.expiresAfter ?? usualExpiry))),
      createdAt,
      supersededBy: successor ? idFrom(successor) : null,
      endedAt: Math.min(now, Math.max(createdAt, successor?.createdAt ?? now)),
      revokedBy: successor ? null : 'import',
    })
    findings.took('directives')
    if (changed || text !== whole) findings.changed('directives', `Longer than ${longest} characters: cut.`, text)
    if (row.supersededBy === null) {
      const how =
        'It held there and does not hold here, since it was drawn from all sessions together. See undermind sessions steering.'
      findings.changed('directives', how, text)
    }
  })
}
