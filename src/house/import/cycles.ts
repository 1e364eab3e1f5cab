import { type CycleId, id } from '../../domain/ids.ts'
import { oneLine } from '../../memory/cut.ts'
import { countTokens } from '../../memory/tokens.ts'
import type { ImportRun } from './import-run.ts'
import { sessionFor } from './sessions.ts'
import { diffs as diffShape, history as historyShape } from './shapes.ts'
import type { SourceDb } from './source-db.ts'
import { rowsOf } from './table.ts'
import { cleaned, hash } from './values.ts'

interface CycleOf {
  agent: string
  session: string
  cycle: string
}

/** Cycles are counted per session there, so that their names alone could be anybody's. */
const cycleFrom = ({ agent, session, cycle }: CycleOf): CycleId =>
  id<CycleId>(`cycle_oh${hash(['cycle', agent, session, cycle])}`)

const longestSummary = 20_000
const longestChange = 4000
const longestSignature = 300

/** Takes over what cycles have left. No review reads it: it was there to be read where it came about. */
export async function importHistory(run: ImportRun, db: SourceDb): Promise<void> {
  const { past, stores, now } = run.parts
  await run.each(rowsOf(db, historyShape, run.findings), (row, _turn, findings) => {
    const at = Math.min(row.createdAt, now)
    const cycle = cycleFrom(row)
    if (stores.cycles.summary(cycle)) return findings.wasThere('history')
    const place = sessionFor(run, row, at)
    if (typeof place === 'string') return findings.refuse('history', place, `${row.agent}/${row.session}`)
    const { self, key } = place
    const { text, changed } = cleaned(row.text, longestSummary)
    if (text.trim() === '') return findings.refuse('history', 'It says nothing.', row.cycle)
    const tokens = countTokens(text)
    const traceTokens = Math.max(tokens, Math.min(1e9, Math.round(row.inputTokens ?? 0)))
    const number = past.cycles(self) + 1
    past.cycle({ id: cycle, session: self, agent: key.agent, number, summary: text, traceTokens, tokens, at })
    findings.took('history')
    if (changed) findings.changed('history', changed)
  })
}

export async function importDiffs(run: ImportRun, db: SourceDb): Promise<void> {
  const { past, stores, now } = run.parts
  await run.each(rowsOf(db, diffShape, run.findings), (row, _turn, findings) => {
    const at = Math.min(row.at, now)
    const cycle = cycleFrom(row)
    if (stores.cycles.diff(cycle)) return findings.wasThere('worldDiff')
    const place = sessionFor(run, row, at)
    if (typeof place === 'string') return findings.refuse('worldDiff', place, `${row.agent}/${row.session}`)
    const { self, key } = place
    const { text: change, changed } = cleaned(row.change, longestChange)
    const signature = oneLine(row.signature, longestSignature)
    past.diff({ cycle, session: self, agent: key.agent, signature, change, delta: figuresOf(row.delta), at })
    findings.took('worldDiff')
    if (changed) findings.changed('worldDiff', changed)
  })
}

/** JSON here; there it may be words. */
function figuresOf(delta: string | null): string {
  const { text } = cleaned(delta ?? '', longestChange)
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return JSON.stringify(text === '' ? {} : { text })
  }
}
