import type { Arrow } from './arrows.ts'
import type { ChartNode } from './chart.ts'
import { labelRows } from './layout-graph.ts'
import { dotSize, inset, lineHeight, type Placed, type PlacedWire } from './shapes.ts'
import { number, pathOf, xml } from './svg-syntax.ts'
import { titleText } from './wording.ts'

/** How far the baseline of a line of text lies above its lower edge. */
const descent = 5

export const headingOf = (title: string, details: string[]): string[] => {
  const x = inset.picture
  const y = inset.picture + lineHeight.heading
  return [
    `<text class="heading" x="${x}" y="${y - 12}">${xml(title)}</text>`,
    ...details.map((line, index) => detail(line, x, y + (index + 1) * lineHeight.detail - descent)),
  ]
}

/** A state: its border, its title, and below a rule what it does and the transitions that have no arrow. */
export const stateOf = (node: ChartNode, path: string, box: Placed, details: string[], isRegion: boolean): string => {
  const { x = 0, y = 0, width = 0 } = box
  const ruleY = y + inset.y + lineHeight.title + inset.rule
  const textX = number(x + inset.x)
  return [
    `<g id="${xml(node.id)}" data-state="${xml(path)}" class="state ${node.kind}${isRegion ? ' region' : ''}" data-id="${xml(node.id)}">`,
    rectangle('box', box, 0),
    ...(node.kind === 'final' ? [rectangle('inner', box, 3)] : []),
    `<text class="title" x="${textX}" y="${number(y + inset.y + lineHeight.title - descent)}">${xml(titleText(node))}</text>`,
    ...(details.length === 0 ? [] : [rule(x, x + width, ruleY)]),
    ...details.map((line, index) => detail(line, x + inset.x, ruleY + (index + 1) * lineHeight.detail - descent + 3)),
    '</g>',
  ].join('')
}

export const dotAt = ({ x = 0, y = 0 }: Placed): string => {
  const radius = dotSize / 2
  return `<circle class="dot" cx="${number(x + radius)}" cy="${number(y + radius)}" r="${radius}"/>`
}

export const wireOf = (wire: PlacedWire, tip: string, isBackwards = false): string[] =>
  (wire.sections ?? []).map((section) => {
    const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
    return `<path class="wire" d="${pathOf(isBackwards ? points.reverse() : points)}" marker-end="url(#${tip})"/>`
  })

export const transitionOf = (arrow: Arrow, wire: PlacedWire, tip: string): string =>
  [
    `<g class="transition" data-from="${xml(arrow.from)}" data-to="${xml(arrow.to)}">`,
    ...wireOf(wire, tip, wire.sources[0] !== arrow.from),
    '</g>',
  ].join('')

export const labelOf = (arrow: Arrow, box: Placed): string => {
  const { x = 0, y = 0, width = 0, height = 0 } = box
  const middle = number(x + width / 2)
  const rows = labelRows(arrow)
  const top = y + (height - rows.length * lineHeight.label) / 2
  const spans = rows.map(
    (row, index) => `<tspan x="${middle}" y="${number(top + (index + 1) * lineHeight.label - 4)}">${xml(row)}</tspan>`,
  )
  return `<text class="label">${spans.join('')}</text>`
}

const rectangle = (name: string, { x = 0, y = 0, width = 0, height = 0 }: Placed, by: number): string => {
  const place = `x="${number(x + by)}" y="${number(y + by)}"`
  return `<rect class="${name}" ${place} width="${number(width - 2 * by)}" height="${number(height - 2 * by)}" rx="${9 - by}"/>`
}

const rule = (from: number, to: number, y: number): string =>
  `<line class="rule" x1="${number(from)}" x2="${number(to)}" y1="${number(y)}" y2="${number(y)}"/>`

const detail = (line: string, x: number, y: number): string =>
  `<text class="detail" x="${number(x)}" y="${number(y)}">${xml(line)}</text>`
