import { describe, expect, it } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import type { ToolCall } from '../../src/domain/escalation.ts'
import type { EvaluationId, RunId, TaskId, WorldId } from '../../src/domain/ids.ts'
import { agentRun, nextCalls } from '../../src/machines/agent-run.ts'
import type { AgentRunContext, AgentRunInput, OpenCall, Thought } from '../../src/machines/agent-run-words.ts'
import { goldenRows } from './golden.ts'
import { altered, breaches, deadEnds, type Rule, type Walked, walk } from './walk.ts'

const ends = ['answered', 'proposing', 'unknown', 'failed', 'cancelled']
const limits = { steps: 3, tokens: 1000, size: 100, wallClockMs: 60_000 }
const input: AgentRunInput = {
  id: 'ev_1#1' as RunId,
  evaluation: 'ev_1' as EvaluationId,
  task: 'task_1' as TaskId,
  world: 'memory' as WorldId,
  stage: 'tools',
  limits,
  tainted: false,
}

const call: ToolCall = { tool: 'write_file', arguments: { path: 'a.md', content: 'b' } }
const open = (n: number, effect: boolean): OpenCall => ({
  n,
  tool: effect ? 'write_file' : 'read_file',
  effect,
  begun: false,
})
const thought = (change: Partial<Thought> = {}): Thought => ({
  asked: false,
  text: 'an answer',
  calls: [],
  proposed: [],
  plan: null,
  tokens: 10,
  size: 50,
  ...change,
})
const asking = (...calls: OpenCall[]): Thought => thought({ asked: true, text: '', calls })
const failure = { code: 'model/down', message: 'down' }

const walked = (chart: AnyStateMachine = agentRun): Walked<AgentRunContext, null> =>
  walk<AgentRunContext, null>({
    chart,
    input,
    events: ({ context }) => [
      ...context.open.flatMap(({ n, effect }): AnyEventObject[] => {
        const answer = { type: 'toolResult', n, effect, call, brief: 'said', tokens: 20 }
        return [
          { ...answer, outcome: 'done' },
          { ...answer, outcome: 'failed' },
          ...(effect ? [{ ...answer, outcome: 'unknown' }] : []),
        ]
      }),
      { type: 'cancel' },
      { type: 'stop', reason: 'enough' },
    ],
    outcomes: {
      think: {
        done: [
          thought(),
          thought({ text: '' }),
          thought({ proposed: [call] }),
          thought({ plan: 'ask them' }),
          thought({ asked: true, proposed: [call] }),
          thought({ size: 200, asked: true }),
          asking(open(1, false), open(2, false)),
          asking(open(1, true), open(2, true)),
          asking(open(1, false), open(2, true)),
        ],
        failed: [failure],
      },
      compact: { done: [{ tokens: 10, size: 40 }], failed: [failure] },
    },
    project: ({ context }) => {
      const { steps, size, tokens, done, effectFailed, proposed, plan, stopped, unsure, text } = context
      const isSo = [size > limits.size, tokens >= limits.tokens, done.length > 0, effectFailed, proposed.length > 0]
      return [steps, ...isSo, context.open, plan, stopped !== null, unsure !== null, text === '']
    },
    seen: null,
  })

const effectsBegun = ({ open: calls }: AgentRunContext): number[] =>
  calls.filter(({ effect, begun }) => effect && begun).map(({ n }) => n)

const isWaitedFor = ({ open: calls }: AgentRunContext, { type, n }: AnyEventObject): boolean =>
  type === 'toolResult' && calls.some((call) => call.n === n && call.begun)

const rules: Rule<AgentRunContext, null>[] = [
  {
    says: 'changes one thing at a time',
    place: ({ context }) => effectsBegun(context).length <= 1,
  },
  {
    says: 'begins nothing else beside something that changes',
    place: ({ context }) =>
      effectsBegun(context).length === 0 || context.open.filter(({ begun }) => begun).length === 1,
  },
  {
    says: 'thinks on only when every call has been answered',
    place: ({ state, context }) => state === 'callingTools' || ends.includes(state) || context.open.length === 0,
  },
  {
    says: 'makes no more model calls for thoughts than it may',
    place: ({ context }) => context.steps <= limits.steps,
  },
  {
    says: 'says that it answered only with words or with something done',
    place: ({ state, context }) => state !== 'answered' || context.text !== '' || context.done.length > 0,
  },
  {
    says: 'has what it wanted and was not allowed put to the user',
    place: ({ state, context }) => state !== 'answered' || (context.proposed.length === 0 && context.plan === null),
  },
  {
    says: 'asks about an effect whose outcome nobody knows, and goes no further',
    step: ({ event, from, to }) =>
      !isWaitedFor(from.context, event) ||
      event.outcome !== 'unknown' ||
      (to.state === 'unknown' && to.context.unsure !== null),
  },
  {
    says: 'reports no success when every effect that it tried has failed',
    place: ({ state, context }) => state !== 'answered' || context.effectFailed === null,
  },
  {
    says: 'is stopped at the next thought, and never in the middle of an effect',
    step: ({ event, from, to }) => event.type !== 'stop' || from.state !== 'callingTools' || to.state === from.state,
  },
  {
    says: 'thinks no more once it has been stopped or its time is up',
    place: ({ state, context }) => context.stopped === null || !['thinking', 'compacting'].includes(state),
  },
  {
    says: 'is tainted once a tool has brought something in',
    step: ({ event, from, to }) => !isWaitedFor(from.context, event) || event.outcome !== 'done' || to.context.tainted,
  },
  {
    says: 'ends where it says, and nowhere else',
    place: ({ state, status }) => ends.includes(state) === (status === 'done') && status !== 'error',
  },
]

describe('the agent run chart', () => {
  const whole = walked()

  it('keeps its rules on every path', () => {
    expect(breaches(whole, rules)).toEqual([])
  })

  it('can always come to an end', () => {
    expect(deadEnds(whole, ({ status }) => status === 'done')).toEqual([])
  })

  it('reaches every state that it has', () => {
    const reached = new Set(whole.places.map(({ state }) => state))
    expect(reached).toEqual(new Set([...ends, 'thinking', 'callingTools', 'compacting']))
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, agentRun, { kind: 'agentRun', id: 'ev_1#1', version: 1 })
    await expect(rows).toMatchFileSnapshot('golden/agentRun-1.json')
  })
})

describe('the calls that begin', () => {
  it('are all of them when they only read, and one when something changes', () => {
    expect(nextCalls([open(1, false), open(2, false)]).map(({ n }) => n)).toEqual([1, 2])
    expect(nextCalls([open(1, false), open(2, true)]).map(({ n }) => n)).toEqual([1])
    expect(nextCalls([{ ...open(1, false), begun: true }, open(2, false)])).toEqual([])
  })
})

describe('a fault planted in the agent run chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked(altered(agentRun, plant)), rules)

  it('an answer that hides what was proposed', () => {
    const faults = found((chart) => {
      const done = chart.states.thinking?.invoke.onDone as { target: string }[]
      done[2]!.target = 'answered'
    })
    expect(faults).toContainEqual(expect.stringContaining('put to the user'))
  })

  it('a success that is none', () => {
    const faults = found((chart) => {
      const done = chart.states.thinking?.invoke.onDone as { target: string }[]
      done[3]!.target = 'answered'
    })
    expect(faults).toContainEqual(expect.stringContaining('every effect that it tried has failed'))
  })

  it('an interrupted effect after which it goes on', () => {
    const faults = found((chart) => {
      const results = chart.states.callingTools?.on.toolResult as { target: string }[]
      results[0]!.target = 'deciding'
    })
    expect(faults).toContainEqual(expect.stringContaining('whose outcome nobody knows'))
  })
})
