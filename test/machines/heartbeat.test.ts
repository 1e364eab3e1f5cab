import { describe, expect, it } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { heartbeat } from '../../src/machines/heartbeat.ts'
import { goldenRows } from './golden.ts'
import { altered, breaches, deadEnds, type Rule, walk } from './walk.ts'

const evaluation = 'ev_1'
const by = { by: 'user', answer: 'answer_1' }
const answers: AnyEventObject[] = [
  { type: 'approve', evaluation, digest: 'd', ...by },
  { type: 'dismiss', evaluation, reason: 'user', ...by },
  { type: 'respond', evaluation, text: 'why?', ...by },
  { type: 'checked', evaluation, happened: false, ...by },
  { type: 'cancelEvaluation', evaluation, reason: 'enough', ...by },
]
const timer = 'xstate.after.untilNextBeat.heartbeat.sleeping'

const walked = (chart: AnyStateMachine = heartbeat) =>
  walk<object, null>({
    chart,
    input: undefined,
    events: () => [
      { type: 'start' },
      { type: 'stop' },
      { type: 'reschedule' },
      { type: 'trigger', world: 'memory', force: false },
      ...answers,
    ],
    outcomes: {},
    project: () => null,
    seen: null,
  })

const forwards: Record<string, string> = {
  trigger: 'triggerInstance',
  ...Object.fromEntries(answers.map(({ type }) => [type, 'forwardAnswer'])),
}

const rules: Rule<object, null>[] = [
  {
    says: 'hands on every answer and every trigger, once, whether it beats or not, and moves nothing',
    step: ({ from, event, to, actions }) =>
      !(event.type in forwards) ||
      (to.state === from.state &&
        actions.length === 1 &&
        actions[0]?.type === forwards[event.type] &&
        JSON.stringify(actions[0]?.params) === JSON.stringify(event)),
  },
  {
    says: 'beats when it is started and when its time has come, and never else',
    step: ({ from, event, actions }) =>
      actions.some(({ type }) => type === 'tickDueInstances') ===
      (event.type === timer || (event.type === 'start' && from.state === 'stopped')),
  },
  {
    says: 'never rests while it is beating',
    place: ({ state }) => state === 'stopped' || state === 'sleeping',
  },
  {
    says: 'sleeps on with a new alarm when what is due has changed',
    step: ({ from, event, to, actions }) =>
      event.type !== 'reschedule' ||
      from.state !== 'sleeping' ||
      (to.state === 'sleeping' && actions.filter(({ type }) => type === 'xstate.raise').length === 1),
  },
  {
    says: 'always has an alarm while it sleeps',
    step: ({ from, to, actions }) =>
      to.state !== 'sleeping' || from.state === 'sleeping' || actions.some(({ type }) => type === 'xstate.raise'),
  },
]

describe('the heartbeat chart', () => {
  it('keeps its rules on every path', () => {
    expect(breaches(walked(), rules)).toEqual([])
  })

  it('can always be stopped and always be started', () => {
    expect(deadEnds(walked(), ({ state }) => state === 'stopped')).toEqual([])
    expect(deadEnds(walked(), ({ state }) => state === 'sleeping')).toEqual([])
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(walked(), heartbeat, { kind: 'heartbeat', id: 'heartbeat', version: 1 })
    await expect(rows).toMatchFileSnapshot('golden/heartbeat-1.json')
  })
})

describe('a fault planted in the heartbeat chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked(altered(heartbeat, plant)), rules)

  it('an answer that goes nowhere', () => {
    const faults = found((chart) => {
      delete chart.on.dismiss
    })
    expect(faults).toContainEqual(expect.stringContaining('hands on every answer'))
  })

  it('a beat that ticks nobody', () => {
    const faults = found((chart) => {
      Object.assign(chart.states.beating!, { entry: [] })
    })
    expect(faults).toContainEqual(expect.stringContaining('beats when it is started'))
  })

  it('a change of what is due that nobody notices', () => {
    const faults = found((chart) => {
      chart.states.sleeping!.on.reschedule = {}
    })
    expect(faults).toContainEqual(expect.stringContaining('sleeps on with a new alarm'))
  })

  it('a sleep without an alarm', () => {
    const faults = found((chart) => {
      chart.states.sleeping!.after = {}
    })
    expect(faults).toContainEqual(expect.stringContaining('always has an alarm'))
  })
})
