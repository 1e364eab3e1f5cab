import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { chartOf } from '../../src/diagrams/chart.ts'
import type { Layout, Placed, StateBox } from '../../src/diagrams/shapes.ts'
import { toSvg } from '../../src/diagrams/svg.ts'
import { anyChart } from './any-chart.ts'
import { layout } from './elk.ts'
import { awkward, leaf, sample } from './sample.ts'

/** What an XML parser would complain of, as far as these pictures use XML. */
const complaints = (svg: string): string[] => {
  const found: string[] = []
  const open: string[] = []
  for (const [whole, tag, content] of svg.matchAll(/(<[^>]*>)|([^<]+)/g)) {
    if (content !== undefined && /&(?!(amp|lt|gt|quot);)|[\p{Cs}\uFFFE\uFFFF]/u.test(content))
      found.push(`text ${content}`)
    if (tag === undefined) continue
    const [, close, name, self] =
      /^<(\/?)([a-z]+)(?: [a-zA-Z0-9-]+="(?:[^"<&\p{Cc}\p{Cs}]|&(?:amp|lt|gt|quot);)*")*(\/?)>$/u.exec(tag) ?? []
    if (name === undefined) found.push(`tag ${whole}`)
    else if (close) {
      if (open.pop() !== name) found.push(`closes ${name}`)
    } else if (!self) open.push(name)
  }
  return [...found, ...open.map((name) => `leaves ${name} open`)]
}

/** Puts everything at the origin, so that many charts can be drawn in little time. */
const flat: Layout = async (graph) => {
  const place = (box: StateBox): Placed => ({
    ...box,
    x: 0,
    y: 0,
    ...(box.children && { children: box.children.map(place) }),
  })
  const straight = [
    {
      startPoint: { x: 0, y: 0 },
      bendPoints: [
        { x: 0, y: 0 },
        { x: 0, y: 9 },
      ],
      endPoint: { x: 9, y: 9 },
    },
  ]
  return { ...place(graph), edges: graph.edges.map((wire) => ({ ...wire, sections: straight })) }
}

interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

const rectangleOf = (svg: string, id: string): Rectangle => {
  const found = new RegExp(
    `data-id="${id}"><rect class="box" x="([\\d.]+)" y="([\\d.]+)" width="([\\d.]+)" height="([\\d.]+)"`,
  ).exec(svg)
  const [x, y, width, height] = (found ?? []).slice(1).map(Number)
  if (x === undefined || y === undefined || width === undefined || height === undefined)
    throw new Error(`No box of ${id}`)
  return { left: x, top: y, right: x + width, bottom: y + height }
}

const isInside = (inner: Rectangle, outer: Rectangle): boolean =>
  inner.left > outer.left && inner.top > outer.top && inner.right < outer.right && inner.bottom < outer.bottom

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The last point of the arrow between two states. */
const tipOf = (svg: string, from: string, to: string): { x: number; y: number } => {
  const path = new RegExp(`data-from="${from}" data-to="${to}"><path class="wire" d="([^"]*)"`).exec(svg)?.[1]
  const [, x, y] = /L([\d.]+),([\d.]+)$/.exec(path ?? '') ?? []
  return { x: Number(x), y: Number(y) }
}

describe('a chart as a picture', async () => {
  const chart = chartOf(sample)
  const svg = await toSvg(chart, layout)

  it('marks every state below the machine by its id and kind, for a page to light up', () => {
    const states = [...svg.matchAll(/ class="state ([a-z ]+)" data-id="([^"]+)">/g)].map(([, kind, id]) => [id, kind])
    expect(states).toEqual(chart.nodes.slice(1).map((node) => [node.id, node.kind]))
  })

  it('draws states inside the composite that holds them and apart from each other', () => {
    const leaves = chart.nodes.filter((node) => node.kind !== 'compound')
    for (const a of leaves)
      for (const b of leaves) if (a !== b) expect(overlap(rectangleOf(svg, a.id), rectangleOf(svg, b.id))).toBe(false)
    const composite = rectangleOf(svg, 'evaluation.inProgress')
    for (const leaf of leaves)
      expect(isInside(rectangleOf(svg, leaf.id), composite)).toBe(leaf.parent === 'evaluation.inProgress')
  })

  it('draws ends with a double border and nothing else so', () => {
    const ends = [...svg.matchAll(/data-id="([^"]+)"><rect class="box"[^>]*><rect class="inner"/g)].map(
      (match) => match[1],
    )
    expect(ends).toEqual(chart.nodes.filter((node) => node.kind === 'final').map((node) => node.id))
  })

  it('draws a dot for the start of the machine and of each composite', () => {
    expect(svg.match(/<circle class="dot"/g)).toHaveLength(2)
  })

  it('leads every arrow to its target, those that go back too', () => {
    for (const [from, to] of [
      ['evaluation.inProgress.judging', 'evaluation.inProgress.executing'],
      ['evaluation.awaitingApproval', 'evaluation.inProgress'],
    ] as const) {
      const tip = tipOf(svg, from, to)
      const { left, top, right, bottom } = rectangleOf(svg, to)
      expect(tip.x).toBeGreaterThanOrEqual(left)
      expect(tip.x).toBeLessThanOrEqual(right)
      expect([top, bottom]).toContainEqual(expect.closeTo(tip.y, 0))
    }
  })

  it('reads from top to bottom in the order of the chart', async () => {
    const loop = createMachine({
      id: 'loop',
      initial: 'work',
      states: {
        work: {
          initial: 'first',
          states: { first: { on: { on: 'second', out: '#loop.rest' } }, second: { on: { back: 'first' } } },
        },
        rest: { on: { again: 'work.second' } },
      },
    })
    const drawn = await toSvg(chartOf(loop), layout)
    expect(rectangleOf(drawn, 'loop.work.first').bottom).toBeLessThan(rectangleOf(drawn, 'loop.work.second').top)
    expect(rectangleOf(drawn, 'loop.work').bottom).toBeLessThan(rectangleOf(drawn, 'loop.rest').top)
  })

  it('writes labels over the lines, with a halo, breaking long ones before guard and deeds', () => {
    expect(svg.lastIndexOf('class="wire"')).toBeLessThan(svg.indexOf('class="label"'))
    expect(svg).toMatch(/\.label \{[^}]*paint-order: stroke;/)
    const approve = svg.split('<text class="label">').find((label) => label.includes('approve')) ?? ''
    expect([...approve.matchAll(/<tspan[^>]*>([^<]*)</g)].map((match) => match[1])).toEqual([
      'approve',
      '[digestMatches and not isExpired]',
      '/ tell',
    ])
  })

  it('lists what has no arrow where it holds', () => {
    expect(svg).toContain('>from any state: cancel [mayStop] / tell → cancelled</text>')
    expect(svg).toMatch(/data-id="evaluation\.inProgress">.*>again → judging<\/text><\/g>/)
    expect(svg).toMatch(/data-id="evaluation\.awaitingApproval">.*>entry \/ showCard<\/text>/)
  })

  it('makes room for its heading', async () => {
    const drawn = await toSvg(
      { ...chart, id: 'a very long name that is longer than everything below it'.repeat(3) },
      layout,
    )
    expect(Number(/viewBox="0 0 ([\d.]+)/.exec(drawn)?.[1])).toBeGreaterThan(1200)
  })

  it('follows the colour scheme of the reader and keeps its styles to itself', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)')
    const rules = /<style>([^<]*)<\/style>/.exec(svg)?.[1] ?? ''
    const selectors = [...rules.replace(/@media[^{]*\{/, '').matchAll(/([^{}]+)\{/g)].map((match) => match[1] ?? '')
    expect(selectors.length).toBeGreaterThan(10)
    for (const selector of selectors.flatMap((list) => list.split(',')))
      expect(selector.trim()).toMatch(/^\.state-chart( |$)/)
  })

  it('is the same text each time', async () => {
    expect(await toSvg(chartOf(sample), layout)).toBe(svg)
  })

  it('draws regions, histories, and a machine that is one state', async () => {
    const regions = await toSvg(chartOf(awkward), layout)
    expect(regions.match(/ class="state (compound|parallel|atomic) region"/g)).toHaveLength(6)
    expect(regions).toContain('>H*</text>')
    expect(await toSvg(chartOf(leaf), layout)).toMatch(/data-id="leaf">.*>go \/ run<\/text>/)
  })

  it.each([
    ['the sample', sample],
    ['awkward names', awkward],
    ['a single state', leaf],
  ])('is well-formed with %s', async (_, machine) => {
    expect(complaints(await toSvg(chartOf(machine), layout))).toEqual([])
  })

  it('is well-formed whatever the chart', async () => {
    const property = fc.asyncProperty(anyChart, async (any) => {
      expect(complaints(await toSvg(any, flat))).toEqual([])
    })
    await fc.assert(property)
  })

  it('can be laid out whatever the chart', async () => {
    const property = fc.asyncProperty(anyChart, async (any) => {
      const drawn = await toSvg(any, layout)
      expect(complaints(drawn)).toEqual([])
      expect(drawn).not.toContain('NaN')
    })
    await fc.assert(property, { numRuns: 10 })
  })

  it('is judged by a reader that does complain', () => {
    for (const bad of ['<g>', '<g></text>', '<g a="<"/>', '<g>&</g>', '<g a="&x"/>', '<g a="\u0000"/>'])
      expect(complaints(bad)).not.toEqual([])
  })
})
