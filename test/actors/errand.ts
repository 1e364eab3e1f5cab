import { assign, setup } from 'xstate'
import type { Seat } from '../../src/actors/seat.ts'
import { chair, type Visit } from '../../src/machines/chair.ts'

/** Goes to its stops one after the other and brings back what it found at each. */
export const errand = setup({
  types: {} as { context: { stops: number; visit: number; found: string[] }; input: { stops: number } },
  actors: { go: chair<Visit, string>() },
  guards: { moreStops: ({ context }) => context.visit < context.stops },
  actions: {
    noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
    noteFound: assign(({ context }, { found }: { found: string }) => ({ found: [...context.found, found] })),
  },
}).createMachine({
  id: 'errand',
  context: ({ input }) => ({ stops: input.stops, visit: 0, found: [] }),
  initial: 'going',
  states: {
    going: {
      entry: 'noteVisit',
      invoke: {
        id: 'go',
        src: 'go',
        input: ({ context }) => ({ visit: context.visit }),
        onDone: [
          {
            guard: 'moreStops',
            target: 'going',
            reenter: true,
            actions: { type: 'noteFound', params: ({ event }) => ({ found: event.output }) },
          },
          { target: 'home', actions: { type: 'noteFound', params: ({ event }) => ({ found: event.output }) } },
        ],
        onError: 'lost',
      },
    },
    home: { type: 'final' },
    lost: { type: 'final' },
  },
})

/** `told` is called with what each errand has found, step by step. */
export const errandSeat = (told: (found: string[]) => void = () => {}): Seat<typeof errand> => ({
  kind: 'errand',
  version: 1,
  machine: () => errand,
  moved: ({ after }) => told(after.context.found),
})
