import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import { stateName } from '../../src/actors/inspection.ts'
import type { ToolCall } from '../../src/domain/escalation.ts'
import { type ActorId, type CallId, type EvaluationId, id, type TaskId, type WorldId } from '../../src/domain/ids.ts'
import { evaluation } from '../../src/machines/evaluation.ts'
import type { EvaluationEvent, Question } from '../../src/machines/evaluation-words.ts'

const call = (n: number): ToolCall => ({ tool: `tool_${n}`, arguments: { n } })
const by = { by: 'ada', answer: 'answer_1' }

const question = (kind: Question['kind'], calls: ToolCall[] = [call(1), call(2)]): Question => ({
  kind,
  proposal: { title: 'Do it', summary: '', priority: 'normal', calls, provenance: [] },
  digest: 'as shown',
  fingerprint: 'the action',
})

/** An evaluation with what may be sent to it and what became of it. */
function begun(tainted = false) {
  const actor = createActor(evaluation, {
    input: {
      id: id<EvaluationId>('ev_1'),
      task: id<TaskId>('task_1'),
      world: id<WorldId>('memory'),
      instance: id<ActorId>('instance_memory'),
      tick: null,
      batch: 0,
      from: 0,
      through: 0,
      intent: 'read',
      retryOf: null,
      tainted,
    },
    clock: { setTimeout: () => 0, clearTimeout: () => {} },
  }).start()
  const work = (event: { type: 'work.done'; output: unknown } | { type: 'work.failed'; error: unknown }) =>
    Object.values(actor.getSnapshot().children)[0]?.send(event as never)
  return {
    send: (event: EvaluationEvent) => actor.send(event),
    done: (output: unknown = { text: 'done' }) => work({ type: 'work.done', output }),
    fail: (code: string) => work({ type: 'work.failed', error: { code, message: code } }),
    state: () => stateName(actor.getSnapshot().value),
    context: () => actor.getSnapshot().context,
    snapshot: () => actor.getSnapshot(),
  }
}

/** One that waits for the user. */
function asked(kind: Question['kind'] = 'proposal') {
  const one = begun()
  one.send({ type: 'ask', question: question(kind) })
  return one
}

const approve = (digest = 'as shown', calls?: ToolCall[]): EvaluationEvent => ({
  type: 'approve',
  digest,
  ...(calls && { calls }),
  ...by,
})
const unknown = 'effect/unknown-outcome'

describe('an evaluation that is judged', () => {
  it.each([
    [false, false, false],
    [false, true, true],
    [true, false, true],
    [true, true, true],
  ])('is tainted by what it or its verdict has seen, and stays so: %s and %s', (input, seen, tainted) => {
    const { send, context } = begun(input)
    send({ type: 'verdict', call: id<CallId>('c'), verdict: { decision: 'skip', reason: '' }, tainted: seen })
    expect(context().tainted).toBe(tainted)
  })
})

describe('an evaluation that waits for the user', () => {
  it.each<[string, EvaluationEvent]>([
    ['an approval of something else', approve('as shown before')],
    ['an approval with a call more', approve('as shown', [call(1), call(2), call(3)])],
    ['an approval with a call less', approve('as shown', [call(1)])],
    ['an approval with another tool', approve('as shown', [call(1), call(3)])],
    ['an approval with its calls in another order', approve('as shown', [call(2), call(1)])],
    ['an answer that it happened', { type: 'checked', happened: true, ...by }],
    ['an answer that it did not happen', { type: 'checked', happened: false, ...by }],
    ['a newer tick', { type: 'supersede' }],
    [
      'a late verdict',
      { type: 'verdict', call: id<CallId>('c'), verdict: { decision: 'skip', reason: '' }, tainted: true },
    ],
    ['a late failure', { type: 'judgingFailed', failure: { code: 'model/down', message: '' }, counts: true }],
    ['the same question again', { type: 'ask', question: question('proposal') }],
  ])('is not moved by %s', (_, event) => {
    const { send, snapshot } = asked()
    const before = snapshot()
    send(event)
    expect(snapshot()).toBe(before)
  })

  it('carries out an edit of the calls, one after the other, and is done after the last', () => {
    const { send, done, state, context } = asked()
    const edited = [
      { tool: 'tool_1', arguments: { n: 10 } },
      { tool: 'tool_2', arguments: { n: 20 } },
    ]
    send(approve('as shown', edited))
    expect([state(), context().question?.proposal.calls, context().nextCall]).toEqual([
      'inProgress.carryingOut',
      edited,
      0,
    ])
    done()
    expect([state(), context().nextCall]).toEqual(['inProgress.carryingOut', 1])
    done({ text: 'both' })
    expect([state(), context().text, context().answer]).toEqual(['acted', 'both', by])
  })

  it('does not begin the next call after one has failed', () => {
    const { send, fail, state, context } = asked()
    send(approve())
    fail('tool/failed')
    expect([state(), context().nextCall, context().failure?.code]).toEqual(['failed', 0, 'tool/failed'])
  })
})

describe('an evaluation of which a call may have happened', () => {
  const interrupted = () => {
    const one = asked()
    one.send(approve())
    one.fail(unknown)
    return one
  }

  it('asks, under another digest than that of the card, and forgets the answer that led there', () => {
    const { state, context } = interrupted()
    expect([state(), context().question?.kind, context().answer]).toEqual(['awaitingApproval', 'unknown', null])
    expect(context().question?.digest).not.toBe('as shown')
  })

  it('goes on with the next call when it happened, and never makes it again', () => {
    const { send, done, state, context } = interrupted()
    send({ type: 'checked', happened: true, ...by })
    expect([state(), context().nextCall]).toEqual(['inProgress.carryingOut', 1])
    done()
    expect(state()).toBe('acted')
  })

  it('is asked about the same call again when it did not happen, and makes it only after another approval', () => {
    const { send, state, context } = interrupted()
    const { digest } = context().question!
    send({ type: 'checked', happened: false, ...by })
    expect([state(), context().question?.kind, context().nextCall]).toEqual(['awaitingApproval', 'proposal', 0])
    send(approve())
    expect(state()).toBe('awaitingApproval')
    send(approve(digest))
    expect([state(), context().nextCall]).toEqual(['inProgress.carryingOut', 0])
  })

  it('has a digest of its own for each time that this came about', () => {
    const { send, fail, context } = interrupted()
    const { digest } = context().question!
    send(approve(digest))
    fail(unknown)
    expect(context().question?.digest).not.toBe(digest)
    send(approve(digest))
    expect(context().question?.kind).toBe('unknown')
  })

  it('may not be reconsidered', () => {
    const { send, state } = interrupted()
    send({ type: 'respond', text: 'rather not', ...by })
    expect(state()).toBe('awaitingApproval')
    send({ type: 'checked', happened: false, ...by })
    send({ type: 'respond', text: 'rather not', ...by })
    expect(state()).toBe('inProgress.analysing')
  })
})
