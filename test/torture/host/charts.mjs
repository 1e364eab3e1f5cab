import { assign, setup } from 'xstate'
import { nextOf } from './script.mjs'

const day = 86_400_000

/**
 * Two small charts that use everything the host offers: counters that tell each other and order jobs, and jobs that
 * pause, do their work, ask when they cannot know what became of it, and report.
 * @param {string} dist
 */
export async function seats(dist) {
  const { chair } = await import(`${dist}/machines/chair.js`)

  const counter = setup({
    guards: {
      isBroken: () => {
        throw new Error('broken on purpose')
      },
    },
    actions: {
      count: assign(({ context }, { balance = 0, jobs = 0, notes = 0 }) => ({
        balance: context.balance + balance,
        jobs: context.jobs + jobs,
        notes: context.notes + notes,
      })),
      pass: () => {},
      relay: () => {},
      order: () => {},
    },
  }).createMachine({
    id: 'counter',
    context: { balance: 0, jobs: 0, notes: 0 },
    initial: 'counting',
    states: {
      counting: {
        on: {
          add: { actions: { type: 'count', params: ({ event }) => ({ balance: event.by }) } },
          note: { actions: { type: 'count', params: { notes: 1 } } },
          jobDone: { actions: { type: 'count', params: { jobs: 1 } } },
          pass: {
            actions: [
              { type: 'count', params: ({ event }) => ({ balance: -event.by }) },
              { type: 'pass', params: ({ event }) => event },
            ],
          },
          relay: {
            actions: [
              { type: 'count', params: { balance: 1 } },
              { type: 'relay', params: ({ event }) => event },
            ],
          },
          job: { actions: { type: 'order', params: ({ event }) => event } },
          break: { guard: 'isBroken' },
        },
      },
    },
  })

  const job = setup({
    actors: { do: chair() },
    delays: { pause: ({ context }) => context.pause, patience: 60 * day },
    guards: {
      happened: (_, happened) => happened,
      isUnknown: (_, error) => error.code === 'effect/unknown-outcome',
    },
    actions: {
      noteVisit: assign({ visit: ({ context }) => context.visit + 1 }),
      report: () => {},
    },
  }).createMachine({
    id: 'job',
    context: ({ input }) => ({ ...input, visit: 0 }),
    initial: 'pausing',
    states: {
      pausing: { after: { pause: 'working', patience: 'lost' } },
      working: {
        entry: 'noteVisit',
        invoke: {
          id: 'do',
          src: 'do',
          input: ({ context }) => ({ visit: context.visit, kind: context.kind }),
          onDone: 'done',
          onError: [
            { guard: { type: 'isUnknown', params: ({ event }) => event.error }, target: 'asking' },
            { target: 'pausing' },
          ],
        },
      },
      asking: {
        after: { patience: 'lost' },
        on: {
          checked: [
            { guard: { type: 'happened', params: ({ event }) => event.happened }, target: 'done' },
            { target: 'working' },
          ],
          again: 'working',
        },
      },
      done: { type: 'final', entry: { type: 'report', params: ({ context }) => context } },
      lost: { type: 'final' },
    },
  })

  return [
    {
      kind: 'counter',
      version: 1,
      machine: (turn) =>
        counter.provide({
          actions: {
            pass: ({ self }, { to, by }) => turn.tell(self.id, to, { type: 'add', by }),
            relay: ({ self }, { left }) => {
              if (left > 0) turn.tell(self.id, nextOf(self.id), { type: 'relay', left: left - 1 })
            },
            order: ({ self }, { job: id, kind, pause }) =>
              turn.spawn(self.id, 'job', id, { owner: self.id, kind, pause }),
          },
        }),
    },
    {
      kind: 'job',
      version: 1,
      machine: (turn) =>
        job.provide({
          actions: { report: ({ self }, { owner }) => turn.tell(self.id, owner, { type: 'jobDone' }) },
        }),
      rests: (snapshot) => snapshot.matches('asking'),
    },
  ]
}
