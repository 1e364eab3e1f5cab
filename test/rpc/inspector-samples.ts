import type { Feed } from '../../src/rpc/feed.ts'
import type { ActorView, InspectorServices, StepView } from '../../src/rpc/inspector.ts'

const at = Date.parse('2026-04-01T12:00:00Z')

export const actor: ActorView = {
  id: 'ev_1',
  kind: 'evaluation',
  parent: 'instance_memory',
  state: 'inProgress.judging',
  settled: false,
  version: 1,
  title: 'Check urgent mail',
  createdAt: at,
  updatedAt: at,
}

export const step: StepView = {
  seq: 7,
  actor: 'ev_1',
  kind: 'evaluation',
  version: 2,
  sender: 'tick_memory_1',
  event: 'verdict',
  data: { callId: 'call_1' },
  from: 'inProgress.judging',
  to: 'acted',
  at,
}

/** A feed of steps that a test puts into it. */
export function handFeed(...steps: StepView[]) {
  const waiting = [...steps]
  let look = (): void => {}
  let isWatched = false
  const feed: Feed<StepView> = {
    take: () => waiting.splice(0, 2),
    wake: (listener) => {
      look = listener
      isWatched = true
      return () => {
        isWatched = false
      }
    },
  }
  return {
    feed,
    put(...more: StepView[]) {
      waiting.push(...more)
      look()
    },
    get isWatched() {
      return isWatched
    },
    get left() {
      return waiting.length
    },
  }
}

/** An inspector that answers with samples. */
export const inspector: InspectorServices = {
  actors: async () => ({ actors: [actor], next: null }),
  actor: async () => ({
    ...actor,
    chart: 2,
    snapshot: { taskTitle: 'stays as it is' },
    timers: [{ name: 'expiry', dueAt: at, event: 'expire' }],
    work: [
      {
        key: 'ev_1/execute/1',
        invoke: 'execute',
        kind: 'evaluation.execute',
        state: 'started',
        attempts: 1,
        input: { fileMode: 1 },
        result: null,
        createdAt: at,
        settledAt: null,
      },
    ],
    children: 0,
  }),
  definition: async () => ({
    kind: 'evaluation',
    states: [
      {
        path: 'acted',
        id: 'evaluation.acted',
        key: 'acted',
        type: 'final',
        parent: '',
        initial: null,
        entry: [],
        exit: [],
        invokes: [],
        tags: [],
      },
    ],
    transitions: [
      {
        from: 'inProgress.judging',
        to: 'acted',
        label: 'verdict [acts]',
        trigger: { kind: 'event', name: 'verdict' },
        guard: 'acts',
        actions: [],
      },
    ],
    svg: null,
    style: '',
    mermaid: 'stateDiagram-v2',
  }),
  history: async () => ({
    actor: 'ev_1',
    kind: 'evaluation',
    steps: [{ ...step, summary: null, snapshot: { fileMode: 1 } }],
    next: null,
  }),
  messages: async () => ({
    messages: [
      {
        seq: 7,
        sender: 'tick_memory_1',
        receiver: 'ev_1',
        receiverKind: 'evaluation',
        via: 'message',
        event: 'verdict',
        to: 'acted',
        at,
      },
    ],
    next: 7,
    more: false,
  }),
  steps: () => ({ feed: handFeed(step).feed, from: 6, head: 7 }),
}
