import { describe, expect, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import type { ActorId, CallId, TickId, WorldId } from '../../src/domain/ids.ts'
import { tick } from '../../src/machines/tick.ts'
import type { TickContext, TickInput } from '../../src/machines/tick-words.ts'
import { goldenRows } from './golden.ts'
import { altered, breaches, deadEnds, type Rule, walk } from './walk.ts'

const ends = ['quiet', 'done', 'failed', 'superseded', 'cancelled', 'timedOut']

const input: TickInput = {
  id: 'tick_memory_1' as TickId,
  world: 'memory' as WorldId,
  instance: 'instance_memory' as ActorId,
  generation: 1,
  force: false,
  halt: null,
}

interface Seen {
  /** Batches for which the model was asked, and those whose verdicts were handed out. */
  judged: number
  dealt: number
  /** Whether the profile's question was asked, and answered. */
  asked: boolean
  answered: boolean
  committing: boolean
  withdrawn: boolean
  told: number
}

const failure = { code: 'model/down', message: 'down' }
const observed = (toJudge: number) => ({
  toJudge,
  token: 3,
  tainted: false,
  callsAvoided: 0,
  rendered: 'seen',
  more: toJudge > 0,
})
const asking = 'working.asking'
const judging = 'working.reflecting.judging'
const dealing = 'working.reflecting.dealing'
const settling = 'working.reflecting.settling'
const committing = 'working.committing'

const walked = (chart: AnyStateMachine = tick) =>
  walk<TickContext, Seen>({
    chart,
    input,
    events: () => [
      { type: 'supersede' },
      { type: 'cancel', reason: 'enough' },
      { type: 'evaluationSettled', remaining: 1 },
      { type: 'evaluationSettled', remaining: 0 },
    ],
    outcomes: {
      observe: { done: [observed(0), observed(2)], failed: [failure] },
      open: {
        done: [
          ...[0, 1, 2].map((batches) => ({ batches, evaluations: 2 * batches, asks: false })),
          { batches: 0, evaluations: 0, asks: true },
        ],
        failed: [failure],
      },
      ask: {
        done: [
          { call: 'call_1' as CallId, calls: 1, answer: { text: 'so' }, broken: null },
          { call: 'call_1' as CallId, calls: 2, answer: null, broken: 'no form' },
        ],
        failed: [failure],
      },
      judge: { done: [{ call: 'call_1' as CallId, calls: 2 }], failed: [failure] },
      deal: { done: [{ remaining: 0 }, { remaining: 1 }], failed: [failure] },
      withdraw: { done: [{ remaining: 0 }], failed: [failure] },
      commit: { done: [null], failed: [failure] },
    },
    project: ({ context, seen }) => {
      const { batches, batch, batchesFailed, evaluations, failure: why, end } = context
      return [batches, batch, batchesFailed, evaluations, why === null, end, context.modelCalls, context.answer, seen]
    },
    seen: { judged: 0, dealt: 0, asked: false, answered: false, committing: false, withdrawn: false, told: 0 },
    remember: (seen, { from, event, to, actions }) => {
      const enters = (state: string) => to.state === state && to.context.visit > from.context.visit
      return {
        judged: seen.judged + Number(enters(judging)),
        dealt: seen.dealt + Number(enters(dealing)),
        asked: seen.asked || to.state === asking,
        answered: seen.answered || (from.state === asking && event.type === 'xstate.done.actor.ask'),
        committing: seen.committing || to.state === committing,
        withdrawn: seen.withdrawn || to.state === 'leaving',
        told: seen.told + actions.filter(({ type }) => type === 'tellInstance').length,
      }
    },
  })

const rules: Rule<TickContext, Seen>[] = [
  {
    says: 'commits only what was neither superseded, cancelled nor out of time, and whose judging did not fail',
    step: ({ from, to }) =>
      to.state !== committing ||
      from.state === committing ||
      (!from.seen.withdrawn && from.context.end === null && to.context.batchesFailed < Math.max(1, to.context.batches)),
  },
  {
    says: 'is done or quiet only once the commit is',
    step: ({ from, event, to }) =>
      !['done', 'quiet'].includes(to.state) ||
      from.status === 'done' ||
      (from.state === committing && event.type === 'xstate.done.actor.commit'),
  },
  {
    says: 'is quiet only when it has judged nothing and asked no model',
    place: ({ state, seen, context }) =>
      state !== 'quiet' || (seen.judged === 0 && !seen.asked && context.modelCalls === 0 && context.evaluations === 0),
  },
  {
    says: 'asks no model when there is nothing to judge',
    step: ({ event, to }) =>
      event.type !== 'xstate.done.actor.observe' || event.output.toJudge > 0 || to.state === committing,
  },
  {
    says: 'commits after its own question only when that was answered, and hands on what was read',
    place: ({ state, seen, context }) =>
      (state !== committing && state !== 'done') ||
      (seen.asked === seen.answered && (context.answer === null || seen.answered)),
  },
  {
    says: 'fails when its question could not be asked, and judges nothing beside it',
    step: ({ from, event, to }) =>
      from.state !== asking ||
      (to.context.batches === 0 && (event.type !== 'xstate.error.actor.ask' || to.state === 'failed')),
  },
  {
    says: 'judges each batch once, and deals each one after it was judged',
    place: ({ seen, context, state }) =>
      seen.judged <= context.batches &&
      seen.dealt <= seen.judged &&
      (state !== 'done' || (seen.judged === context.batches && seen.dealt === context.batches)),
  },
  {
    says: 'goes on from settling only when nothing remains',
    step: ({ from, event, to }) =>
      from.state !== settling ||
      to.state === settling ||
      to.state === 'leaving' ||
      (event.type === 'evaluationSettled' && event.remaining === 0),
  },
  {
    says: 'leaves at once when it is superseded, cancelled or out of time, until it has ended',
    step: ({ from, event, to }) => {
      const asked = event.type === 'supersede' || event.type === 'cancel' || event.type.startsWith('xstate.after')
      if (!asked) return true
      return from.state.startsWith('working') ? to.state === 'leaving' : to.state === from.state
    },
  },
  {
    says: 'calls its evaluations back before it ends superseded, cancelled or out of time',
    place: ({ state, seen }) => !['superseded', 'cancelled', 'timedOut'].includes(state) || seen.withdrawn,
  },
  {
    says: 'keeps the first reason for leaving',
    step: ({ from, to }) => from.state !== 'leaving' || from.context.end === to.context.end,
  },
  {
    says: 'calls its evaluations back when it fails while some of them may be open',
    step: ({ from, to }) =>
      to.state !== 'failed' ||
      from.status === 'done' ||
      from.state === 'leaving' ||
      from.state === 'working.observing' ||
      from.state === committing ||
      from.state === asking ||
      to.context.batchesFailed === to.context.batches,
  },
  {
    says: 'tells its instance how it ended, once, when it has ended',
    place: ({ status, seen }) => seen.told === (status === 'done' ? 1 : 0),
  },
  {
    says: 'ends where the design says, and nowhere else',
    place: ({ state, status }) => ends.includes(state) === (status === 'done') && status !== 'error',
  },
]

describe('the tick chart', () => {
  const whole = walked()

  it('keeps the rules of a tick on every path', () => {
    expect(breaches(whole, rules)).toEqual([])
  })

  it('can always come to an end', () => {
    expect(deadEnds(whole, ({ status }) => status === 'done')).toEqual([])
  })

  it('reaches every state that it has', () => {
    expect(new Set(whole.places.map(({ state }) => state))).toEqual(
      new Set([
        ...ends,
        'working.observing',
        'working.preparing',
        asking,
        judging,
        dealing,
        settling,
        committing,
        'leaving',
      ]),
    )
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, tick, { kind: 'tick', id: 'tick_memory_1', version: 2 })
    await expect(rows).toMatchFileSnapshot('golden/tick-2.json')
  })
})

describe('a fault planted in the tick chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked(altered(tick, plant)), rules)

  it('a superseded tick that commits all the same', () => {
    const faults = found((chart) => {
      const ways = chart.states.leaving!.invoke.onDone as { target: string }[]
      ways[0]!.target = 'working.committing'
    })
    expect(faults).toContainEqual(expect.stringContaining('commits only what was neither superseded'))
  })

  it('a tick that commits although nothing could be judged', () => {
    const faults = found((chart) => {
      const { states } = chart.states.working!.states.reflecting!
      Object.assign(states.reflected!, { always: [{ target: '#tick.working.committing' }] })
    })
    expect(faults).toContainEqual(expect.stringContaining('commits only what was neither superseded'))
  })

  it('a tick that does not wait for its evaluations', () => {
    const faults = found((chart) => {
      const { states } = chart.states.working!.states.reflecting!
      states.settling!.on.evaluationSettled = 'reflected'
    })
    expect(faults).toContainEqual(expect.stringContaining('goes on from settling only when nothing remains'))
  })

  it('a tick that asks a model about nothing', () => {
    const faults = found((chart) => {
      const ways = chart.states.working!.states.observing!.invoke.onDone as { target: string }[]
      ways[0]!.target = 'preparing'
    })
    expect(faults).toContainEqual(expect.stringContaining('asks no model when there is nothing to judge'))
  })

  it('a tick that commits although its question was never answered', () => {
    const faults = found((chart) => {
      Object.assign(chart.states.working!.states.asking!.invoke.onError as object, { target: 'committing' })
    })
    expect(faults).toContainEqual(expect.stringContaining('commits after its own question only when that was answered'))
  })

  it('a tick that waits for ever', () => {
    const chart = altered(tick, (config) => {
      config.states.working!.on = {}
      config.states.working!.after = {}
      config.states.working!.states.reflecting!.states.settling!.on = {}
    })
    expect(deadEnds(walked(chart), ({ status }) => status === 'done')).toContainEqual(expect.stringContaining(settling))
  })
})
