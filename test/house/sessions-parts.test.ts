import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../src/domain/chat.ts'
import type { CycleId, SessionId } from '../../src/domain/ids.ts'
import type { CoreStep, CycleSummary, SessionMessage } from '../../src/domain/session.ts'
import { conversationTokens } from '../../src/house/agent-conversation.ts'
import type { Calls } from '../../src/house/calls.ts'
import { compress } from '../../src/house/sessions/compress.ts'
import { compressBudget } from '../../src/house/sessions/compress-budget.ts'
import { toEvict, utilizationOf } from '../../src/house/sessions/context-guard.ts'
import { fitted } from '../../src/house/sessions/conversation.ts'
import { planOf } from '../../src/house/sessions/core-plan.ts'
import { inbound } from '../../src/house/sessions/inbound.ts'
import type { Talker } from '../../src/house/sessions/parts.ts'
import { readReflex } from '../../src/house/sessions/reflex.ts'
import { countTokens } from '../../src/memory/tokens.ts'
import { scriptedChat, untilCalledOff } from '../support/scripted-chat.ts'

describe('what comes in', () => {
  const harness = (message: unknown) => JSON.stringify({ scope: 'session', harness: 'claude-code', message })

  it.each([
    ['text', 'hi there', 'hi there', null],
    ['an envelope around text', harness('hi'), 'hi', 'claude-code, session'],
    ['an envelope around a turn', harness({ role: 'user', content: 'hi' }), 'hi', 'claude-code, session'],
    [
      'an envelope around blocks',
      harness({
        role: 'user',
        content: [{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }],
      }),
      'one\ntwo',
      'claude-code, session',
    ],
    ['parts as A2A has them', '{"scope":{"id":"t1"},"message":{"parts":[{"kind":"text","text":"hi"}]}}', 'hi', 't1'],
    ['JSON that is no envelope', '{"message":"hi"}', '{"message":"hi"}', null],
    ['an envelope without words', harness({ role: 'user', content: [] }), harness({ role: 'user', content: [] }), null],
    ['half an envelope', '{"scope":1,"message":', '{"scope":1,"message":', null],
    ['steering characters', 'a\u001B[2Jb\r\nc\u0000', 'a[2Jb\nc', null],
  ])('is understood: %s', (_, body, text, label) => {
    expect(inbound(body)).toEqual({ text, label })
  })

  it('is read whatever it is', () => {
    const envelope = fc.record({ scope: fc.jsonValue(), harness: fc.jsonValue(), message: fc.jsonValue() })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          envelope.map((one) => JSON.stringify(one)),
        ),
        (body) => {
          const { text, label } = inbound(body)
          expect(typeof text).toBe('string')
          expect(label?.includes('\n') ?? false).toBe(false)
        },
      ),
    )
    expect(inbound(`{"scope":1,"message":${'['.repeat(30_000)}`).label).toBeNull()
  })
})

describe("the reflex agent's answer", () => {
  it('is one of its two forms or nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (answer) => {
        const read = readReflex(answer)
        expect(read === undefined || read.kind === 'reply' || read.kind === 'defer').toBe(true)
      }),
    )
  })
})

describe('the budget of a summary', () => {
  it.each([
    [0, 0],
    [1, 1],
    [19, 1],
    [100, 5],
    [200, 10],
    [201, 200],
    [1000, 200],
    [4000, 200],
    [20_000, 1000],
    [20_019, 1000],
  ])('of %i tokens of work is %i', (tokens, budget) => {
    expect(compressBudget(tokens)).toBe(budget)
  })

  it('is never more than the work, and never nothing for something', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (tokens) => {
        const budget = compressBudget(tokens)
        expect(budget).toBeLessThanOrEqual(tokens)
        expect(budget > 0).toBe(tokens > 0)
      }),
    )
  })
})

describe('summing up', () => {
  const calls = {
    make: async (_facts: unknown, _signal: unknown, ask: () => Promise<unknown>) => ({ output: await ask(), call: {} }),
  } as unknown
  const sum = async (trace: string, ...answers: (string | Error)[]) => {
    let at = 0
    const chat = scriptedChat({
      answer: () => {
        const answer = answers[at++] ?? ''
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    const talker: Talker = { chat, route: 'local', tools: false }
    const parts = { calls: calls as Calls }
    return { ...(await compress(parts, talker, trace, new AbortController().signal)), asked: chat.requests.length }
  }
  const trace = 'This is a sentence about the work. '.repeat(150)
  const words = (count: number) => 'word '.repeat(count).trim()

  it('takes what the model says where it is short enough', async () => {
    expect(await sum(trace, words(100))).toMatchObject({ summary: words(100), asked: 1 })
    expect(await sum(trace, words(250))).toMatchObject({ summary: words(250), asked: 1 })
  })

  it('asks once more where it is half as long again as it may be, and then cuts', async () => {
    expect(await sum(trace, words(400), words(150))).toMatchObject({ summary: words(150), asked: 2 })
    const cut = await sum(trace, words(400), words(400))
    expect(cut.asked).toBe(2)
    expect(cut.tokens).toBeLessThanOrEqual(200)
    expect(cut.summary).toMatch(/^(word )+word …$/)
  })

  it.each([
    ['fails', [new Error('down'), new Error('down')]],
    ['says nothing', ['', '  ']],
  ])('cuts the record itself at the end of a sentence where the model %s', async (_, answers) => {
    const { summary, tokens } = await sum(trace, ...answers)
    expect(summary).toMatch(/^This is a sentence about the work\.[\s\S]*work\. …$/)
    expect(tokens).toBeLessThanOrEqual(200)
  })

  it('asks nobody about nothing', async () => {
    expect(await sum('', 'x')).toMatchObject({ summary: '', tokens: 0, asked: 0 })
  })

  it('keeps credentials out of what is asked and what is kept', async () => {
    const secret = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const { summary } = await sum(`the key is ${secret}\n${trace}`, `key ${secret}`)
    expect(summary).not.toContain(secret)
  })

  it('ends when it is called off', async () => {
    const abort = new AbortController()
    const chat = scriptedChat({ answer: untilCalledOff })
    const talker: Talker = { chat, route: 'local', tools: false }
    const summing = compress({ calls: calls as Calls }, talker, trace, abort.signal)
    abort.abort(new Error('stopping'))
    await expect(summing).rejects.toThrow('stopping')
  })
})

describe('the context guard', () => {
  const summary = (through: number, tokens: number): CycleSummary => ({
    cycle: `s:${through}` as CycleId,
    session: 's' as SessionId,
    agent: 'anna',
    through,
    number: through,
    summary: `summary ${through}`,
    traceTokens: 0,
    tokens,
    tainted: true,
    at: through,
  })
  const load = (...tokens: number[]) => ({
    window: 1000,
    messages: [] as SessionMessage[],
    trace: 100,
    summaries: tokens.map((each, index) => summary(index + 1, each)),
  })

  it('adds up transcript, work and summaries', () => {
    const message = { role: 'user', body: 'one two three' } as SessionMessage
    expect(utilizationOf({ ...load(300, 100), messages: [message] })).toBeCloseTo(
      (100 + 400 + countTokens('one two three')) / 1000,
    )
  })

  it('lets the oldest summaries go at the mark, and no more than need to', () => {
    expect(toEvict(load(400, 340), 0.85).leaving).toEqual([])
    expect(toEvict(load(400, 350), 0.85)).toMatchObject({ leaving: [{ through: 1 }], utilization: 0.45 })
    expect(toEvict(load(10, 400, 350), 0.85).leaving.map(({ through }) => through)).toEqual([1, 2])
    expect(toEvict({ ...load(10), trace: 5000 }, 0.85).leaving).toHaveLength(1)
  })
})

describe('a conversation that is too long', () => {
  it('loses the oldest answers of tools first, and fits', () => {
    const tool = (text: string): ChatMessage => ({ role: 'tool', call: 'c', tool: 't', text })
    const all: ChatMessage[] = [
      { role: 'system', text: 'rules' },
      { role: 'user', text: 'ask' },
      tool('old '.repeat(500)),
      tool('new '.repeat(500)),
    ]
    const fit = fitted(all, 700, conversationTokens)
    expect(fit.map(({ text }) => text.slice(0, 9))).toEqual(['rules', 'ask', '(left out', 'new new n'])
  })

  it('fits whatever it is', () => {
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'system' as const),
      text: fc.string({ maxLength: 400 }),
    })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.integer({ min: 60, max: 400 }), (messages, room) => {
        expect(conversationTokens(fitted(messages, room, conversationTokens))).toBeLessThanOrEqual(room)
      }),
    )
  })
})

describe("the plan of the core's work", () => {
  const step = (thread: number, n: number, message: ChatMessage, waits: number[] | null = null): CoreStep => ({
    thread,
    n,
    message,
    waits,
    at: 0,
  })
  const call = { id: 'c', tool: 't', arguments: '{}' }

  it('never goes beyond its cap, however threads end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 60 }), (luck) => {
        const steps: CoreStep[] = [step(0, 0, { role: 'system', text: 's' }), step(0, 1, { role: 'user', text: 'u' })]
        let workers = 0
        let thoughts = 0
        for (let round = 0; ; round++) {
          const plan = planOf(steps)
          if (plan.kind === 'answered') break
          const turns = plan.kind === 'core' ? [{ thread: 0, last: plan.last }] : plan.threads
          expect(turns.length).toBeGreaterThan(0)
          expect(turns.length).toBeLessThanOrEqual(2)
          for (const { thread, last } of turns) {
            thoughts++
            const n = steps.filter((one) => one.thread === thread).length
            const goesOn = !last && (luck[round] ?? 1) > 0
            steps.push(step(thread, n, { role: 'assistant', text: 'x', calls: goesOn ? [call] : [] }))
            if (!goesOn) continue
            const hands = thread === 0 && (luck[round] ?? 0) > 2 && workers < 6
            const fresh = hands ? [workers + 1, workers + 2] : null
            if (fresh) workers += 2
            steps.push(step(thread, n + 1, { role: 'tool', call: 'c', tool: 't', text: '' }, fresh))
            for (const worker of fresh ?? []) steps.push(step(worker, 0, { role: 'user', text: 'task' }))
          }
          expect(round).toBeLessThan(13)
        }
        expect(thoughts).toBeLessThanOrEqual(12)
      }),
    )
  })
})
