import type { Arrow, Arrows } from './arrows.ts'
import type { Chart, ChartNode } from './chart.ts'
import { detailsOf } from './details.ts'
import { dotSize, fontSize, inset, type LayoutGraph, lineHeight, type StateBox, type Wire } from './shapes.ts'
import { textWidth } from './text-width.ts'
import { titleText } from './wording.ts'

/** Id of the dot that points at the first state of a composite, and of the wire between them. */
export const dotOf = (composite: ChartNode): string => JSON.stringify([composite.id])

const rowLength = 26

/** What stands at an arrow: long lines are broken before their guard and before their actions. */
export const labelRows = ({ lines }: Arrow): string[] =>
  lines.flatMap((line) => {
    const rows: string[] = []
    for (const part of line.split(/ (?=\[|\/ )/)) {
      const row = rows.at(-1)
      if (row === undefined || row.length + part.length >= rowLength) rows.push(part)
      else rows[rows.length - 1] = `${row} ${part}`
    }
    return rows
  })

/** Height of a box's title and details, its border included. */
export const textHeight = (details: string[]): number =>
  2 * inset.y + lineHeight.title + (details.length === 0 ? 0 : 2 * inset.rule + details.length * lineHeight.detail)

/** What holds in the whole machine; stands below its name. */
export const headingDetails = (chart: Chart, arrows: Arrows): string[] =>
  chart.nodes.length === 1
    ? []
    : chart.nodes.filter((node) => node.parent === null).flatMap((root) => detailsOf(root, arrows, 'from any state: '))

export const headingWidth = (chart: Chart, arrows: Arrows): number => {
  const details = headingDetails(chart, arrows).map((line) => textWidth(line, fontSize.detail))
  return 2 * inset.picture + Math.max(textWidth(chart.id, fontSize.heading * boldness), ...details)
}

/** The chart as boxes and wires with sizes but without places. */
export const layoutGraph = (chart: Chart, arrows: Arrows): LayoutGraph => {
  const roots = chart.nodes.filter((node) => node.parent === null)
  const inside = chart.nodes.filter((node) => roots.some((root) => root.id === node.parent))
  // A machine without states still has something to show: itself.
  const shown = inside.length === 0 ? roots : inside
  const top = inset.picture * 2 + lineHeight.heading + headingDetails(chart, arrows).length * lineHeight.detail
  return {
    id: 'picture',
    width: 0,
    height: 0,
    children: [...shown.map((node) => stateBox(node, chart, arrows)), ...roots.flatMap(dotBoxes)],
    edges: [...arrows.arrows.map((arrow) => wire(arrow, chart)), ...chart.nodes.flatMap(dotWires)],
    layoutOptions: { ...pictureOptions, 'elk.padding': padding(top, inset.picture) },
  }
}

const stateBox = (node: ChartNode, chart: Chart, arrows: Arrows): StateBox => {
  const details = detailsOf(node, arrows)
  const title = textWidth(titleText(node), fontSize.title * boldness)
  const width = 2 * inset.x + Math.max(title, ...details.map((line) => textWidth(line, fontSize.detail)), 40)
  const height = textHeight(details)
  const children = childrenOf(node, chart)
  if (children.length === 0) {
    // An end that no arrow leads to would be put beside the start.
    const isLoose = node.kind === 'final' && arrows.arrows.every((arrow) => arrow.to !== node.id)
    return { id: node.id, width, height, ...(isLoose ? { layoutOptions: atTheEnd } : {}) }
  }
  return {
    id: node.id,
    width,
    height,
    children: [...children.map((child) => stateBox(child, chart, arrows)), ...dotBoxes(node)],
    layoutOptions: {
      'elk.padding': padding(height + inset.composite, inset.composite),
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height})`,
    },
  }
}

export const wireId = ({ from, to }: Arrow): string => JSON.stringify([from, to])

/**
 * All wires run down the order in which the chart names its states, those of arrows that lead back too, so that the
 * picture reads in that order. Left to itself ELK breaks cycles anywhere once states are nested.
 */
const wire = (arrow: Arrow, chart: Chart): Wire => {
  const place = (id: string) => chart.nodes.findIndex((node) => node.id === id)
  const [upper, lower] = place(arrow.from) <= place(arrow.to) ? [arrow.from, arrow.to] : [arrow.to, arrow.from]
  return { id: wireId(arrow), sources: [upper], targets: [lower], labels: [labelBox(arrow)] }
}

const labelBox = (arrow: Arrow): Wire['labels'][number] => {
  const rows = labelRows(arrow)
  return {
    id: JSON.stringify([arrow.from, arrow.to, 'label']),
    text: rows.join(' '),
    width: Math.max(...rows.map((row) => textWidth(row, fontSize.label))) + 12,
    height: rows.length * lineHeight.label + 6,
    layoutOptions: { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' },
  }
}

const dotBoxes = (composite: ChartNode): StateBox[] =>
  composite.initial === null
    ? []
    : [{ id: dotOf(composite), width: dotSize, height: dotSize, layoutOptions: atTheStart }]

const dotWires = (composite: ChartNode): Wire[] =>
  composite.initial === null
    ? []
    : [{ id: dotOf(composite), sources: [dotOf(composite)], targets: [composite.initial], labels: [] }]

const childrenOf = (node: ChartNode, chart: Chart): ChartNode[] =>
  chart.nodes.filter((child) => child.parent === node.id)

const padding = (top: number, sides: number): string => `[top=${top},left=${sides},bottom=${sides},right=${sides}]`

/** How much wider bold text is. */
const boldness = 1.18

const atTheStart = { 'elk.layered.layering.layerConstraint': 'FIRST' }
const atTheEnd = { 'elk.layered.layering.layerConstraint': 'LAST' }

const pictureOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '34',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
}
