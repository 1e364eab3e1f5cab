import type { Arrows } from './arrows.ts'
import type { ChartNode } from './chart.ts'
import { activityTexts } from './wording.ts'

/** All there is to say about a state besides its name: what it does, and transitions without an arrow, after `where`. */
export const detailsOf = (node: ChartNode, { listed }: Arrows, where = ''): string[] => [
  ...activityTexts(node),
  ...(listed.get(node.id) ?? []).map((line) => `${where}${line}`),
]
