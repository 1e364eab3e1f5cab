import { readFile } from 'node:fs/promises'
import type { AnyStateMachine } from 'xstate'
import { type ChartAction, type ChartNode, chartOf, pathsOf, type Trigger } from '../../diagrams/chart.ts'
import { toMermaid } from '../../diagrams/mermaid.ts'
import { svgStyle } from '../../diagrams/svg-style.ts'
import { edgeText } from '../../diagrams/wording.ts'
import { Fault } from '../../domain/errors.ts'
import { charts } from '../../machines/index.ts'
import type { DefinitionView } from '../../rpc/inspector.ts'
import { packageFolder } from '../package-root.ts'

const pictures = packageFolder('diagrams/')

/** The chart of a kind of actor; undefined when there is none. */
export const chartOfKind = (kind: string): AnyStateMachine | undefined =>
  Object.hasOwn(charts, kind) ? charts[kind as keyof typeof charts] : undefined

/** A chart for people and pages, with the picture that was drawn of it. Throws `inspector/unknown-kind`. */
export async function definitionOf(kind: string): Promise<DefinitionView> {
  const machine = chartOfKind(kind)
  if (machine === undefined) {
    const kinds = Object.keys(charts)
    throw Fault.use('inspector/unknown-kind', `There is no chart ${kind}. There are ${kinds.join(', ')}.`, { kinds })
  }
  const chart = chartOf(machine)
  const paths = pathsOf(chart)
  const pathOf = (id: string): string => paths.get(id) ?? id
  return {
    kind,
    states: chart.nodes.map((node) => stateOf(node, pathOf)),
    transitions: chart.edges.map((edge) => ({
      from: pathOf(edge.from),
      to: edge.to === null ? null : pathOf(edge.to),
      label: edgeText(edge),
      trigger: triggerOf(edge.trigger),
      guard: edge.guard,
      actions: namesOf(edge.actions),
    })),
    // A copy without pictures still has its charts.
    svg: await readFile(new URL(`${kind}.svg`, pictures), 'utf8').catch(() => null),
    style: svgStyle,
    mermaid: toMermaid(chart),
  }
}

const stateOf = (node: ChartNode, pathOf: (id: string) => string): DefinitionView['states'][number] => ({
  path: pathOf(node.id),
  id: node.id,
  key: node.key,
  type: node.kind,
  parent: node.parent === null ? null : pathOf(node.parent),
  initial: node.initial === null ? null : pathOf(node.initial),
  entry: namesOf(node.entry),
  exit: namesOf(node.exit),
  invokes: node.invokes,
  tags: node.tags,
})

const namesOf = (actions: readonly ChartAction[]): string[] => actions.map(({ name }) => name)

const triggerOf = (trigger: Trigger): { kind: string; name: string | null } => {
  switch (trigger.kind) {
    case 'event':
      return { kind: trigger.kind, name: trigger.type }
    case 'after':
      return { kind: trigger.kind, name: String(trigger.delay) }
    case 'done':
    case 'error':
    case 'snapshot':
      return { kind: trigger.kind, name: trigger.of }
    case 'always':
    case 'finished':
      return { kind: trigger.kind, name: null }
    default:
      return trigger satisfies never
  }
}
