import { z } from 'zod'
import { columnsOf } from './columns.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { wrap, wrapBehind } from './wrap.ts'

const text = z.string()

export const Imported = z.looseObject({
  folder: text,
  dryRun: z.boolean(),
  kinds: z.array(z.looseObject({ kind: text, taken: z.number(), there: z.number(), refused: z.number() })),
  findings: z.array(z.looseObject({ kind: text, effect: text, text, count: z.number(), examples: z.array(text) })),
  unreadable: z.array(text),
})
export type Imported = z.infer<typeof Imported>

const nouns: Readonly<Record<string, string>> = { heartbeat: 'HEARTBEAT.md', worldDiff: 'world diff' }
const nounOf = (kind: string): string => nouns[kind] ?? kind

/** What was taken over, then everything that was not, or not as it was. */
export const importedLines = ({ kinds, findings, unreadable, dryRun }: Imported, page: Page): string[] => {
  const rows = kinds.map(({ kind, taken, there, refused }) => [nounOf(kind), ...[taken, there, refused].map(number)])
  const heads = ['', dryRun ? 'would be taken' : 'taken', 'here already', 'left out']
  const table = kinds.length === 0 ? wrap('Nothing was there to take.', page.columns) : columnsOf(heads, rows, page, 0)
  const problems = unreadable.flatMap((one) => wrapBehind('  ', printable(one), page.columns))
  const told = findings.flatMap((finding) => [
    ...wrapBehind('  ', sentenceOf(finding), page.columns),
    ...finding.examples.flatMap((example) => wrapBehind('    ', printableLine(example), page.columns)),
  ])
  return [
    ...table,
    ...(problems.length > 0 ? ['', page.paint('redBright', 'Could not be read:'), ...problems] : []),
    ...(told.length > 0 ? ['', 'Left out, or not as it was:', ...told] : []),
    ...(dryRun ? ['', 'Nothing was changed.'] : []),
  ]
}

const number = (value: number): string => value.toLocaleString('en')

const sentenceOf = ({ kind, count, text: why, effect }: Imported['findings'][number]): string => {
  const what =
    effect === 'note'
      ? nounOf(kind)
      : `${nounOf(kind)}, ${number(count)} ${effect === 'refused' ? 'left out' : 'taken'}`
  return printableLine(`${what}: ${why}`)
}
