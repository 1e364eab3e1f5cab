import type { Point } from './shapes.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for content and attributes; characters that it cannot hold there become the replacement character. */
export const xml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD')

/** A coordinate, to a tenth of a pixel. */
export const number = (value: number | undefined): string => String(Math.round((value ?? 0) * 10) / 10)

const cornerRadius = 7

/** The way along a wire, with rounded corners. */
export const pathOf = (points: Point[]): string => {
  const steps = points.map((corner, index) => {
    const before = points[index - 1]
    const after = points[index + 1]
    if (before === undefined) return `M${place(corner)}`
    if (after === undefined) return `L${place(corner)}`
    return `L${place(towards(corner, before))} Q${place(corner)} ${place(towards(corner, after))}`
  })
  return steps.join(' ')
}

/** The point on the way from a corner to its neighbour where the rounding ends. */
const towards = (corner: Point, neighbour: Point): Point => {
  const length = Math.hypot(neighbour.x - corner.x, neighbour.y - corner.y)
  const share = length === 0 ? 0 : Math.min(cornerRadius, length / 2) / length
  return { x: corner.x + (neighbour.x - corner.x) * share, y: corner.y + (neighbour.y - corner.y) * share }
}

const place = (point: Point): string => `${number(point.x)},${number(point.y)}`
