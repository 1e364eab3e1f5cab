import {
  type ActorLogic,
  type AnyEventObject,
  type AnyStateMachine,
  type AnyStateNode,
  createActor,
  initialTransition,
  type Snapshot,
  type SnapshotFrom,
  StateMachine,
} from 'xstate'
import { type AdjacencyValue, getAdjacencyMap } from 'xstate/graph'
import { stateName } from '../../src/actors/inspection.ts'

type ChartScope = Parameters<AnyStateMachine['transition']>[2]

/** Where a walk stands: the chart's snapshot, and what has been seen on the way there. */
export interface Place<Context, Seen> {
  status: 'active' | 'done' | 'error' | 'stopped'
  output: undefined
  error: undefined
  machine: SnapshotFrom<AnyStateMachine>
  state: string
  context: Context
  seen: Seen
}

/** An action that a step asks for, by its name. */
export interface Asked {
  type: string
  params?: unknown
}

export interface Step<Context, Seen> {
  from: Place<Context, Seen>
  event: AnyEventObject
  to: Place<Context, Seen>
  actions: Asked[]
  /** False when nothing came of the event. */
  moved: boolean
}

export interface Walk<Context, Seen> {
  chart: AnyStateMachine
  input: unknown
  /** Everything that may happen at a place; the ends of work in hand and timers are added to it. */
  events(at: Place<Context, Seen>): AnyEventObject[]
  /** What each chair's work may come to. */
  outcomes: Record<string, { done: unknown[]; failed: unknown[] }>
  /** What tells two places apart: everything that decides where the chart goes from there. */
  project(at: Place<Context, Seen>): unknown
  seen: Seen
  remember?(
    seen: Seen,
    step: Omit<Step<Context, Seen>, 'to' | 'moved'> & { to: Omit<Place<Context, Seen>, 'seen'> },
  ): Seen
}

export interface Walked<Context, Seen> {
  places: Place<Context, Seen>[]
  steps: Step<Context, Seen>[]
  /** The shortest way to a place, as the events that lead there. */
  wayTo(place: Place<Context, Seen>): string
  /** The same for two places from which the chart goes on in the same way. */
  key(place: Place<Context, Seen>): string
}

/** Follows every event from every state the chart can be in. What an actor that has ended does with events, it does: nothing. */
export function walk<Context, Seen>(way: Walk<Context, Seen>): Walked<Context, Seen> {
  type Here = Place<Context, Seen>
  const key = (place: Here): string => JSON.stringify([place.state, place.status, way.project(place)])
  const timers = (at: Here): AnyEventObject[] =>
    at.machine._nodes.flatMap((node) => node.after.map(({ eventType }) => ({ type: eventType })))
  const place = (machine: SnapshotFrom<AnyStateMachine>, seen: Seen): Here => ({
    status: machine.status,
    output: undefined,
    error: undefined,
    machine,
    state: stateName(machine.value),
    context: machine.context as Context,
    seen,
  })
  const self = createActor(way.chart, { input: way.input })
  const scope = {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
  }
  const asked = new WeakMap<Here, Asked[]>()
  const logic: ActorLogic<Here & Snapshot<undefined>, AnyEventObject> = {
    getInitialSnapshot: () => place(initialTransition(way.chart, way.input)[0], way.seen),
    transition(from, event) {
      const actions: Asked[] = []
      const noting: ChartScope = { ...scope, actionExecutor: ({ type, params }) => void actions.push({ type, params }) }
      const machine = way.chart.transition(from.machine, event, noting)
      const to = place(machine, from.seen)
      const seen = way.remember?.(from.seen, { from, event, to, actions }) ?? from.seen
      const there = { ...to, seen }
      asked.set(there, actions)
      return there
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  }
  const ends = (at: Here): AnyEventObject[] =>
    Object.keys(at.machine.children).flatMap((id) => {
      const { done, failed } = way.outcomes[id] ?? { done: [undefined], failed: [] }
      return [
        ...done.map((output) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
        ...failed.map((error) => ({ type: `xstate.error.actor.${id}`, actorId: id, error })),
      ]
    })
  const map = getAdjacencyMap(logic, {
    serializeState: key,
    events: (at) => (at.status === 'active' ? [...way.events(at), ...ends(at), ...timers(at)] : []),
    limit: 500_000,
  })
  const found = Object.values(map) as AdjacencyValue<Here, AnyEventObject>[]
  const places = found.map(({ state }) => state)
  const cameBy = new Map<string, { from: Here; event: AnyEventObject } | null>([[key(places[0]!), null]])
  const steps = found.flatMap(({ state: from, transitions }) =>
    Object.values<{ event: AnyEventObject; state: Here }>(transitions).map(
      ({ event, state: to }): Step<Context, Seen> => {
        const there = key(to)
        if (!cameBy.has(there)) cameBy.set(there, { from, event })
        const actions = asked.get(to) ?? []
        return { from, event, to, actions, moved: key(from) !== there || actions.length > 0 }
      },
    ),
  )
  const wayTo = (to: Here): string => {
    const by = cameBy.get(key(to))
    return by ? [wayTo(by.from), brief(by.event)].filter(Boolean).join(' → ') : ''
  }
  return { places, steps, wayTo, key }
}

/** What must hold of every step or at every place; each returns true where it does. */
export interface Rule<Context, Seen> {
  says: string
  step?(step: Step<Context, Seen>): boolean
  place?(place: Place<Context, Seen>): boolean
}

/** Where rules do not hold, each with the shortest way there. */
export function breaches<Context, Seen>(
  { places, steps, wayTo }: Walked<Context, Seen>,
  rules: readonly Rule<Context, Seen>[],
): string[] {
  return rules.flatMap((rule) => {
    const place = rule.place && places.find((one) => !rule.place?.(one))
    if (place) return [`${rule.says}: ${wayTo(place)} leads to ${place.state}`]
    const step = rule.step && steps.find((one) => !rule.step?.(one))
    return step
      ? [`${rule.says}: ${[wayTo(step.from), brief(step.event)].filter(Boolean).join(' → ')} leads to ${step.to.state}`]
      : []
  })
}

/** Places from which none that `isEnd` accepts can be reached. */
export function deadEnds<Context, Seen>(
  { places, steps, key, wayTo }: Walked<Context, Seen>,
  isEnd: (place: Place<Context, Seen>) => boolean,
): string[] {
  const back = new Map<string, string[]>()
  for (const { from, to } of steps) back.set(key(to), [...(back.get(key(to)) ?? []), key(from)])
  const reaches = new Set(places.filter(isEnd).map(key))
  for (const end of reaches) for (const from of back.get(end) ?? []) reaches.add(from)
  return places.filter((place) => !reaches.has(key(place))).map((place) => `${place.state} after ${wayTo(place)}`)
}

/** Every state of a chart, those in which it cannot rest too. */
export function* nodesOf(node: AnyStateNode): Generator<AnyStateNode> {
  yield node
  for (const child of Object.values(node.states)) yield* nodesOf(child)
}

/** A state's configuration, as far as a test plants faults in it. */
export interface Config {
  states: Record<string, Config>
  on: Record<string, unknown>
  after: Record<string, unknown>
  invoke: Record<string, unknown>
  type?: string
}

/** A copy of a chart with a fault planted in it. */
export function altered(chart: AnyStateMachine, plant: (config: Config) => void): AnyStateMachine {
  const config = copied(chart.config) as Config
  plant(config)
  return new StateMachine(config as ConstructorParameters<typeof StateMachine>[0], chart.implementations)
}

const copied = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(copied)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copied(inner)]))
      : value

const brief = ({ type, actorId: _actor, ...rest }: AnyEventObject): string =>
  Object.keys(rest).length === 0 ? type : `${type} ${JSON.stringify(rest).slice(0, 160)}`
