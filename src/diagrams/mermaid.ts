import { type Arrow, type Arrows, arrowsOf } from './arrows.ts'
import type { Chart, ChartNode } from './chart.ts'
import { detailsOf } from './details.ts'
import { type MermaidIds, mermaidIds, mermaidText } from './mermaid-syntax.ts'
import { titleText } from './wording.ts'

/** The chart as a Mermaid `stateDiagram-v2`; the same chart always gives the same text. */
export const toMermaid = (chart: Chart): string => {
  const sketch = { chart, ...arrowsOf(chart), ids: mermaidIds(chart.nodes.map((node) => node.id)) }
  const roots = chart.nodes.filter((node) => node.parent === null)
  const lines = [
    'stateDiagram-v2',
    `%% Drawn from the chart "${mermaidText(chart.id)}"; do not edit.`,
    // A machine without states still has something to show: itself.
    ...roots.flatMap((root) => (isComposite(root, sketch) ? insideOf(root, sketch) : stateLines(root, sketch))),
    // Outside all states: of those inside, Mermaid fails on some that enter a nested state.
    ...sketch.arrows.map((arrow) => arrowLine(arrow, sketch.ids)),
  ]
  return `${lines.join('\n')}\n`
}

interface Sketch extends Arrows {
  chart: Chart
  ids: MermaidIds
}

const insideOf = (composite: ChartNode, sketch: Sketch): string[] => {
  const { ids } = sketch
  const children = childrenOf(composite, sketch)
  const divider = isDivided(composite, sketch) ? ['--'] : []
  return [
    ...(composite.initial === null ? [] : [`[*] --> ${ids(composite.initial)}`]),
    ...children.flatMap((child, index) => [
      ...(index > 0 ? divider : []),
      ...stateLines(child, sketch),
      ...noteLines(child, sketch),
    ]),
    ...children.filter((child) => child.kind === 'final').map((end) => `${ids(end.id)} --> [*]`),
  ]
}

/** Mermaid divides only states into regions, not the whole, and fails when something leads from one region to another. */
const isDivided = (composite: ChartNode, sketch: Sketch): boolean =>
  composite.kind === 'parallel' &&
  composite.parent !== null &&
  childrenOf(composite, sketch).every((child) => child.kind !== 'final') &&
  sketch.arrows.every((arrow) => homeOf(arrow, sketch) !== composite.id)

const stateLines = (node: ChartNode, sketch: Sketch): string[] => {
  const id = sketch.ids(node.id)
  if (isComposite(node, sketch)) {
    const inside = insideOf(node, sketch).map((line) => `  ${line}`)
    return [`state "${mermaidText(titleText(node))}" as ${id} {`, ...inside, '}']
  }
  const texts = [titleText(node), ...detailsOf(node, sketch)]
  return texts.map((text) => `${id}: ${mermaidText(text)}`)
}

const arrowLine = ({ from, to, lines }: Arrow, ids: MermaidIds): string =>
  `${ids(from)} --> ${ids(to)}: ${lines.map(mermaidText).join('<br>')}`

/**
 * Mermaid shows no description of a composite, and fails on some notes beside one, so what holds everywhere inside it
 * stands in a note beside its first state. A state may be the first of several, but has one note.
 */
const noteLines = (node: ChartNode, sketch: Sketch): string[] => {
  if (isComposite(node, sketch)) return []
  const texts = firstOf(node, sketch).flatMap((composite) => {
    const where = composite.parent === null ? 'from any state' : `in ${titleText(composite)}`
    return detailsOf(composite, sketch, `${where}: `)
  })
  const lines = texts.map((text) => `  ${mermaidText(text)}`)
  return lines.length === 0 ? [] : [`note right of ${sketch.ids(node.id)}`, ...lines, 'end note']
}

/** The composites, outermost first, that begin with this state. */
const firstOf = (node: ChartNode, sketch: Sketch): ChartNode[] => {
  const parent = sketch.chart.nodes.find((other) => other.id === node.parent)
  return parent === undefined || childrenOf(parent, sketch)[0] !== node ? [] : [...firstOf(parent, sketch), parent]
}

const childrenOf = (node: ChartNode, { chart }: Sketch): ChartNode[] =>
  chart.nodes.filter((child) => child.parent === node.id)

const isComposite = (node: ChartNode, sketch: Sketch): boolean => childrenOf(node, sketch).length > 0

/** The innermost composite that holds both ends. */
const homeOf = ({ from, to }: Arrow, sketch: Sketch): string | undefined => {
  const around = ancestorsOf(to, sketch)
  return ancestorsOf(from, sketch).find((id) => around.includes(id))
}

const ancestorsOf = (id: string, sketch: Sketch): string[] => {
  const parent = sketch.chart.nodes.find((node) => node.id === id)?.parent ?? null
  return parent === null ? [] : [parent, ...ancestorsOf(parent, sketch)]
}
