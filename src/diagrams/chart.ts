import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { actionName, guardName } from './part-names.ts'

/** What sets a transition off. `done` and `error` name the actor that was invoked; `finished` is a composite at its end. */
export type Trigger =
  | { kind: 'event'; type: string }
  | { kind: 'always' }
  | { kind: 'after'; delay: string | number }
  | { kind: 'done' | 'error' | 'snapshot'; of: string }
  | { kind: 'finished' }

/** `onlyNotes`: it does nothing but write the machine's own context. */
export interface ChartAction {
  name: string
  onlyNotes: boolean
}

export interface ChartNode {
  id: string
  key: string
  kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** Id of the state that contains it; null for the machine itself. */
  parent: string | null
  initial: string | null
  /** Set only for `kind: 'history'`. */
  history: 'shallow' | 'deep' | null
  entry: ChartAction[]
  exit: ChartAction[]
  /** Names of the actors it invokes. */
  invokes: string[]
  tags: string[]
}

/** `to` is null when the state stays as it is and only actions run. */
export interface ChartEdge {
  from: string
  to: string | null
  trigger: Trigger
  guard: string | null
  actions: ChartAction[]
  reenter: boolean
}

/** A state machine as plain data: what a drawing, an inspector or a review needs to know of it, in document order. */
export interface Chart {
  id: string
  nodes: ChartNode[]
  edges: ChartEdge[]
}

/** By the id of each state: its keys from the machine down, dotted, as an actor's state is written. The machine itself is ''. */
export const pathsOf = ({ nodes }: Chart): Map<string, string> => {
  const paths = new Map<string, string>()
  for (const { id, key, parent } of nodes) {
    const above = parent === null ? null : (paths.get(parent) ?? null)
    paths.set(id, above === null ? '' : above === '' ? key : `${above}.${key}`)
  }
  return paths
}

type Transition = NonNullable<AnyStateNode['always']>[number]

export const chartOf = (machine: AnyStateMachine): Chart => {
  const chart: Chart = { id: machine.id, nodes: [], edges: [] }
  visit(machine.root, chart)
  return chart
}

const visit = (state: AnyStateNode, chart: Chart): void => {
  chart.nodes.push(nodeOf(state))
  const triggers = triggersOf(state)
  for (const [descriptor, transitions] of state.transitions) {
    const trigger = triggers.get(descriptor) ?? { kind: 'event', type: descriptor }
    for (const transition of transitions) chart.edges.push(...edgesOf(state, transition, trigger))
  }
  for (const transition of state.always ?? []) chart.edges.push(...edgesOf(state, transition, { kind: 'always' }))
  for (const child of Object.values(state.states)) visit(child, chart)
}

const nodeOf = (state: AnyStateNode): ChartNode => ({
  id: state.id,
  key: state.key,
  kind: state.type,
  parent: state.parent?.id ?? null,
  initial: state.type === 'compound' ? (state.initial.target[0]?.id ?? null) : null,
  history: state.type === 'history' ? state.history || 'shallow' : null,
  // Not `state.entry`: XState adds to it the actions that start and cancel its own timers.
  entry: actionsOf(state, state.config.entry),
  exit: actionsOf(state, state.config.exit),
  invokes: state.invoke.map(invokeName),
  tags: [...state.tags],
})

/** Transitions to several regions at once become one edge each. */
const edgesOf = (state: AnyStateNode, transition: Transition, trigger: Trigger): ChartEdge[] =>
  (transition.target ?? [null]).map((target) => ({
    from: state.id,
    to: target?.id ?? null,
    trigger,
    guard: transition.guard === undefined ? null : guardName(transition.guard),
    actions: actionsOf(state, transition.actions),
    reenter: transition.reenter,
  }))

/** XState writes invokes, timers and ends as event types made of ids; this tells which event type was which. */
const triggersOf = (state: AnyStateNode): Map<string, Trigger> => {
  const triggers = new Map<string, Trigger>([[`xstate.done.state.${state.id}`, { kind: 'finished' }]])
  for (const invoke of state.invoke) {
    const of = invokeName(invoke)
    triggers.set(`xstate.done.actor.${invoke.id}`, { kind: 'done', of })
    triggers.set(`xstate.error.actor.${invoke.id}`, { kind: 'error', of })
    triggers.set(`xstate.snapshot.${invoke.id}`, { kind: 'snapshot', of })
  }
  for (const timer of state.after)
    triggers.set(timer.eventType, {
      kind: 'after',
      delay: typeof timer.delay === 'number' ? timer.delay : String(timer.delay),
    })
  return triggers
}

/** XState gives logic that was put in place without a name a `src` made of the state's id; then the invoke's id says more. */
const invokeName = (invoke: AnyStateNode['invoke'][number]): string =>
  String(invoke.src).startsWith('xstate.invoke.') ? invoke.id : String(invoke.src)

const actionsOf = (state: AnyStateNode, config: unknown): ChartAction[] => {
  const actions: unknown[] = config === undefined ? [] : Array.isArray(config) ? config : [config]
  return actions.map((action) => {
    const name = actionName(action)
    return {
      name,
      onlyNotes: name === 'assign' || actionName(state.machine.implementations.actions[name]) === 'assign',
    }
  })
}
