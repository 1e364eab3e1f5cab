import type { Chart, ChartEdge } from './chart.ts'
import { edgeText } from './wording.ts'

/** One arrow of a drawing: all transitions between the same two states, a line of text for each. */
export interface Arrow {
  from: string
  to: string
  lines: string[]
}

export interface Arrows {
  arrows: Arrow[]
  /**
   * By state: transitions that have no place as an arrow, because nothing changes or because one end contains the
   * other. What is listed for a composite holds in every state inside it.
   */
  listed: Map<string, string[]>
}

export const arrowsOf = (chart: Chart): Arrows => {
  const arrows = new Map<string, Arrow>()
  const listed = new Map<string, string[]>()
  const { keyOf, contains, isComposite } = family(chart)
  for (const edge of chart.edges) {
    if (edge.to === null || contains(edge.from, edge.to) || contains(edge.to, edge.from)) list(listed, edge, keyOf)
    else if (edge.from === edge.to && isComposite(edge.from)) list(listed, edge, keyOf)
    else draw(arrows, edge, edge.to)
  }
  return { arrows: [...arrows.values()], listed }
}

const list = (listed: Arrows['listed'], edge: ChartEdge, keyOf: (id: string) => string): void => {
  const line = edge.to === null ? edgeText(edge) : `${edgeText(edge)} → ${keyOf(edge.to)}`
  listed.set(edge.from, [...(listed.get(edge.from) ?? []), line])
}

const draw = (arrows: Map<string, Arrow>, edge: ChartEdge, to: string): void => {
  const name = JSON.stringify([edge.from, to])
  const arrow = arrows.get(name) ?? { from: edge.from, to, lines: [] }
  arrow.lines.push(edgeText(edge))
  arrows.set(name, arrow)
}

const family = (chart: Chart) => {
  const nodes = new Map(chart.nodes.map((node) => [node.id, node]))
  const parents = new Set(chart.nodes.map((node) => node.parent))
  const contains = (outer: string, inner: string): boolean => {
    const parent = nodes.get(inner)?.parent ?? null
    return parent !== null && (parent === outer || contains(outer, parent))
  }
  return { keyOf: (id: string) => nodes.get(id)?.key ?? id, contains, isComposite: (id: string) => parents.has(id) }
}
