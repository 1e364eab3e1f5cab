import type { Page } from './page.ts'
import { printableLine } from './printable.ts'
import { cells, graphemes } from './width.ts'

/** An actor as the tree shows it. */
export interface TreeActor {
  id: string
  kind: string
  parent: string | null
  state: string
  title: string | null
}

/** Brothers and sisters of one kind that are shown one by one; the rest is counted by their states. */
const mostShown = 12

/** Live actors below each other, a line each. An actor whose parent is not among them stands at the top. */
export const treeLines = (actors: readonly TreeActor[], page: Page): string[] => {
  const known = new Set(actors.map(({ id }) => id))
  const children = new Map<string | null, TreeActor[]>()
  for (const actor of actors) {
    const parent = actor.parent !== null && known.has(actor.parent) ? actor.parent : null
    children.set(parent, [...(children.get(parent) ?? []), actor])
  }
  const below = (parent: string | null, indent: string): string[] =>
    [...groupedByKind(children.get(parent) ?? [])].flatMap((group) => [
      ...group
        .slice(0, mostShown)
        .flatMap((actor) => [cut(actorLine(actor, indent, page), page), ...below(actor.id, `${indent}  `)]),
      ...(group.length > mostShown ? [cut(restLine(group.slice(mostShown), indent, page), page)] : []),
    ])
  return below(null, '')
}

const groupedByKind = (actors: readonly TreeActor[]): Iterable<TreeActor[]> => {
  const groups = new Map<string, TreeActor[]>()
  for (const actor of actors) groups.set(actor.kind, [...(groups.get(actor.kind) ?? []), actor])
  return groups.values()
}

const actorLine = ({ id, kind, state, title }: TreeActor, indent: string, { paint }: Page): string => {
  const name = printableLine(title ?? id)
  const also = title === null ? '' : `  ${paint('gray', printableLine(id))}`
  return `${indent}${paint('gray', kind)} ${paint('green', printableLine(state))}  ${name}${also}`
}

const restLine = (rest: readonly TreeActor[], indent: string, { paint }: Page): string => {
  const states = new Map<string, number>()
  for (const { state } of rest) states.set(state, (states.get(state) ?? 0) + 1)
  const counts = [...states].map(([state, count]) => `${count} ${printableLine(state)}`).join(', ')
  return `${indent}${paint('gray', `… and ${rest.length} more: ${counts}`)}`
}

const esc = String.fromCharCode(27)
const part = new RegExp(`${esc}\\[[0-9;]*m|[^${esc}]+`, 'g')

/** A line no wider than the page, its colours whole. */
const cut = (line: string, { columns }: Page): string => {
  let room = columns
  return (line.match(part) ?? [])
    .map((text) => {
      if (text.startsWith(esc)) return text
      let fits = ''
      for (const one of graphemes(text)) {
        room -= cells(one)
        if (room < 0) break
        fits += one
      }
      return fits
    })
    .join('')
}
