import { describe, expect, it } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import type { ToolCall } from '../../src/domain/escalation.ts'
import type { ActorId, CallId, EvaluationId, TaskId, TickId, WorldId } from '../../src/domain/ids.ts'
import { evaluation } from '../../src/machines/evaluation.ts'
import type { EvaluationContext, EvaluationInput, Question } from '../../src/machines/evaluation-words.ts'
import { goldenRows } from './golden.ts'
import { type Asked, altered, breaches, deadEnds, type Place, type Rule, type Walked, walk } from './walk.ts'

const ends = ['acted', 'skipped', 'dismissed', 'failed', 'cancelled', 'superseded']

const call = (name: string): ToolCall => ({ tool: 'append_file', arguments: { path: 'AGENDA.md', text: name } })

const asked = (title: string, calls: ToolCall[], kind: Question['kind'] = 'proposal'): Question => ({
  kind,
  proposal: { title, summary: '', priority: 'normal', calls, provenance: [] },
  digest: `digest of ${title}`,
  fingerprint: title,
})
const oneCall = asked('one call', [call('first')])
const twoCalls = asked('two calls', [call('first'), call('second')])
const plan = asked('a plan in words', [])

const input: EvaluationInput = {
  id: 'ev_1' as EvaluationId,
  task: 'task_1' as TaskId,
  world: 'memory' as WorldId,
  instance: 'instance_memory' as ActorId,
  tick: 'tick_memory_1' as TickId,
  batch: 0,
  from: 0,
  through: 3,
  intent: 'write',
  retryOf: null,
  tainted: true,
}

const verdict = (given: object): AnyEventObject => ({
  type: 'verdict',
  call: 'call_1' as CallId,
  verdict: given,
  tainted: true,
})
const failure = { code: 'model/down', message: 'down' }
const by = { by: 'user', answer: 'answer_1' }
const proposed = ({ proposal, ...rest }: Question, standing: string) => ({
  kind: 'proposal',
  proposal,
  standing,
  question: { proposal, ...rest },
})

/** What work on a task may come to. */
const workedOut = [
  { kind: 'result', text: 'a result', sources: [], tainted: true },
  ...[oneCall, twoCalls].flatMap((question) =>
    ['covered', 'new', 'alreadyOpen', 'dismissedBefore'].map((standing) => proposed(question, standing)),
  ),
  proposed(plan, 'new'),
  proposed({ ...oneCall, kind: 'unknown' }, 'new'),
]

interface Seen {
  /** Calls begun since the user was last asked and said yes. */
  begun: string[]
  /** Calls begun at all, but for those of which the user said that they did not happen. */
  happened: string[]
  /** How often the tick has been told that it need not wait. */
  told: number
}

const carrying = 'inProgress.carryingOut'
type Here = Place<EvaluationContext, Seen>

/** Which call it is, whatever the user made of its arguments. */
const callInHand = ({ context }: Pick<Here, 'context'>): string =>
  `call ${context.nextCall + 1} of ${context.question?.fingerprint}`

const tellings = (actions: readonly Asked[]): number =>
  actions.filter(({ type, params }) => type === 'releaseTick' && !(params as { released: boolean }).released).length

const walked = (chart: AnyStateMachine = evaluation): Walked<EvaluationContext, Seen> =>
  walk<EvaluationContext, Seen>({
    chart,
    input,
    events: ({ context }) => [
      { type: 'ask', question: asked('let it write', [call('allow')], 'confirmWrite') },
      verdict({ decision: 'skip', reason: '' }),
      verdict({ decision: 'act', reason: '', text: 'result', sources: [] }),
      verdict({ decision: 'act', reason: '', sources: [] }),
      verdict({ decision: 'escalate', reason: '', sources: [] }),
      { type: 'judgingFailed', failure, counts: true },
      { type: 'judgingFailed', failure, counts: false },
      { type: 'approve', digest: context.question?.digest ?? 'none', ...by },
      { type: 'approve', digest: 'digest of something else', ...by },
      { type: 'approve', digest: context.question?.digest ?? 'none', calls: [call('edited')], ...by },
      { type: 'approve', digest: context.question?.digest ?? 'none', calls: [], ...by },
      { type: 'dismiss', reason: 'user', ...by },
      { type: 'dismiss', reason: 'withdrawn', ...by },
      { type: 'respond', text: 'and what of it?', ...by },
      { type: 'checked', happened: true, ...by },
      { type: 'checked', happened: false, ...by },
      { type: 'replace' },
      { type: 'cancel', reason: 'enough' },
      { type: 'supersede' },
      { type: 'effectBegun' },
    ],
    outcomes: {
      execute: { done: workedOut, failed: [failure] },
      analyse: { done: workedOut, failed: [failure] },
      carryOut: {
        done: [{ text: 'carried out' }],
        failed: [failure, { code: 'effect/unknown-outcome', message: 'unknown' }],
      },
    },
    project: ({ context, seen }) => {
      const { question, nextCall, released, answer, dismissal, counts, begun } = context
      return [
        question?.kind,
        question?.proposal,
        nextCall,
        released,
        answer,
        dismissal,
        counts,
        begun,
        context.plan,
        seen,
      ]
    },
    seen: { begun: [], happened: [], told: 0 },
    remember(seen, { from, event, to, actions }) {
      // A tick that need not wait for what has begun still hears of its end.
      const told = seen.told + (event.type === 'effectBegun' ? 0 : tellings(actions))
      const denied = event.type === 'checked' && event.happened === false && to.context.question?.kind === 'proposal'
      const begun = event.type === 'approve' && to.state === carrying ? [] : seen.begun
      const without = (calls: string[]) => (denied ? calls.filter((one) => one !== callInHand(from)) : calls)
      const begins = to.state === carrying && to.context.visit > from.context.visit ? [callInHand(to)] : []
      const also = (calls: string[]) => [...new Set([...without(calls), ...begins])].sort()
      return { begun: also(begun), happened: also(seen.happened), told }
    },
  })

const waiting = 'awaitingApproval'
const isWorkedOut = ({ type }: AnyEventObject): boolean => /^xstate\.done\.actor\.(?:analyse|execute)$/.test(type)
const working = ['inProgress.executing', 'inProgress.analysing']
/** An agent is at work that has begun to change something. */
const hasBegun = ({ state, context }: Here): boolean => working.includes(state) && context.begun

const rules: Rule<EvaluationContext, Seen>[] = [
  {
    says: 'carries out only what was approved as shown, or what the task itself asks for',
    step: ({ from, event, to }) =>
      to.state !== carrying ||
      from.state === carrying ||
      (event.type === 'approve' && event.digest === from.context.question?.digest) ||
      (isWorkedOut(event) && event.output.standing === 'covered') ||
      (event.type === 'checked' && event.happened === true && from.context.question?.kind === 'unknown'),
  },
  {
    says: 'goes from one call to the next only when the former has been done',
    step: ({ from, event, to }) =>
      from.state !== carrying ||
      to.state !== carrying ||
      (from.context.visit === to.context.visit && from.context.nextCall === to.context.nextCall) ||
      (event.type === 'xstate.done.actor.carryOut' && to.context.nextCall === from.context.nextCall + 1),
  },
  {
    says: 'never begins a call a second time unless the user has answered in between',
    step: ({ from, event, to }) =>
      to.state !== carrying ||
      to.context.visit === from.context.visit ||
      event.type === 'approve' ||
      !from.seen.begun.includes(callInHand(to)),
  },
  {
    says: 'carries out one of the calls in question',
    place: ({ state, context }) =>
      state !== carrying || context.question?.proposal.calls[context.nextCall] !== undefined,
  },
  {
    says: 'waits with a question to show',
    place: ({ state, context }) => state !== waiting || context.question !== null,
  },
  {
    says: 'asks about an interrupted call and never says by itself that it happened',
    step: ({ from, event, to }) =>
      event.type !== 'xstate.error.actor.carryOut' ||
      event.error.code !== 'effect/unknown-outcome' ||
      (to.state === waiting && to.context.question?.kind === 'unknown' && from.state === carrying),
  },
  {
    says: 'may be superseded while it judges, executes or analyses and has begun no effect, and never else',
    step: ({ from, event, to }) =>
      event.type !== 'supersede' ||
      (['inProgress.judging', ...working].includes(from.state) && !hasBegun(from) && from.seen.happened.length === 0
        ? to.state === 'superseded'
        : to === from || to.state === from.state),
  },
  {
    says: 'may be cancelled at any time but while something is carried out',
    step: ({ from, event, to }) =>
      event.type !== 'cancel' ||
      from.status === 'done' ||
      (from.state === 'inProgress.carryingOut' || hasBegun(from) ? to.state === from.state : to.state === 'cancelled'),
  },
  {
    says: 'takes the verdict while it judges, and never again',
    step: ({ from, event, moved }) => event.type !== 'verdict' || moved === (from.state === 'inProgress.judging'),
  },
  {
    says: 'is replaced by a newer card only while it waits',
    step: ({ from, event, to }) =>
      event.type !== 'replace' || (from.state === waiting ? to.state === 'superseded' : to.state === from.state),
  },
  {
    says: 'has a plan in words carried out only when the user has said yes to it as it was shown',
    step: ({ from, event, to }) =>
      to.context.plan === from.context.plan ||
      (event.type === 'approve' &&
        event.digest === from.context.question?.digest &&
        from.context.question?.proposal.calls.length === 0),
  },
  {
    says: 'shows no expiry as an answer of the user',
    place: ({ context }) => context.dismissal !== 'expired' || context.answer === null,
  },
  {
    says: 'is dismissed by an answer, a withdrawal or its expiry',
    place: ({ state, context }) => (state === 'dismissed') === (context.dismissal !== null),
  },
  {
    says: 'tells its tick that it need not wait when it first waits or ends, once',
    place: ({ state, seen }) => ([...ends, waiting].includes(state) ? seen.told === 1 : seen.told <= 1),
  },
  {
    says: 'holds a failure against its task, unless it was the whole judging that failed',
    step: ({ event, to }) => !event.type.startsWith('xstate.error.') || to.state !== 'failed' || to.context.counts,
  },
  {
    says: 'ends where the vocabulary says, and nowhere else',
    place: ({ state, status }) => ends.includes(state) === (status === 'done') && status !== 'error',
  },
]

describe('the evaluation chart', () => {
  const whole = walked()

  it('keeps the rules of approval on every path', () => {
    expect(breaches(whole, rules)).toEqual([])
  })

  it('can always come to an end', () => {
    expect(deadEnds(whole, ({ status }) => status === 'done')).toEqual([])
  })

  it('reaches every state that it has', () => {
    const reached = new Set(whole.places.map(({ state }) => state))
    expect(reached).toEqual(
      new Set([...ends, waiting, carrying, 'inProgress.judging', 'inProgress.executing', 'inProgress.analysing']),
    )
  })

  it('writes the rows of its version, or its version must be raised', async () => {
    const rows = goldenRows(whole, evaluation, { kind: 'evaluation', id: 'ev_1', version: 2 })
    await expect(rows).toMatchFileSnapshot('golden/evaluation-2.json')
  })
})

describe('a fault planted in the evaluation chart is found:', () => {
  const found = (plant: Parameters<typeof altered>[1]) => breaches(walked(altered(evaluation, plant)), rules)

  it('an approval that is not compared with what was shown', () => {
    const faults = found((chart) => {
      const approve = chart.states.awaitingApproval?.on.approve as { guard?: unknown }[]
      delete approve[1]!.guard
    })
    expect(faults).toContainEqual(expect.stringContaining('carries out only what was approved as shown'))
  })

  it('an interrupted call that is simply made again', () => {
    const faults = found((chart) => {
      const errors = chart.states.inProgress?.states.carryingOut?.invoke.onError as {
        target: string
        reenter?: boolean
      }[]
      Object.assign(errors[0]!, { target: 'carryingOut', reenter: true, actions: [] })
    })
    expect(faults).toContainEqual(expect.stringContaining('never begins a call a second time'))
  })

  it('a card that a newer tick can take away', () => {
    const faults = found((chart) => {
      chart.states.awaitingApproval!.on.supersede = 'superseded'
    })
    expect(faults).toContainEqual(expect.stringContaining('may be superseded while'))
  })

  it('work that cannot be cancelled', () => {
    const faults = found((chart) => {
      delete chart.on.cancel
    })
    expect(faults).toContainEqual(
      expect.stringContaining('may be cancelled at any time but while something is carried out'),
    )
  })

  it('an end that is none', () => {
    const faults = found((chart) => {
      Object.assign(chart.states.skipped!, { type: 'atomic', on: { approve: 'inProgress.carryingOut' } })
    })
    expect(faults).toContainEqual(expect.stringContaining('ends where the vocabulary says'))
  })

  it('a state without a way out', () => {
    const chart = altered(evaluation, (config) => {
      delete config.on.cancel
      config.states.inProgress!.states.executing!.on = {}
      delete config.states.inProgress!.states.executing!.invoke.onDone
      delete config.states.inProgress!.states.executing!.invoke.onError
    })
    const stuck = deadEnds(walked(chart), ({ status }) => status === 'done')
    expect(stuck).toContainEqual(expect.stringContaining('inProgress.executing after'))
  })
})
