import type { JSONType } from '../domain/json.ts'
import type { Feed } from './feed.ts'

/**
 * What the inspector's methods call: the host's rows as people may see them. Secrets are masked and long values cut
 * before they come here; nothing waits for a tick, and no step of it grows with what the store holds.
 */
export interface InspectorServices {
  /** In the order of their ids. Throws nothing for what is not there. */
  actors(query: ActorQuery): Promise<ActorPage>
  /** Throws `inspector/unknown-actor`. */
  actor(id: string): Promise<ActorDetailView>
  /** Throws `inspector/unknown-kind`. */
  definition(kind: string): Promise<DefinitionView>
  /** Steps of one actor, oldest first. Throws `inspector/unknown-actor`. */
  history(query: HistoryQuery): Promise<HistoryPage>
  /** Messages between actors, oldest first. */
  messages(query: MessageQuery): Promise<MessagePage>
  /** Committed steps from a number on; `from` is the one after which it begins, `head` the newest there is. */
  steps(query: StepQuery): { feed: Feed<StepView>; from: number; head: number }
}

export interface ActorQuery {
  parent?: string | undefined
  kind?: string | undefined
  state?: string | undefined
  settled: boolean
  after?: string | undefined
  limit: number
}

export interface ActorView {
  id: string
  kind: string
  parent: string | null
  state: string
  settled: boolean
  version: number
  /** What a person calls it: the title of its task, its world, its session. */
  title: string | null
  createdAt: number
  updatedAt: number
}

export interface ActorPage {
  actors: ActorView[]
  /** Where the next page begins; null after the last. */
  next: string | null
}

export interface ActorDetailView extends ActorView {
  /** Version of the chart that wrote the snapshot; null when only the evaluation's row is left. */
  chart: number | null
  /** The context of a live actor; null once it is settled. */
  snapshot: JSONType
  timers: { name: string; dueAt: number; event: string }[]
  work: WorkView[]
  /** Children that are not settled, counted no further than `mostChildren`. */
  children: number
}

export interface WorkView {
  key: string
  invoke: string
  kind: string
  state: string
  attempts: number
  input: JSONType
  result: JSONType
  createdAt: number
  settledAt: number | null
}

export interface DefinitionView {
  kind: string
  /** Version of the chart in this build. */
  states: {
    /** Dotted, as an actor's state is written; the chart itself is ''. */
    path: string
    /** As in the picture: `data-id`. */
    id: string
    key: string
    type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
    parent: string | null
    initial: string | null
    entry: string[]
    exit: string[]
    invokes: string[]
    tags: string[]
  }[]
  transitions: {
    from: string
    /** Null when the state stays as it is. */
    to: string | null
    /** The event, the delay or the end that sets it off, in words. */
    label: string
    trigger: { kind: string; name: string | null }
    guard: string | null
    actions: string[]
  }[]
  /** The picture; null where it was not drawn. */
  svg: string | null
  /** Its looks, for a page that may hold no style of its own. */
  style: string
  mermaid: string
}

export interface HistoryQuery {
  actor: string
  fromVersion: number
  snapshots: boolean
  limit: number
}

/** One step of an actor, as the journal has it. */
export interface StepView {
  seq: number
  actor: string
  kind: string | null
  version: number
  /** The actor that sent the event; null where it came from outside, from work or from a timer. */
  sender: string | null
  event: string
  /** What the event carries. */
  data: JSONType
  from: string | null
  to: string
  at: number
}

export interface HistoryPage {
  actor: string
  kind: string
  steps: (StepView & {
    /** Of a summary: every state there was. */
    summary: { state: string; at: number; event: string | null }[] | null
    /** The context after the step, where it was asked for and the chart still leads there. */
    snapshot: JSONType
  })[]
  /** The version that the next page begins with; null after the last. */
  next: number | null
}

export interface MessageQuery {
  /** Only what this actor was sent or has sent. */
  actor?: string | undefined
  /** Not given: the newest. */
  sinceSeq?: number | undefined
  limit: number
}

export interface MessageView {
  seq: number
  /** Null where nobody in here sent it. */
  sender: string | null
  receiver: string
  receiverKind: string | null
  via: 'start' | 'message' | 'work' | 'timer' | 'outside'
  event: string
  /** The receiver's state after it. */
  to: string
  at: number
}

export interface MessagePage {
  messages: MessageView[]
  /** For the next page: give it as `since_seq`. */
  next: number
  more: boolean
}

export interface StepQuery {
  actor?: string | undefined
  kind?: string | undefined
  sinceSeq?: number | undefined
}

/** Children are counted no further. */
export const mostChildren = 1000
