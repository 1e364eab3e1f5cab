export interface Point {
  x: number
  y: number
}

/** A rectangle that wants a place. */
export interface Box {
  id: string
  width: number
  height: number
  layoutOptions?: Record<string, string>
}

export interface StateBox extends Box {
  children?: StateBox[]
}

/** What is laid out, in the shape of ELK's JSON graphs. */
export interface LayoutGraph extends StateBox {
  edges: Wire[]
}

/** `text` of a label is there because ELK passes over labels without one. */
export interface Wire {
  id: string
  sources: string[]
  targets: string[]
  labels: Array<Box & { text: string }>
}

/** A rectangle in its place: pixels from the top left corner of the whole picture. */
export interface Placed {
  id?: string
  x?: number
  y?: number
  width?: number
  height?: number
  children?: Placed[]
}

export interface PlacedWire extends Wire {
  labels: Array<Box & Placed & { text: string }>
  sections?: Array<{ startPoint: Point; endPoint: Point; bendPoints?: Point[] }>
}

export interface Picture extends Placed {
  edges: PlacedWire[]
}

/** Gives every box a place and every wire a path. */
export type Layout = (graph: LayoutGraph) => Promise<Picture>

export const fontSize = { heading: 17, title: 14, detail: 12, label: 11.5 } as const
export const lineHeight = { heading: 30, title: 20, detail: 17, label: 15 } as const
/** Space between a border and what is inside; `rule` is that above and below the line under a title. */
export const inset = { x: 14, y: 8, rule: 6, composite: 22, picture: 20 } as const
export const dotSize = 12
