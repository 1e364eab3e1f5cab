import { assign, setup } from 'xstate'
import type { Seat } from '../../src/actors/seat.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { chair, type Visit } from '../../src/machines/chair.ts'

/** What a counter may be told to ask of its host. */
export type Order = { tell: ActorId; event: CounterEvent } | { beget: ActorId }

export type CounterEvent =
  | { type: 'add'; by: number }
  | { type: 'work' }
  | { type: 'again' }
  | { type: 'leave' }
  | { type: 'wait' }
  | { type: 'waitLong' }
  | { type: 'break' }
  | { type: 'finish' }
  | { type: 'act'; orders: Order[] }

/** Counts, works, waits, tells and begets: a chart that uses everything the host offers. */
export const counter = setup({
  types: {} as {
    context: { count: number; visit: number; last: string }
    events: CounterEvent
  },
  actors: { fetch: chair<Visit & { count: number }, string>() },
  delays: { short: 1000, long: 60 * 86_400_000 },
  guards: {
    isBroken: () => {
      throw new Error('a guard that throws')
    },
  },
  actions: {
    act: (_, _params: { orders: Order[] }) => {},
    add: assign(({ context }, { by }: { by: number }) => ({ count: context.count + by })),
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteLast: assign((_, { last }: { last: string }) => ({ last })),
  },
}).createMachine({
  id: 'counter',
  context: { count: 0, visit: 0, last: '' },
  initial: 'idle',
  on: {
    add: { actions: { type: 'add', params: ({ event }) => event } },
    act: { actions: { type: 'act', params: ({ event }) => event } },
    break: { guard: 'isBroken', target: '.idle' },
    finish: '.finished',
  },
  states: {
    idle: { on: { work: 'working', wait: 'waiting', waitLong: 'waitingLong' } },
    working: {
      entry: 'noteVisit',
      invoke: {
        id: 'fetch',
        src: 'fetch',
        input: ({ context }) => ({ visit: context.visit, count: context.count }),
        onDone: { target: 'idle', actions: { type: 'noteLast', params: ({ event }) => ({ last: event.output }) } },
        onError: {
          target: 'idle',
          actions: { type: 'noteLast', params: ({ event }) => ({ last: (event.error as { code: string }).code }) },
        },
      },
      on: { again: { target: 'working', reenter: true }, leave: 'idle' },
    },
    waiting: {
      after: {
        short: { target: 'idle', actions: { type: 'noteLast', params: { last: 'short' } } },
        long: { target: 'idle', actions: { type: 'noteLast', params: { last: 'long' } } },
      },
      on: { leave: 'idle' },
    },
    waitingLong: {
      after: { long: { target: 'idle', actions: { type: 'noteLast', params: { last: 'long' } } } },
    },
    finished: { type: 'final' },
  },
})

/** Its news tell the count after each step. */
export const counterSeat: Seat<typeof counter> = {
  kind: 'counter',
  version: 1,
  machine: (turn) =>
    counter.provide({
      actions: {
        act: ({ self }, { orders }) => {
          const id = self.id as ActorId
          for (const order of orders) {
            if ('beget' in order) turn.spawn(id, 'counter', order.beget, {})
            else turn.tell(id, order.tell, order.event)
          }
        },
      },
    }),
  moved: ({ id, after }, turn) => turn.news({ type: 'notification', title: id, body: String(after.context.count) }),
}
