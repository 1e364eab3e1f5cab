import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import { mapFeed } from '../feed.ts'
import type { StepView } from '../inspector.ts'
import { method } from '../method.ts'
import { Json, Time } from '../rows.ts'
import { snake } from '../snake.ts'
import { given, limit } from './common.ts'

/** The notification that carries a committed step; its params are the subscription's name and the step. */
export const stepMethod = 'inspector.step'

const Seq = z.int().min(0)

const actorFields = {
  id: z.string(),
  kind: z.string(),
  parent: z.string().nullable(),
  state: z.string().meta({ description: 'Dotted, as `path` in the definition; regions are joined by +.' }),
  settled: z.boolean(),
  version: z.int(),
  title: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
}

export const ActorRow = z.strictObject(actorFields).meta({ id: 'Actor', description: 'An actor, as its row stands.' })

const ActorDetail = z
  .strictObject({
    ...actorFields,
    chart: z.int().nullable(),
    snapshot: Json,
    timers: z.array(z.strictObject({ name: z.string(), due_at: Time, event: z.string() })),
    work: z.array(
      z.strictObject({
        key: z.string(),
        invoke: z.string(),
        kind: z.string(),
        state: z.string(),
        attempts: z.int(),
        input: Json,
        result: Json,
        created_at: Time,
        settled_at: Time.nullable(),
      }),
    ),
    children: z.int(),
  })
  .meta({ id: 'ActorDetail' })

export const Definition = z
  .strictObject({
    kind: z.string(),
    states: z.array(
      z.strictObject({
        path: z.string(),
        id: z.string(),
        key: z.string(),
        type: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']),
        parent: z.string().nullable(),
        initial: z.string().nullable(),
        entry: z.array(z.string()),
        exit: z.array(z.string()),
        invokes: z.array(z.string()),
        tags: z.array(z.string()),
      }),
    ),
    transitions: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string().nullable(),
        label: z.string(),
        trigger: z.strictObject({ kind: z.string(), name: z.string().nullable() }),
        guard: z.string().nullable(),
        actions: z.array(z.string()),
      }),
    ),
    svg: z.string().nullable(),
    style: z.string(),
    mermaid: z.string(),
  })
  .meta({ id: 'Definition', description: 'A chart as data and as a picture whose states carry data-state = path.' })

const stepFields = {
  seq: Seq,
  actor: z.string(),
  kind: z.string().nullable(),
  version: z.int(),
  sender: z.string().nullable(),
  event: z.string(),
  data: Json,
  from: z.string().nullable(),
  to: z.string(),
  at: Time,
}

export const StepRow = z.strictObject(stepFields).meta({ id: 'Step', description: 'A committed step of an actor.' })

const HistoryRow = z
  .strictObject({
    ...stepFields,
    summary: z.array(z.strictObject({ state: z.string(), at: Time, event: z.string().nullable() })).nullable(),
    snapshot: Json,
  })
  .meta({ id: 'HistoryStep' })

export const MessageRow = z
  .strictObject({
    seq: Seq,
    sender: z.string().nullable(),
    receiver: z.string(),
    receiver_kind: z.string().nullable(),
    via: z.enum(['start', 'message', 'work', 'timer', 'outside']),
    event: z.string(),
    to: z.string(),
    at: Time,
  })
  .meta({ id: 'Message', description: 'An event that an actor took, with who sent it.' })

const actors = method({
  name: 'inspector.actors',
  summary:
    'Actors in the order of their ids; with parent, its children. Settled ones only where asked for. A page may be short, or empty: give next as after until it is null.',
  params: z.strictObject({
    parent: given.optional(),
    kind: given.optional(),
    state: given.optional().meta({ description: 'A state and all within it: inProgress, inProgress.judging.' }),
    settled: z.boolean().default(false),
    after: given.optional(),
    limit: limit(100),
  }),
  result: z.strictObject({ actors: z.array(ActorRow), next: z.string().nullable() }),
  run: async (query, services) => snake(await services.inspector.actors(query)),
})

const actor = method({
  name: 'inspector.actor',
  summary:
    'One actor: its row, its context, its timers, its work and how many children it has. A settled evaluation is found, too.',
  params: z.strictObject({ id: given }),
  result: ActorDetail,
  async run({ id }, services) {
    const { snapshot, work, ...view } = await services.inspector.actor(id)
    return {
      ...snake(view),
      snapshot,
      work: work.map(({ input, result, ...row }) => ({ ...snake(row), input, result })),
    }
  },
})

const definition = method({
  name: 'inspector.definition',
  summary: 'The state chart of a kind of actor: its states, its transitions and its picture.',
  params: z.strictObject({ kind: given }),
  result: Definition,
  run: ({ kind }, services) => services.inspector.definition(kind),
})

const history = method({
  name: 'inspector.history',
  summary:
    'The journal of one actor, oldest first. What is older than journal.keep_days is one step, a summary. With snapshots also the context after each step, as the chart reaches it again.',
  params: z.strictObject({
    actor: given,
    from_version: z.int().min(0).default(0),
    snapshots: z.boolean().default(false),
    limit: limit(200),
  }),
  result: z.strictObject({
    actor: z.string(),
    kind: z.string(),
    steps: z.array(HistoryRow),
    next: z.int().nullable(),
  }),
  run: ({ actor: of, from_version: fromVersion, snapshots, limit: most }, services) =>
    services.inspector.history({ actor: of, fromVersion, snapshots, limit: most }),
})

const messages = method({
  name: 'inspector.messages',
  summary:
    'Who sent what to whom, oldest first; without since_seq the newest. For the next page give next as since_seq.',
  params: z.strictObject({ actor: given.optional(), since_seq: Seq.optional(), limit: limit(200) }),
  result: z.strictObject({ messages: z.array(MessageRow), next: Seq, more: z.boolean() }),
  run: async ({ since_seq: sinceSeq, ...query }, services) =>
    snake(await services.inspector.messages({ ...query, sinceSeq })),
})

const subscription = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'expected a short name')
  .default('steps')
  .meta({ description: 'A name of your own. Asking again under the same name takes the place of what it named.' })

export const subscribeToSteps = method({
  name: 'inspector.subscribe',
  summary: `Begins to send committed steps as ${stepMethod} notifications, in the order of their seq. With since_seq those after it come first, so that nothing is missed after a reconnect. The answer's from is where it begins: where it is below since_seq, the store is another one than before. Of an actor's own steps data is sent along.`,
  params: z.strictObject({
    actor: given.optional(),
    kind: given.optional(),
    since_seq: Seq.optional(),
    subscription,
  }),
  result: z.strictObject({ subscription: z.string(), from: Seq, head: Seq }),
  run({ subscription: name, since_seq: sinceSeq, ...query }, services, caller) {
    const { feeds } = caller
    if (!feeds) {
      throw Fault.use(
        'rpc/no-subscription',
        'This connection cannot carry news. Connect through the socket or a WebSocket, or ask again from time to time.',
      )
    }
    const { feed, from, head } = services.inspector.steps({ ...query, sinceSeq })
    feeds.begin(
      name,
      mapFeed(feed, (step) => stepNotification(name, step)),
    )
    return { subscription: name, from, head }
  },
})

export const unsubscribe = method({
  name: 'inspector.unsubscribe',
  summary: 'Ends a subscription to steps.',
  params: z.strictObject({ subscription }),
  result: z.strictObject({ ended: z.boolean() }),
  run: ({ subscription: name }, _services, caller) => ({ ended: caller.feeds?.end(name) ?? false }),
})

export const stepNotification = (name: string, step: StepView): string =>
  JSON.stringify({ jsonrpc: '2.0', method: stepMethod, params: { subscription: name, ...step } })

export const inspector = [actors, actor, definition, history, messages, subscribeToSteps, unsubscribe]
