import { day, hour, minute, second } from '../domain/clock.ts'
import type { ChartAction, ChartEdge, ChartNode, Trigger } from './chart.ts'

/** `approve [digestMatches] / tellTick` */
export const edgeText = (edge: ChartEdge): string => {
  const guard = edge.guard === null ? '' : ` [${edge.guard}]`
  // Of a transition that leads nowhere its notes are all there is to tell.
  const actions = edge.to === null ? named(edge.actions) : outward(edge.actions)
  return oneLine(`${triggerText(edge.trigger)}${guard}${actions.length === 0 ? '' : ` / ${actions.join(', ')}`}`)
}

/** What a state does while one is in it, a line each: actors it invokes, actions on the way in and out. */
export const activityTexts = (node: ChartNode): string[] => [
  ...node.invokes.map((name) => oneLine(`⟳ ${name}`)),
  ...outward(node.entry).map((name) => oneLine(`entry / ${name}`)),
  ...outward(node.exit).map((name) => oneLine(`exit / ${name}`)),
]

export const titleText = (node: ChartNode): string =>
  node.kind === 'history' ? (node.history === 'deep' ? 'H*' : 'H') : oneLine(node.key)

const triggerText = (trigger: Trigger): string => {
  switch (trigger.kind) {
    case 'event':
      return trigger.type
    case 'always':
      return 'always'
    case 'after':
      return `after ${typeof trigger.delay === 'number' ? durationText(trigger.delay) : trigger.delay}`
    case 'done':
      return `${trigger.of} done`
    case 'error':
      return `${trigger.of} failed`
    case 'snapshot':
      return `${trigger.of} changed`
    case 'finished':
      return 'finished'
    default:
      return trigger satisfies never
  }
}

const units = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
  [second, 's'],
] as const

const durationText = (milliseconds: number): string => {
  const unit = units.find(([size]) => milliseconds >= size && milliseconds % size === 0)
  return unit === undefined ? `${milliseconds} ms` : `${milliseconds / unit[0]} ${unit[1]}`
}

/** What a chart does to others; how it keeps its own notes is left to the code. */
const outward = (actions: ChartAction[]): string[] => named(actions.filter((action) => !action.onlyNotes))

const named = (actions: ChartAction[]): string[] => actions.map(({ name }) => name).filter((name) => name !== 'assign')

/** Names may hold anything; a drawing has one line for each. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim()
