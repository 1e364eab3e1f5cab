import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatMessage, ChatModel, ChatRequest } from '../../src/domain/chat.ts'
import { Fault } from '../../src/domain/errors.ts'

/** What the server behind the model is to answer from now on. */
export interface ContractReply {
  text?: string
  calls?: Array<{ tool: string; arguments: Record<string, unknown> }>
  cutOff?: boolean
  promptTokens?: number
  completionTokens?: number
  /** Nothing at all, not even headers; or one piece of the text and then nothing. */
  silence?: 'atOnce' | 'inTheMiddle'
}

/** The last request to the model as its server saw it, in common words. */
export interface SeenRequest {
  messages: Array<{ role: string; text: string; calls?: Array<{ tool: string; arguments: unknown }>; answers?: string }>
  tools: Array<{ name: string; description: string; parameters: unknown }>
  schema: unknown
  maxTokens: unknown
}

export interface ChatBench {
  /** Holds at least 4096 tokens. */
  model: ChatModel
  answer(reply: ContractReply): void
  seen(): SeenRequest
  /** How often the model was asked, failures included. */
  asks(): number
  /** Comes when the model is being asked and, where the reply has a first piece, that was sent. */
  asked(): Promise<void>
  /** Comes when the server sees that the connection of that request was closed from the other side. */
  closed(): Promise<void>
  /** Ends the server; the model stays, and nobody answers it any more. May be called again. */
  close(): Promise<void>
}

export const saying = (text: string, rest: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', text }],
  promptTokens: 100,
  maxTokens: 200,
  ...rest,
})

const verdict = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { decision: { type: 'string', enum: ['skip', 'act'] }, reason: { type: 'string' } },
    required: ['decision', 'reason'],
    additionalProperties: false,
  },
}

const tools = ['files.read', 'files.list'].map((name) => ({
  name,
  description: `For ${name}`,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))

const never = new AbortController().signal

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  const error = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof Fault) return error
  throw error
}

/** What holds for every model that is talked to, whatever server it is on. `toolName` is how the server sees a tool's name. */
export const chatContract = (
  name: string,
  open: () => Promise<ChatBench>,
  { toolName = (tool: string) => tool }: { toolName?: (tool: string) => string } = {},
): void => {
  describe(`${name}, as a model that is talked to,`, () => {
    let bench: ChatBench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(() => bench.close())

    it('answers with the text, and counts what it cost', async () => {
      bench.answer({ text: 'Grüße, 世界 🌍\n', promptTokens: 90, completionTokens: 12 })
      expect(await bench.model.chat(saying('Hello'), never)).toEqual({
        text: 'Grüße, 世界 🌍\n',
        calls: [],
        usage: { promptTokens: 90, completionTokens: 12 },
        cutOff: false,
      })
    })

    it('hands the messages on in their order and roles, and the length the answer may have', async () => {
      const messages: ChatMessage[] = [
        { role: 'system', text: 'You watch.' },
        { role: 'user', text: 'What is new?' },
        { role: 'assistant', text: 'Nothing.', calls: [] },
        { role: 'user', text: 'And now?' },
      ]
      bench.answer({ text: 'Still nothing.' })
      await bench.model.chat(saying('', { messages, maxTokens: 123 }), never)
      expect(bench.seen().messages.map(({ role, text }) => ({ role, text }))).toEqual([
        { role: 'system', text: 'You watch.' },
        { role: 'user', text: 'What is new?' },
        { role: 'assistant', text: 'Nothing.' },
        { role: 'user', text: 'And now?' },
      ])
      expect(bench.seen()).toMatchObject({ maxTokens: 123, tools: [] })
    })

    it('asks for the schema, and for none when none is asked for', async () => {
      bench.answer({ text: '{"decision":"skip","reason":""}' })
      const { text } = await bench.model.chat(saying('Judge', { schema: verdict }), never)
      expect(JSON.parse(text)).toEqual({ decision: 'skip', reason: '' })
      expect(bench.seen().schema).toEqual(verdict.schema)
      await bench.model.chat(saying('Judge'), never)
      expect(bench.seen().schema).toBeUndefined()
    })

    it('offers tools, and hands on several calls of one answer with their arguments as JSON text', async () => {
      bench.answer({
        calls: [
          { tool: toolName('files.read'), arguments: { path: 'notes "a".md' } },
          { tool: toolName('files.list'), arguments: {} },
        ],
      })
      const { calls, text } = await bench.model.chat(saying('Look', { tools }), never)
      expect(text).toBe('')
      expect(calls.map(({ tool, arguments: given }) => [tool, JSON.parse(given)])).toEqual([
        ['files.read', { path: 'notes "a".md' }],
        ['files.list', {}],
      ])
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
      expect(bench.seen().tools).toEqual(tools.map((tool) => ({ ...tool, name: toolName(tool.name) })))
    })

    it('sends the answers of tools back, each to its call', async () => {
      bench.answer({ calls: [{ tool: toolName('files.list'), arguments: { path: '.' } }] })
      const first = saying('Look', { tools })
      const { calls } = await bench.model.chat(first, never)
      bench.answer({ text: 'There is one file.' })
      const answered = calls.map(({ id, tool }): ChatMessage => ({ role: 'tool', call: id, tool, text: 'notes.md' }))
      const messages: ChatMessage[] = [...first.messages, { role: 'assistant', text: '', calls }, ...answered]
      expect(await bench.model.chat(saying('', { messages, tools }), never)).toMatchObject({
        text: 'There is one file.',
      })
      expect(bench.seen().messages.slice(1)).toEqual([
        { role: 'assistant', text: '', calls: [{ tool: toolName('files.list'), arguments: { path: '.' } }] },
        { role: 'tool', text: 'notes.md', answers: toolName('files.list') },
      ])
    })

    it('says when the answer was cut off', async () => {
      bench.answer({ text: '{"decision":"sk', cutOff: true })
      expect(await bench.model.chat(saying('Judge', { schema: verdict }), never)).toMatchObject({
        text: '{"decision":"sk',
        cutOff: true,
      })
    })

    it('leaves out what the model thought', async () => {
      bench.answer({ text: '<think>\nIs it {"urgent"?\n</think>\n\nNo.' })
      expect(await bench.model.chat(saying('Urgent?'), never)).toMatchObject({ text: 'No.' })
    })

    it.each(['atOnce', 'inTheMiddle'] as const)(
      'closes the connection within 100 ms when it is aborted in a silence %s',
      async (silence) => {
        bench.answer({ text: 'It is a long story.', silence })
        const caller = new AbortController()
        const failed = faultOf(bench.model.chat(saying('Tell'), caller.signal))
        await bench.asked()
        const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
        const began = performance.now()
        caller.abort(reason)
        await bench.closed()
        expect(performance.now() - began).toBeLessThan(100)
        expect(await failed).toBe(reason)
      },
    )

    it('asks nobody when it was aborted before', async () => {
      const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
      expect(await faultOf(bench.model.chat(saying('Hello'), AbortSignal.abort(reason)))).toBe(reason)
      expect(bench.asks()).toBe(0)
    })

    it('refuses what the model cannot hold without asking it', async () => {
      const promptTokens = bench.model.contextTokens - 199
      const fault = await faultOf(bench.model.chat(saying('Hello', { promptTokens }), never))
      expect(fault).toMatchObject({ code: 'model/too-large', kind: 'failed' })
      expect(bench.asks()).toBe(0)
    })

    it('answers requests at the same time, each its own', async () => {
      bench.answer({ text: 'Hello.' })
      const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => bench.model.chat(saying(text), never)))
      expect(replies.map(({ text }) => text)).toEqual(['Hello.', 'Hello.', 'Hello.', 'Hello.'])
    })

    it('tells what is known of the model without asking it', async () => {
      expect(await bench.model.facts(never)).toMatchObject({ model: bench.model.model })
      expect(bench.asks()).toBe(0)
    })

    it('is unreachable when nobody is there, and says where it looked', async () => {
      await bench.close()
      for (const work of [bench.model.chat(saying('Hello'), never), bench.model.facts(never)])
        expect(await faultOf(work)).toMatchObject({
          code: 'model/unreachable',
          kind: 'unreachable',
          message: expect.stringContaining('127.0.0.1'),
        })
    })
  })
}

/** The part of it that holds for a real model, of which nobody knows what it will say. */
export const realChatContract = (name: string, open: () => Promise<ChatModel>): void => {
  describe(`${name}, for real,`, { timeout: 600_000 }, () => {
    it('answers, and counts what it cost', async () => {
      const reply = await (await open()).chat(saying('Say hello in one word.'), never)
      expect(reply.text.trim()).not.toBe('')
      expect(reply.usage.completionTokens).toBeGreaterThan(0)
    })

    it('keeps to a schema', async () => {
      const { text } = await (await open()).chat(
        saying('Should I skip this task? Answer in JSON.', { schema: verdict }),
        never,
      )
      expect(JSON.parse(text)).toMatchObject({ decision: expect.stringMatching(/^(skip|act)$/) })
    })

    it('stops at once when it is aborted', async () => {
      const model = await open()
      await model.chat(saying('Say hello.'), never)
      const caller = new AbortController()
      const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
      const failed = faultOf(model.chat(saying('Tell a long story.', { maxTokens: 2000 }), caller.signal))
      setImmediate(() => caller.abort(reason))
      expect(await failed).toBe(reason)
    })

    it('tells what is known of the model', async () => {
      const model = await open()
      expect(await model.facts(never)).toMatchObject({ model: model.model })
    })
  })
}
