import { describe, expect, it } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { minute } from '../../src/domain/clock.ts'
import type { WorldId } from '../../src/domain/ids.ts'
import { instance } from '../../src/machines/instance.ts'
import { type InstanceContext, tickIdOf } from '../../src/machines/instance-words.ts'
import { goldenRows } from './golden.ts'
import { altered, breaches, deadEnds, type Rule, type Walked, walk } from './walk.ts'

const world = 'memory' as WorldId
const tickEnds = ['quiet', 'done', 'failed', 'superseded', 'cancelled', 'timedOut'] as const
const [here, elsewhere] = ['memory|openai:one', 'memory|openai:two']
const codes = ['model/busy', 'model/rate-cap', 'world/halted']
const grace = 'xstate.after.grace.instance.superseding'

/** What the world outside the chart knows of its ticks. */
interface Seen {
  /** The tick that was started and has neither ended nor been given up after the grace. */
  running: string | null
  /** How many ticks in a row had to leave before they had finished. */
  inARow: number
  /** A tick was asked for and none has been started since. */
  waits: boolean
}

const evaluation = 'ev_1'
const by = { by: 'user', answer: 'answer_1' }
const answers: AnyEventObject[] = [
  { type: 'approve', evaluation, digest: 'd', ...by },
  { type: 'dismiss', evaluation, reason: 'user', ...by },
  { type: 'respond', evaluation, text: 'why?', ...by },
  { type: 'checked', evaluation, happened: true, ...by },
  { type: 'cancelEvaluation', evaluation, reason: 'enough', ...by },
]
const isAnswer = ({ type }: AnyEventObject): boolean => answers.some((answer) => answer.type === type)

const starts = (from: InstanceContext, to: InstanceContext): boolean => to.generation > from.generation

const lifts = (from: InstanceContext, to: InstanceContext): boolean => from.halt !== null && to.halt === null

/** How many generations ago a tick was started; all that is long ago is alike. */
const ageOf = (tick: string | null, { generation }: InstanceContext): number | null =>
  tick === null ? null : Math.min(2, generation - Number(tick.split('_').at(-1)))

const walked = (chart: AnyStateMachine = instance, overlap: 'supersede' | 'finish' = 'supersede') =>
  walk<InstanceContext, Seen>({
    chart,
    input: { world, overlap },
    events: ({ context, seen }) => [
      { type: 'tick' },
      { type: 'trigger', force: true },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'stop' },
      { type: 'cancelTick', reason: 'enough' },
      { type: 'settingsChanged', overlap: 'supersede' },
      { type: 'settingsChanged', overlap: 'finish' },
      { type: 'routeChanged', signature: here },
      { type: 'routeChanged', signature: elsewhere },
      ...answers,
      ...tickEnds.flatMap((end) =>
        [seen.running, tickIdOf(world, context.generation - 1)].flatMap((tick) =>
          tick === null
            ? []
            : (end === 'failed' ? codes : [null]).map((code) => ({
                type: 'tickSettled',
                tick,
                end,
                reason: code,
                code,
                signature: here,
                more: false,
                at: 5,
              })),
        ),
      ),
    ],
    outcomes: {},
    project: ({ context, seen }) => [
      context.overlap,
      ageOf(context.tick, context),
      context.next,
      Math.min(context.superseded, 2),
      Math.min(context.consecutiveFailures, 1),
      context.lastTickAt === null,
      context.halt && Math.min(2, context.halt.times),
      ageOf(seen.running, context),
      seen.inARow,
      seen.waits,
    ],
    seen: { running: null, inARow: 0, waits: false },
    remember(seen, { from, event, to }) {
      const asked =
        (event.type === 'tick' || event.type === 'trigger') && from.state !== 'paused' && from.state !== 'stopped'
      const settled = event.type === 'tickSettled' && event.tick === seen.running
      const superseded = event.type === grace || (settled && event.end === 'superseded')
      const finished = settled && event.end !== 'superseded' && event.end !== 'cancelled'
      const began = starts(from.context, to.context)
      return {
        running: began ? to.context.tick : settled || event.type === grace ? null : seen.running,
        inARow: finished ? 0 : Math.min(2, seen.inARow + Number(superseded)),
        waits: !began && to.state !== 'paused' && to.state !== 'stopped' && (asked || seen.waits),
      }
    },
  })

const mayTick = (state: string): boolean => state !== 'paused' && state !== 'stopped'

const rules: Rule<InstanceContext, Seen>[] = [
  {
    says: 'starts a tick only when the former has ended or was given up',
    step: ({ from, event, to }) =>
      !starts(from.context, to.context) ||
      from.seen.running === null ||
      event.type === grace ||
      (event.type === 'tickSettled' && event.tick === from.seen.running),
  },
  {
    says: 'starts every tick under a generation of its own, and tells the seat',
    step: ({ from, to, actions }) =>
      actions.filter(({ type }) => type === 'startTick').length === to.context.generation - from.context.generation &&
      to.context.generation - from.context.generation <= 1,
  },
  {
    says: 'lets the third tick finish after two were superseded in a row',
    step: ({ from, to }) => from.seen.inARow < 2 || from.state !== 'ticking' || to.state !== 'superseding',
  },
  {
    says: 'supersedes nothing while ticks are to finish',
    step: ({ from, to }) => from.context.overlap !== 'finish' || from.state !== 'ticking' || to.state !== 'superseding',
  },
  {
    says: 'keeps a tick that was asked for until it has been started',
    place: ({ seen, context, state }) => !seen.waits || context.next !== null || state === 'ticking',
  },
  {
    says: 'starts no tick that nobody has asked for',
    step: ({ from, event, to }) =>
      !starts(from.context, to.context) || from.seen.waits || event.type === 'tick' || event.type === 'trigger',
  },
  {
    says: 'starts nothing while it is paused or stopped',
    step: ({ from, to }) => mayTick(from.state) || !starts(from.context, to.context),
  },
  {
    says: 'hands every answer on, once, in every state, and moves nothing',
    step: ({ from, event, to, actions }) =>
      !isAnswer(event) ||
      (to.state === from.state &&
        actions.length === 1 &&
        actions[0]?.type === 'forwardAnswer' &&
        JSON.stringify(actions[0].params) === JSON.stringify(event)),
  },
  {
    says: 'asks the running tick to leave when the user wants quiet',
    step: ({ from, event, to, actions }) =>
      event.type !== 'pause' ||
      from.state !== 'ticking' ||
      (to.state === 'paused' && actions.some(({ type }) => type === 'cancelTick')),
  },
  {
    says: 'moves its last time only for a tick that committed',
    step: ({ from, event, to }) =>
      to.context.lastTickAt === from.context.lastTickAt ||
      (event.type === 'tickSettled' && (event.end === 'done' || event.end === 'quiet')),
  },
  {
    says: 'counts failures in a row, and begins anew after a tick that did not fail',
    step: ({ from, event, to }) => {
      const settles = event.type === 'tickSettled' && event.tick === from.context.tick && to.context.tick !== event.tick
      const before = from.context.consecutiveFailures
      if (!settles) return to.context.consecutiveFailures === (lifts(from.context, to.context) ? 0 : before)
      if (event.code === 'world/halted') return to.context.consecutiveFailures === before
      if (event.end === 'failed' || event.end === 'timedOut') return to.context.consecutiveFailures === before + 1
      return to.context.consecutiveFailures === (event.end === 'done' || event.end === 'quiet' ? 0 : before)
    },
  },
  {
    says: 'halts when its provider will not serve it, and at no other time',
    step: ({ from, event, to }) =>
      from.context.halt === to.context.halt ||
      to.context.halt === null ||
      (event.type === 'tickSettled' && event.end === 'failed' && event.code === 'model/rate-cap'),
  },
  {
    says: 'asks again as usual only after a tick that came through, another route, or the word of the user',
    step: ({ from, event, to }) =>
      !lifts(from.context, to.context) ||
      (event.type === 'tickSettled' && event.end === 'done') ||
      (event.type === 'routeChanged' && event.signature === elsewhere) ||
      event.type === 'resume',
  },
  {
    says: 'rests halted as long as it is halted, and never otherwise',
    place: ({ state, context }) =>
      (state !== 'resting' || context.halt === null) && (state !== 'halted' || context.halt !== null),
  },
  {
    says: 'hands its halt on to every tick that it starts',
    step: ({ from, to, actions }) =>
      !starts(from.context, to.context) ||
      actions.some(
        ({ type, params }) =>
          type === 'startTick' && JSON.stringify((params as InstanceContext).halt) === JSON.stringify(to.context.halt),
      ),
  },
  {
    says: 'waits longer each time that it halts of the same, up to six hours',
    step: ({ from, event, to }) => {
      const { halt } = to.context
      if (halt === null || halt === from.context.halt || event.type !== 'tickSettled') return true
      const times = (from.context.halt?.times ?? 0) + 1
      return halt.times === times && halt.openAt === event.at + Math.min(360, 15 * 2 ** (times - 1)) * minute
    },
  },
  {
    says: 'ignores the end of a tick that it has given up',
    step: ({ from, event, moved }) => event.type !== 'tickSettled' || event.tick === from.context.tick || !moved,
  },
]

const resting = (way: Walked<InstanceContext, Seen>) => deadEnds(way, ({ state }) => state === 'resting')

describe('the instance chart', () => {
  const whole = walked()

  for (const overlap of ['supersede', 'finish'] as const) {
    it(`keeps one tick at a time and starves none when ticks ${overlap}`, () => {
      expect(breaches(walked(instance, overlap), rules)).toEqual([])
    })
  }

  it('can always come to rest', () => {
    expect(resting(whole)).toEqual([])
  })

  it('reaches every state that it has', () => {
    expect(new Set(whole.places.map(({ state }) => state))).toEqual(
      new Set(['resting', 'ticking', 'superseding', 'halted', 'paused', 'stopped']),
    )
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, instance, { kind: 'instance', id: 'instance_memory', version: 2 })
    await expect(rows).toMatchFileSnapshot('golden/instance-2.json')
  })
})

describe('a fault planted in the instance chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked(altered(instance, plant)), rules)

  it('a second tick beside the first', () => {
    const faults = found((chart) => {
      chart.states.ticking!.on.tick = { target: 'ticking', reenter: true }
    })
    expect(faults).toContainEqual(expect.stringContaining('starts a tick only when the former'))
  })

  it('a world that is superseded for ever', () => {
    const faults = found((chart) => {
      const first = (chart.states.ticking!.on.trigger as { guard?: unknown }[])[0]!
      delete first.guard
    })
    expect(faults).toContainEqual(expect.stringContaining('lets the third tick finish'))
  })

  it('an answer that a paused world keeps to itself', () => {
    const faults = found((chart) => {
      chart.states.paused!.on.approve = {}
    })
    expect(faults).toContainEqual(expect.stringContaining('hands every answer on'))
  })

  it('a trigger that is lost while a tick runs', () => {
    const faults = found((chart) => {
      chart.states.superseding!.on.trigger = {}
      chart.states.ticking!.on.trigger = {}
    })
    expect(faults).toContainEqual(expect.stringContaining('keeps a tick that was asked for'))
  })

  it('a halted world that forgets why', () => {
    const faults = found((chart) => {
      chart.states.halted!.on.trigger = { target: 'ticking', actions: ['liftHalt', 'newGeneration'] }
    })
    expect(faults).toContainEqual(expect.stringContaining('asks again as usual only after'))
  })

  it('a halted world that rests as if nothing were', () => {
    const faults = found((chart) => {
      const always = [{ guard: 'tickIsWaiting', target: 'ticking' }, { target: 'resting' }]
      Object.assign(chart.states.settled!, { always })
    })
    expect(faults).toContainEqual(expect.stringContaining('rests halted as long as it is halted'))
  })

  it('a pause from which there is no way back', () => {
    const chart = altered(instance, (config) => {
      delete config.states.paused!.on.resume
      delete config.states.paused!.on.stop
    })
    expect(resting(walked(chart))).toContainEqual(expect.stringContaining('paused after pause'))
  })
})
