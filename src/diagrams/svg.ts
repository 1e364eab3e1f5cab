import { arrowsOf } from './arrows.ts'
import { type Chart, pathsOf } from './chart.ts'
import { detailsOf } from './details.ts'
import { dotOf, headingDetails, headingWidth, layoutGraph, wireId } from './layout-graph.ts'
import type { Layout, Picture, Placed, PlacedWire } from './shapes.ts'
import { dotAt, headingOf, labelOf, stateOf, transitionOf, wireOf } from './svg-parts.ts'
import { svgStyle } from './svg-style.ts'
import { number, xml } from './svg-syntax.ts'

/**
 * The chart as a picture that stands alone. A state is
 * `<g class="state" id="evaluation.inProgress.judging" data-state="inProgress.judging">`, an arrow
 * `<g class="transition" data-from="…" data-to="…">`. The same chart and layout always give the same text.
 */
export const toSvg = async (chart: Chart, layout: Layout): Promise<string> => {
  const arrows = arrowsOf(chart)
  const laid = await layout(layoutGraph(chart, arrows))
  const boxes = boxesOf(laid)
  const wires = wiresOf(laid)
  const tip = `tip-${chart.id.replace(/[^A-Za-z0-9]/g, '-')}`
  const paths = pathsOf(chart)
  const kinds = new Map(chart.nodes.map((node) => [node.id, node.kind]))

  const states = chart.nodes.flatMap((node) => {
    const box = boxes.get(node.id)
    const isRegion = node.parent !== null && kinds.get(node.parent) === 'parallel'
    return box === undefined ? [] : [stateOf(node, paths.get(node.id) ?? '', box, detailsOf(node, arrows), isRegion)]
  })
  const starts = chart.nodes.flatMap((node) => {
    const dot = boxes.get(dotOf(node))
    const wire = wires.get(dotOf(node))
    return dot === undefined || wire === undefined ? [] : [dotAt(dot), ...wireOf(wire, tip)]
  })
  const drawn = arrows.arrows.flatMap((arrow) => {
    const wire = wires.get(wireId(arrow))
    return wire === undefined ? [] : [{ arrow, wire }]
  })

  return [
    ...opening(chart, laid, tip, headingWidth(chart, arrows)),
    ...headingOf(chart.id, headingDetails(chart, arrows)),
    ...states,
    ...starts,
    ...drawn.map(({ arrow, wire }) => transitionOf(arrow, wire, tip)),
    // Last, so that no line runs over a text.
    ...drawn.flatMap(({ arrow, wire }) => wire.labels.map((box) => labelOf(arrow, box))),
    '</svg>',
    '',
  ].join('\n')
}

const opening = (chart: Chart, laid: Picture, tip: string, minimum: number): string[] => {
  const width = number(Math.max(laid.width ?? 0, minimum))
  const height = number(laid.height)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="state-chart" role="img" aria-label="${xml(`State chart of ${chart.id}`)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${svgStyle}</style>`,
    `<marker id="${tip}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0,1 L10,5 L0,9 z"/></marker>`,
    `<rect class="paper" width="${width}" height="${height}" rx="10"/>`,
  ]
}

const boxesOf = (picture: Picture): Map<string, Placed> => {
  const boxes = new Map<string, Placed>()
  const collect = (box: Placed): void => {
    if (box.id !== undefined) boxes.set(box.id, box)
    for (const child of box.children ?? []) collect(child)
  }
  for (const child of picture.children ?? []) collect(child)
  return boxes
}

const wiresOf = (picture: Picture): Map<string, PlacedWire> => new Map(picture.edges.map((wire) => [wire.id, wire]))
