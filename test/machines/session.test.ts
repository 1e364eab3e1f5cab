import { describe, expect, it } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { minute, second } from '../../src/domain/clock.ts'
import type { SessionId } from '../../src/domain/ids.ts'
import type { SessionKind } from '../../src/domain/session.ts'
import { session } from '../../src/machines/session.ts'
import { cycleId, pauseAfter, type SessionContext, type SessionInput } from '../../src/machines/session-words.ts'
import { goldenRows } from './golden.ts'
import { altered, breaches, deadEnds, type Rule, type Walked, walk } from './walk.ts'

const input = (kind: SessionKind): SessionInput => ({
  id: 'session_1' as SessionId,
  agent: 'anna',
  session: 'plans',
  kind,
  inbound: 0,
  cursor: 0,
  since: null,
})

const failure = { code: 'model/down', message: 'down' }
const unknown = { code: 'effect/unknown-outcome', message: 'it may have happened' }
const mostMessages = 3

/** Answers that were handed over, as the newest message that each answers, and those that may have been. */
interface Seen {
  handedOver: number[]
}

const walked = (kind: SessionKind = 'peer', chart: AnyStateMachine = session): Walked<SessionContext, Seen> =>
  walk<SessionContext, Seen>({
    chart,
    input: input(kind),
    events: ({ context }) => {
      const next = context.inbound + 1
      const known = { type: 'wake', seq: context.inbound, at: 1 }
      return next > mostMessages ? [known] : [{ type: 'message', seq: next, at: next }, known]
    },
    outcomes: {
      normalize: { done: [null], failed: [failure] },
      reflex: { done: [{ kind: 'reply' }, { kind: 'defer' }], failed: [failure] },
      brief: { done: [null], failed: [failure] },
      execute: { done: [{ answered: true }, { answered: false }], failed: [failure] },
      compress: { done: [null], failed: [failure] },
      worldDiff: { done: [null], failed: [failure] },
      compile: { done: [null], failed: [failure] },
      deliver: { done: [null], failed: [failure, unknown] },
      contextGuard: { done: [null], failed: [failure] },
    },
    project: ({ context: { inbound, cursor, since, through, resume, delivery, attempts }, seen }) => [
      inbound,
      cursor,
      since,
      through,
      resume,
      delivery,
      attempts > 0,
      seen.handedOver,
    ],
    seen: { handedOver: [] },
    // One that was handed over twice is enough to know.
    remember: (seen, { event, from }) =>
      isHandOver(event) && new Set(seen.handedOver).size === seen.handedOver.length
        ? { handedOver: [...seen.handedOver, from.context.through] }
        : seen,
  })

const isHandOver = ({ type, error }: AnyEventObject): boolean =>
  type === 'xstate.done.actor.deliver' || (type === 'xstate.error.actor.deliver' && error.code === unknown.code)

const rules: Rule<SessionContext, Seen>[] = [
  {
    says: 'moves the cursor when an answer was handed over, to what it answers, and at no other time',
    step: ({ event, from, to }) =>
      isHandOver(event)
        ? to.context.cursor === from.context.through && to.context.cursor > from.context.cursor
        : to.context.cursor === from.context.cursor,
  },
  {
    says: 'hands over one answer to a message and no more',
    place: ({ seen: { handedOver } }) => new Set(handedOver).size === handedOver.length,
  },
  {
    says: 'works only when there is something to answer',
    place: ({ state, context }) =>
      !state.startsWith('waking') || state === 'waking.contextGuard' || context.through > context.cursor,
  },
  {
    says: 'does not rest while something is unanswered',
    place: ({ state, context }) => state !== 'idle' || context.inbound === context.cursor,
  },
  {
    says: 'does not take a message into a wake that has begun',
    step: ({ event, from, to }) => event.type !== 'message' || from.context.through === to.context.through,
  },
  {
    says: 'goes back to work that has an answer and does not ask anew',
    step: ({ from, to }) =>
      from.context.resume === null ||
      from.context.resume === 'execute' ||
      to.context.through === from.context.through ||
      to.context.cursor === from.context.through,
  },
  {
    says: 'says what failed while it waits to try again',
    place: ({ state, context }) => state !== 'retrying' || (context.failure !== null && context.attempts > 0),
  },
  {
    says: 'tries again nothing that may have arrived',
    step: ({ event, to }) => !isHandOver(event) || to.state === 'waking.contextGuard',
  },
  { says: 'never ends', place: ({ status }) => status === 'active' },
]

describe('the session chart', () => {
  const whole = walked()

  it.each(['peer', 'master'] as const)('keeps its rules on every path of a %s session', (kind) => {
    expect(breaches(walked(kind), rules)).toEqual([])
  })

  it('can always come to rest with everything answered', () => {
    expect(deadEnds(whole, ({ state }) => state === 'idle')).toEqual([])
  })

  it('reaches every state that it has, and shows no other', () => {
    const steps = [
      'normalize',
      'reflex',
      'brief',
      'execute',
      'compress',
      'worldDiff',
      'compile',
      'deliver',
      'contextGuard',
    ]
    expect(new Set(whole.places.map(({ state }) => state))).toEqual(
      new Set(['idle', 'debouncing.settling', 'retrying', ...steps.map((step) => `waking.${step}`)]),
    )
  })

  it("asks the reflex agent of a peer's session only", () => {
    expect(walked('master').places.some(({ state }) => state === 'waking.reflex')).toBe(false)
  })

  it('lets the user hurry one that has failed, and nobody else', () => {
    const hurried = (kind: SessionKind) =>
      walked(kind).steps.some(
        ({ event, from, to }) => event.type === 'message' && from.state === 'retrying' && to.state !== 'retrying',
      )
    expect(hurried('peer')).toBe(false)
    expect(hurried('master')).toBe(true)
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, session, { kind: 'session', id: 'session_1', version: 1 })
    await expect(rows).toMatchFileSnapshot('golden/session-1.json')
  })
})

describe('the pause before an attempt', () => {
  it('is 5, 15 and 45 seconds, then ten minutes, doubling up to an hour', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 500].map(pauseAfter)
    const long = [10, 20, 40, 60, 60, 60].map((minutes) => minutes * minute)
    expect(pauses).toEqual([5 * second, 15 * second, 45 * second, ...long])
  })
})

describe('the id of a cycle', () => {
  it('is that of its session and of the newest message it answers', () => {
    expect(cycleId('session_1' as SessionId, 7)).toBe('session_1:7')
  })
})

describe('a fault planted in the session chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked('peer', altered(session, plant)), rules)

  it('a cursor that moves before the answer is out', () => {
    const faults = found((chart) => {
      chart.states.waking!.states.compile!.invoke.onDone = {
        target: 'deliver',
        actions: { type: 'noteHandedOver', params: { delivery: 'delivered' } },
      }
    })
    expect(faults).toContainEqual(expect.stringContaining('moves the cursor'))
  })

  it('a delivery of unknown outcome that is tried again', () => {
    const faults = found((chart) => {
      const errors = chart.states.waking!.states.deliver!.invoke.onError as unknown[]
      errors.shift()
    })
    expect(faults).toContainEqual(expect.stringContaining('may have arrived'))
  })

  it('a rest with a message unanswered', () => {
    const faults = found((chart) => {
      chart.states.waking!.states.contextGuard!.invoke.onDone = '#session.idle'
    })
    expect(faults).toContainEqual(expect.stringContaining('does not rest'))
  })
})
