import fc from 'fast-check'
import type { Chart, ChartEdge, ChartNode } from '../../src/diagrams/chart.ts'

const nasty = fc.constantFrom(
  'end',
  'start',
  'default',
  'state x',
  'direction TB',
  'end note',
  'a: b; c',
  '[*]',
  '--',
  '%% x',
  '#1;',
  '"',
  '<b>',
  ']]>',
  '&amp;',
  '}',
  '{',
  '\n',
  '\u0000',
  '\ud800',
  '状态',
  '__proto__',
)
const word = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }), nasty)
const action = fc.record({ name: word, onlyNotes: fc.boolean() })

/** A tree of up to twelve states with any names and any transitions between them. */
export const anyChart: fc.Arbitrary<Chart> = fc
  .record({
    names: fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
    parents: fc.array(fc.nat(11), { minLength: 12, maxLength: 12 }),
    parallel: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    details: fc.array(fc.array(action, { maxLength: 2 }), { minLength: 12, maxLength: 12 }),
    links: fc.array(
      fc.record({
        from: fc.nat(11),
        to: fc.option(fc.nat(11)),
        event: word,
        guard: fc.option(word),
        act: fc.array(action, { maxLength: 2 }),
      }),
      { maxLength: 20 },
    ),
  })
  .map(({ names, parents, parallel, details, links }) => {
    const parentOf = (index: number) => (index === 0 ? null : (parents[index] ?? 0) % index)
    const childrenOf = (parent: number) => names.map((_, index) => index).filter((index) => parentOf(index) === parent)
    const at = (index: number) => names[index % names.length] ?? ''
    const nodes = names.map((id, index): ChartNode => {
      const parent = parentOf(index)
      const children = childrenOf(index)
      const kind =
        children.length === 0 ? (parallel[index] ? 'final' : 'atomic') : parallel[index] ? 'parallel' : 'compound'
      return {
        id,
        key: id,
        kind,
        parent: parent === null ? null : at(parent),
        initial: kind === 'compound' ? at(children[0] ?? 0) : null,
        history: null,
        entry: details[index] ?? [],
        exit: [],
        invokes: [],
        tags: [],
      }
    })
    const edges = links.map(
      ({ from, to, event, guard, act }): ChartEdge => ({
        from: at(from),
        to: to === null ? null : at(to),
        trigger: { kind: 'event', type: event },
        guard,
        actions: act,
        reenter: false,
      }),
    )
    return { id: at(0), nodes, edges }
  })
