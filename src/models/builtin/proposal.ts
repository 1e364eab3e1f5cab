import type { Priority, Proposal } from '../../domain/escalation.ts'
import { sourceOf } from './answer.ts'
import type { FixedWords } from './fixed-words.ts'
import type { Note } from './notes.ts'
import type { Plan } from './plan.ts'
import { cut, visible } from './quote.ts'
import { isoDay } from './zone.ts'

const longestSummary = 300
const byWeight: readonly Priority[] = ['critical', 'important', 'normal']

/** The one kind of action that the built-in model proposes: lines for AGENDA.md, each a date and a quote with its place. */
export function proposalOf({ notes, agenda, scene }: Plan, say: FixedWords): Proposal {
  const lines = notes.map(
    ({ day, quote, finding }) =>
      `- ${isoDay(day)}: "${quote.text}"${quote.whole ? '' : ' …'} (${visible(finding.item.change.key)})\n`,
  )
  return {
    title: say.noteTitle(daysOf(notes, scene.now.year, say)),
    summary: cut(`${say.noteSummary} ${notes.map(({ quote }) => `"${quote.text}"`).join(', ')}`, longestSummary),
    priority: byWeight.find((weight) => notes.some(({ priority }) => priority === weight)) ?? 'normal',
    calls: [
      {
        tool: 'append_file',
        arguments: { path: 'AGENDA.md', text: `${agenda?.endsInMidLine ? '\n' : ''}${lines.join('')}` },
      },
    ],
    provenance: notes.map(({ finding, line }) => sourceOf(finding, line)),
  }
}

/** The dates of notes in words, each once. */
export function daysOf(notes: readonly Note[], thisYear: number, say: FixedWords): string[] {
  const days = new Set(notes.map(({ day }) => day))
  return [...days].map((number) => {
    const [year, month, day] = isoDay(number).split('-').map(Number) as [number, number, number]
    return say.day(day, month, year === thisYear ? null : year)
  })
}
