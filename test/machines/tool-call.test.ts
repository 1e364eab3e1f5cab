import { describe, expect, it } from 'vitest'
import type { EvaluationId, RunId } from '../../src/domain/ids.ts'
import { type ToolCallContext, toolCall } from '../../src/machines/tool-call.ts'
import { goldenRows } from './golden.ts'
import { breaches, deadEnds, type Rule, walk } from './walk.ts'

const said = { call: { tool: 'read_file', arguments: { path: 'a.md' } }, brief: 'said', tokens: 3 }

const whole = walk<ToolCallContext, number>({
  chart: toolCall,
  input: { run: 'ev_1#1' as RunId, evaluation: 'ev_1' as EvaluationId, n: 2, tool: 'read_file', effect: false },
  events: () => [{ type: 'cancel' }],
  outcomes: {
    run: {
      done: [said],
      failed: [
        { code: 'tool/bad-arguments', message: 'bad' },
        { code: 'effect/unknown-outcome', message: 'unknown' },
      ],
    },
  },
  project: ({ seen }) => seen,
  seen: 0,
  remember: (told, { actions }) => told + actions.filter(({ type }) => type === 'tellRun').length,
})

const rules: Rule<ToolCallContext, number>[] = [
  {
    says: 'tells its run how it went, once, unless nobody wants to know',
    place: ({ state, seen }) => seen === (['done', 'failed', 'unknown'].includes(state) ? 1 : 0),
  },
  {
    says: 'never takes an outcome that nobody knows for a failure',
    step: ({ event, to }) =>
      event.type !== 'xstate.error.actor.run' ||
      (event.error.code === 'effect/unknown-outcome') === (to.state === 'unknown'),
  },
]

describe('the tool call chart', () => {
  it('keeps its rules on every path and always ends', () => {
    expect(breaches(whole, rules)).toEqual([])
    expect(deadEnds(whole, ({ status }) => status === 'done')).toEqual([])
    expect(new Set(whole.places.map(({ state }) => state))).toEqual(
      new Set(['running', 'done', 'failed', 'unknown', 'cancelled']),
    )
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, toolCall, { kind: 'toolCall', id: 'ev_1#1#2', version: 1 })
    await expect(rows).toMatchFileSnapshot('golden/toolCall-1.json')
  })
})
