import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { displayWidth, padTo } from './width.ts'
import { wrap } from './wrap.ts'

/** A name and what there is to say under it. */
export interface Fact {
  name: string
  text: string
  isTrouble?: boolean
}

const usualWidth = 12
const widest = 24

/** Facts one below the other, their texts in a column of their own. */
export const factLines = (facts: readonly Fact[], { paint, columns }: Pick<Page, 'paint' | 'columns'>): string[] => {
  const named = facts.map((fact) => ({ ...fact, name: printableLine(fact.name) }))
  const width = 2 + Math.min(widest, Math.max(usualWidth, ...named.map(({ name }) => displayWidth(name))))
  return named.flatMap(({ name, text, isTrouble = false }) => {
    const head = paint(isTrouble ? 'redBright' : 'gray', padTo(name, width - 2))
    return wrap(printable(text), columns - width).map((line, index) =>
      index === 0 ? `${head}  ${line}` : ' '.repeat(width) + line,
    )
  })
}
