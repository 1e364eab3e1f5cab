import elkjs from 'elkjs/lib/elk.bundled.js'
import type { Layout } from '../../src/diagrams/shapes.ts'

const elk = new elkjs.default()

/** The layout that the pictures in `diagrams/` are made with. */
export const layout: Layout = (graph) => elk.layout(graph)
