import { describe, expect, it } from 'vitest'
import { type AnyStateMachine, createActor } from 'xstate'
import { charts } from '../../src/machines/index.ts'
import { nodesOf } from './walk.ts'

/** Enough for any chart's context; what a chart makes of its input is its own test's concern. */
const limits = { steps: 1, tokens: 1, size: 1, wallClockMs: 1 }
const input = { id: 'x_1', world: 'memory', overlap: 'supersede', tick: null, generation: 1, limits }

describe.each(Object.entries<AnyStateMachine>(charts))('the %s chart', (name, chart) => {
  it('can be made and started', () => {
    const actor = createActor(chart, { input })
    actor.subscribe({ error: (error) => expect.fail(String(error)) })
    actor.start()
    expect(actor.getSnapshot().status).toBe('active')
    actor.stop()
  })

  it('bears the name by which it is looked up', () => {
    expect(chart.id).toBe(name)
  })

  it('has a target for every transition and somebody to ask for everything it names', () => {
    const { actions, guards, actors, delays } = chart.implementations
    for (const node of nodesOf(chart.root)) {
      const ways = [...node.transitions.values()].flat()
      for (const { target } of ways) for (const state of target ?? []) expect(state.machine).toBe(chart)
      for (const { src } of node.invoke) expect(Object.keys(actors)).toContain(src)
      for (const { delay } of node.after) expect(Object.keys(delays)).toContain(delay)
      for (const { guard } of ways) if (guard) expect(Object.keys(guards)).toContain(nameOf(guard))
      const asked = [...node.entry, ...node.exit, ...ways.flatMap((way) => way.actions)].map(nameOf)
      for (const action of asked) if (!action.startsWith('xstate.')) expect(Object.keys(actions)).toContain(action)
    }
  })
})

const nameOf = (named: unknown): string =>
  typeof named === 'string'
    ? named
    : typeof named === 'object' && named !== null && 'type' in named
      ? String(named.type)
      : 'xstate.own'
