import { assign, setup } from 'xstate'
import type { Seat } from '../../src/actors/seat.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { chair, type Visit } from '../../src/machines/chair.ts'

/** Counts, works, waits and tells: a chart that uses everything the host offers. */
export const counter = setup({
  types: {} as {
    context: { count: number; visit: number; last: string; tellTo: string | null }
    input: { tellTo?: string }
    events:
      | { type: 'add'; by: number }
      | { type: 'work' }
      | { type: 'again' }
      | { type: 'leave' }
      | { type: 'wait' }
      | { type: 'break' }
      | { type: 'finish' }
      | { type: 'ping' }
  },
  actors: { fetch: chair<Visit & { count: number }, string>() },
  delays: { short: 1000, long: 60 * 86_400_000 },
  guards: {
    isBroken: () => {
      throw new Error('a guard that throws')
    },
  },
  actions: {
    tell: (_, _params: { to: string | null }) => {},
    add: assign(({ context }, { by }: { by: number }) => ({ count: context.count + by })),
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteLast: assign((_, { last }: { last: string }) => ({ last })),
  },
}).createMachine({
  id: 'counter',
  context: ({ input }) => ({ count: 0, visit: 0, last: '', tellTo: input.tellTo ?? null }),
  initial: 'idle',
  on: {
    add: { actions: { type: 'add', params: ({ event }) => event } },
    ping: { actions: { type: 'tell', params: ({ context }) => ({ to: context.tellTo }) } },
    break: { guard: 'isBroken', target: '.idle' },
    finish: '.finished',
  },
  states: {
    idle: { on: { work: 'working', wait: 'waiting' } },
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
    },
    finished: { type: 'final' },
  },
})

export const counterSeat: Seat<typeof counter> = {
  kind: 'counter',
  version: 1,
  machine: (turn) =>
    counter.provide({
      actions: {
        tell: ({ self }, { to }) => {
          if (to !== null) turn.tell(self.id as ActorId, to as ActorId, { type: 'add', by: 1 })
        },
      },
    }),
  moved: ({ id, after }, turn) => turn.news({ type: 'notification', title: id, body: String(after.context.count) }),
}
