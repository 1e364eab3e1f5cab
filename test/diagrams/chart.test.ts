import { describe, expect, it } from 'vitest'
import { createMachine, fromPromise } from 'xstate'
import { type Chart, type ChartEdge, chartOf } from '../../src/diagrams/chart.ts'
import { awkward, leaf, sample } from './sample.ts'

const chart = chartOf(sample)
const node = (id: string, of: Chart = chart) => of.nodes.find((each) => each.id === id)
const edges = (from: string, of: Chart = chart) => of.edges.filter((edge) => edge.from === from)
const isEvent = (type: string) => (edge: ChartEdge) => edge.trigger.kind === 'event' && edge.trigger.type === type

describe('a chart', () => {
  it('holds every state once, in document order, with its place', () => {
    expect(chart.nodes.map(({ key, kind, parent }) => [key, kind, parent])).toEqual([
      ['evaluation', 'compound', null],
      ['inProgress', 'compound', 'evaluation'],
      ['judging', 'atomic', 'evaluation.inProgress'],
      ['executing', 'atomic', 'evaluation.inProgress'],
      ['analysing', 'atomic', 'evaluation.inProgress'],
      ['carriedOut', 'final', 'evaluation.inProgress'],
      ['awaitingApproval', 'atomic', 'evaluation'],
      ...['acted', 'skipped', 'dismissed', 'failed', 'cancelled', 'superseded'].map((key) => [
        key,
        'final',
        'evaluation',
      ]),
    ])
    expect(node('evaluation.inProgress')?.initial).toBe('evaluation.inProgress.judging')
    expect(node('evaluation.inProgress.judging')?.initial).toBeNull()
  })

  it('names entry and exit actions, invoked actors and tags, and none of what XState adds for its timers', () => {
    expect(node('evaluation.awaitingApproval')).toMatchObject({
      entry: [
        { name: 'showCard', onlyNotes: false },
        { name: 'assign', onlyNotes: true },
      ],
      exit: [{ name: 'withdrawCard', onlyNotes: false }],
      tags: ['waiting'],
    })
    expect(node('evaluation.inProgress.judging')).toMatchObject({ invokes: ['judge'], entry: [], exit: [] })
  })

  it('says which transitions are ends of work, failures of work, delays, and ends of a composite', () => {
    expect(edges('evaluation.inProgress.judging').map((edge) => [edge.trigger, edge.to, edge.guard])).toEqual([
      [{ kind: 'done', of: 'judge' }, 'evaluation.skipped', 'isSkip'],
      [{ kind: 'done', of: 'judge' }, 'evaluation.inProgress.executing', 'isAct'],
      [{ kind: 'done', of: 'judge' }, 'evaluation.inProgress.analysing', null],
      [{ kind: 'error', of: 'judge' }, 'evaluation.failed', null],
      [{ kind: 'after', delay: 90_000 }, 'evaluation.failed', null],
    ])
    expect(edges('evaluation.inProgress')).toContainEqual({
      from: 'evaluation.inProgress',
      to: 'evaluation.acted',
      trigger: { kind: 'finished' },
      guard: null,
      actions: [],
      reenter: false,
    })
    expect(edges('evaluation.awaitingApproval')).toContainEqual(
      expect.objectContaining({ trigger: { kind: 'after', delay: 'patience' }, to: 'evaluation.dismissed' }),
    )
  })

  it('spells out combined guards and tells notes from deeds', () => {
    expect(edges('evaluation.awaitingApproval').find(isEvent('approve'))).toMatchObject({
      guard: 'digestMatches and not isExpired',
      actions: [
        { name: 'tell', onlyNotes: false },
        { name: 'noteTry', onlyNotes: true },
      ],
    })
  })

  it('tells a transition that only acts from one that goes somewhere', () => {
    expect(edges('evaluation').map((edge) => edge.to)).toEqual(['evaluation.cancelled', null])
    expect(edges('evaluation.inProgress.analysing').find(isEvent('again'))).toMatchObject({
      to: 'evaluation.inProgress.analysing',
      reenter: true,
    })
  })

  it('knows regions and histories', () => {
    const regions = chartOf(awkward)
    expect(node('awkward <&> "chart".right.on', regions)).toMatchObject({ kind: 'parallel', initial: null })
    expect(node('awkward <&> "chart".left.remembered', regions)).toMatchObject({ kind: 'history', history: 'deep' })
  })

  it('can be made of a machine that is one state', () => {
    expect(chartOf(leaf)).toMatchObject({
      nodes: [{ id: 'leaf', kind: 'atomic' }],
      edges: [{ from: 'leaf', to: null, trigger: { kind: 'event', type: 'go' } }],
    })
  })

  it('has a name for parts that were put in place without one', () => {
    const unnamed = createMachine({
      id: 'unnamed',
      initial: 'a',
      states: {
        a: {
          entry: [() => {}],
          invoke: { src: fromPromise(async () => 1), onDone: { guard: () => true, target: 'b' } },
          always: [
            {
              guard: function isLate() {
                return false
              },
              target: 'b',
            },
          ],
        },
        b: {},
      },
    })
    const { nodes, edges: all } = chartOf(unnamed)
    expect(nodes[1]).toMatchObject({ entry: [{ name: 'action' }], invokes: ['0.unnamed.a'] })
    expect(all.map((edge) => [edge.trigger.kind, edge.guard])).toEqual([
      ['done', 'guard'],
      ['always', 'isLate'],
    ])
  })

  it('is plain data and the same each time', () => {
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart)
    expect(chartOf(sample)).toEqual(chart)
  })

  it('draws one edge for each region that a transition enters', () => {
    const fork = createMachine({
      id: 'fork',
      initial: 'off',
      states: {
        off: { on: { go: { target: ['on.a.two', 'on.b.two'] } } },
        on: {
          type: 'parallel',
          states: {
            a: { initial: 'one', states: { one: {}, two: {} } },
            b: { initial: 'one', states: { one: {}, two: {} } },
          },
        },
      },
    })
    expect(edges('fork.off', chartOf(fork)).map((edge) => edge.to)).toEqual(['fork.on.a.two', 'fork.on.b.two'])
  })
})
