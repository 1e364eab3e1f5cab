import { z } from 'zod'
import { count } from './numbers.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { when } from './times.ts'
import { wrapBehind } from './wrap.ts'

export const Directive = z.looseObject({
  id: z.string(),
  scope: z.string().nullable(),
  text: z.string(),
  state: z.string(),
  age: z.number(),
  expiresAfter: z.number(),
  rows: z.array(z.string()),
  createdAt: z.number(),
  revokedBy: z.string().nullish(),
})
export type Directive = z.infer<typeof Directive>
export const Directives = z.array(Directive)

const stateText = ({ state, revokedBy, age, expiresAfter }: Directive): string => {
  switch (state) {
    case 'current':
      return `holds for ${count(Math.max(0, expiresAfter - age), 'more cycle')}`
    case 'revoked':
      return `taken back${revokedBy ? ` by ${printableLine(revokedBy)}` : ''}`
    case 'superseded':
      return 'another took its place'
    default:
      return 'expired'
  }
}

/** A directive with all that a person needs to judge it: for whom, how old, from what. */
export const directiveLines = (directive: Directive, page: Page): string[] => {
  const { id, scope, text, age, rows, state, createdAt } = directive
  const whom = scope === null ? 'all sessions' : `sessions with ${printableLine(scope)}`
  const isCurrent = state === 'current'
  const head = `${printableLine(id)}, ${when(createdAt, page.now())}`
  return [
    isCurrent ? head : page.paint('gray', head),
    ...wrapBehind('  ', `For ${whom}; ${count(age, 'cycle')} old, ${stateText(directive)}.`, page.columns),
    ...wrapBehind('  ', printable(text), page.columns),
    ...wrapBehind('  ', `From ${rows.map(printableLine).join(', ') || 'nothing that is known'}.`, page.columns).map(
      (line) => page.paint('gray', line),
    ),
  ]
}
