import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatRequest } from '../../../src/domain/chat.ts'
import { minute } from '../../../src/domain/clock.ts'
import { ollamaChat } from '../../../src/models/ollama/chat.ts'
import { HandClock } from '../../support/clock.ts'
import { bytesOf, endless, line, misbehaving } from '../../support/ollama-replies.ts'
import { saying } from '../chat-contract.ts'
import { longestPause, type OllamaBench, ollamaBench, until } from './bench.ts'

const never = new AbortController().signal
let bench: OllamaBench
const told = vi.spyOn(console, 'log')
const warned = vi.spyOn(console, 'warn')

beforeEach(async () => {
  bench = await ollamaBench()
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  expect(told).not.toHaveBeenCalled()
  expect(warned).not.toHaveBeenCalled()
})

const ask = (rest: Partial<ChatRequest> = {}, signal = never) => bench.model.chat(saying('Is it urgent?', rest), signal)
const options = () => bench.server.chats().map((body) => body.options)
const verdict = { name: 'verdict', schema: { type: 'object', properties: { decision: { type: 'string' } } } }
const tools = [{ name: 'files.list', description: 'Lists', parameters: { type: 'object' } }]

const withServer = async (...given: Parameters<typeof ollamaBench>) => {
  await bench[Symbol.asyncDispose]()
  bench = await ollamaBench(...given)
}

describe('what Ollama is asked', () => {
  it('streams, keeps the model warm, and names context and length of the answer', async () => {
    await ask({ promptTokens: 3000, maxTokens: 500 })
    expect(bench.server.chats()[0]).toMatchObject({
      model: 'qwen3',
      stream: true,
      keep_alive: '5m',
      options: { num_ctx: 4096, num_predict: 500 },
    })
  })

  it.each([
    [100, 100, 2048],
    [1848, 199, 2048],
    [1848, 200, 4096],
    [8000, 192, 8192],
  ])('gives %i tokens of prompt and %i of answer a context of %i', async (promptTokens, maxTokens, num_ctx) => {
    await ask({ promptTokens, maxTokens })
    expect(options()).toEqual([{ num_ctx, num_predict: maxTokens }])
  })

  it('never makes the context smaller again, so that the model stays loaded', async () => {
    for (const promptTokens of [100, 5000, 100, 7000, 3000]) await ask({ promptTokens })
    expect(options().map(({ num_ctx }) => num_ctx)).toEqual([2048, 6144, 6144, 8192, 8192])
  })

  it('never gives more context than the settings allow, in whatever steps', async () => {
    await withServer({ contextTokens: 5000 })
    await ask({ promptTokens: 4000, maxTokens: 1000 })
    expect(options()).toEqual([{ num_ctx: 5000, num_predict: 1000 }])
  })

  it('holds no more than the model itself does', async () => {
    await withServer({}, { models: [{ name: 'qwen3:latest', capabilities: ['completion'], contextLength: 4096 }] })
    await expect(ask({ promptTokens: 4000, maxTokens: 97 })).rejects.toMatchObject({
      code: 'model/too-large',
      data: { need: 4097, contextTokens: 4096 },
    })
    await ask({ promptTokens: 4000, maxTokens: 96 })
    expect(options()).toEqual([{ num_ctx: 4096, num_predict: 96 }])
  })

  it('tells only a model that can think not to', async () => {
    await ask()
    expect(bench.server.chats()[0]?.think).toBe(false)
    await withServer({}, { models: [{ name: 'qwen3', capabilities: ['completion'] }] })
    await ask()
    expect(bench.server.chats()[0]).not.toHaveProperty('think')
    await withServer({}, { models: [{ name: 'qwen3' }] })
    await ask()
    expect(bench.server.chats()[0]).not.toHaveProperty('think')
  })

  it('asks what the model can do once only', async () => {
    await ask()
    await ask()
    expect(bench.server.requests.map(({ path }) => path)).toEqual(['/api/show', '/api/chat', '/api/chat'])
  })

  it('tells the schema in words beside tools, since a model that is held to one cannot use them', async () => {
    await ask({ tools, schema: verdict })
    const [body] = bench.server.chats()
    expect(body).not.toHaveProperty('format')
    expect(body?.messages[0]?.content).toContain('"decision"')
  })

  it('names calls by their place in the conversation', async () => {
    bench.server.reply(() => ({ calls: [{ tool: 'files.list', arguments: {} }] }))
    const call = { id: 'call_1', tool: 'files.list', arguments: '{}' }
    const messages: ChatRequest['messages'] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'tool', call: 'call_1', tool: 'files.list', text: 'a.md' },
    ]
    expect((await ask({ tools })).calls).toEqual([call])
    expect((await ask({ tools, messages })).calls).toEqual([{ ...call, id: 'call_2' }])
  })

  it('sends arguments back as an object, whatever a model had written', async () => {
    const calls = ['{"path":"a"}', 'nonsense', '[1]', ''].map((text, at) => ({
      id: `${at}`,
      tool: 't',
      arguments: text,
    }))
    await ask({ messages: [{ role: 'assistant', text: '', calls }] })
    const sent = bench.server.chats()[0]?.messages[0]?.tool_calls?.map((call) => call.function.arguments)
    expect(sent).toEqual([{ path: 'a' }, {}, {}, {}])
  })
})

describe('what Ollama answers', () => {
  it('may be cut anywhere, also within a character', async () => {
    const bytes = bytesOf({ text: 'Grüße, 世界 🌍. It is urgent.', completionTokens: 9 })
    for (const size of [1, 2, 3, 7, 64]) {
      bench.server.reply(() => ({
        pieces: (async function* () {
          for (let at = 0; at < bytes.length; at += size) {
            yield bytes.subarray(at, at + size)
            await new Promise(setImmediate)
          }
        })(),
      }))
      expect(await ask()).toMatchObject({ text: 'Grüße, 世界 🌍. It is urgent.', usage: { completionTokens: 9 } })
    }
  })

  it('may have empty lines, line ends of two characters, and no line end behind its last line', async () => {
    const lines = Buffer.from(bytesOf({ text: 'Four.' }))
      .toString()
      .trim()
      .split('\n')
    bench.server.reply(() => ({ pieces: [lines.join('\r\n\r\n')] }))
    expect(await ask()).toMatchObject({ text: 'Four.' })
  })

  it('may hold thinking in a field of its own or in the text; neither gets into the reply', async () => {
    bench.server.reply(() => ({ thinking: 'Hm, so many mails.', text: 'Four.' }))
    expect(await ask()).toMatchObject({ text: 'Four.' })
    bench.server.reply(() => ({ text: '<think>Hm</think>\n\nFour.' }))
    expect(await ask()).toMatchObject({ text: 'Four.' })
  })

  it('may have arguments as text, as nothing, or none', async () => {
    bench.server.reply(() => ({
      calls: ['{"path":"a"}', '', null, undefined, { path: 'a' }].map((given) => ({ tool: 't', arguments: given })),
    }))
    const { calls } = await ask({ tools })
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{}', '{}', '{}', '{"path":"a"}'])
  })

  it('counts the prompt as estimated, and the answer by its length, where the server does not count', async () => {
    bench.server.reply(() => ({ text: 'Four.', promptTokens: null, completionTokens: null }))
    expect((await ask()).usage).toEqual({ promptTokens: 100, completionTokens: 2 })
  })

  it('ignores a schema without harm: what was said is told as it is', async () => {
    bench.server.reply(() => ({ text: 'I would say: skip.' }))
    expect(await ask({ schema: verdict })).toMatchObject({ text: 'I would say: skip.' })
  })

  it('closes its connection with the last piece, also when the server does not', async () => {
    bench.server.reply(() => ({ pieces: [bytesOf({ text: 'Four.' })], end: 'never' }))
    expect(await ask()).toMatchObject({ text: 'Four.' })
    expect(await (await bench.server.next('/api/chat')).closed).toBe('broken')
  })
})

describe('a schema that the server refuses', () => {
  const formats = () => bench.server.chats().map(({ format }) => format)

  it.each([misbehaving.noFormat, misbehaving.noSuchSchema])(
    'is asked for in words, first together with JSON, then alone, and not tried again: %j',
    async (refusal) => {
      bench.server.reply(({ format }) => (format === undefined ? { text: '{}' } : refusal))
      await ask({ schema: verdict })
      await ask({ schema: verdict })
      expect(formats()).toEqual([verdict.schema, 'json', undefined, undefined])
      expect(bench.server.chats()[0]?.messages[0]?.content).toBe('Is it urgent?')
      for (const body of bench.server.chats().slice(1)) expect(body.messages[0]?.content).toContain('"decision"')
    },
  )

  it('is asked for with JSON from then on where that works', async () => {
    bench.server.reply(({ format }) => (typeof format === 'object' ? misbehaving.noFormat : { text: '{}' }))
    await ask({ schema: verdict })
    await ask({ schema: verdict })
    expect(formats()).toEqual([verdict.schema, 'json', 'json'])
  })

  it('goes one step down when several requests find out at the same time', async () => {
    bench.server.reply(({ format }) => (typeof format === 'object' ? misbehaving.noFormat : { text: '{}' }))
    await Promise.all([1, 2, 3].map(() => ask({ schema: verdict })))
    expect(formats()).not.toContain(undefined)
  })

  it('is not sought again by a request that finds out late', async () => {
    let goOn = () => {}
    const late = new Promise<void>((done) => {
      goOn = done
    })
    bench.server.reply(async ({ format }, turn) => {
      if (turn === 0) await late
      return format === undefined ? { text: '{}' } : misbehaving.noFormat
    })
    const first = ask({ schema: verdict })
    await bench.server.next('/api/chat')
    await ask({ schema: verdict })
    goOn()
    await first
    expect(formats()).toEqual([verdict.schema, verdict.schema, 'json', undefined, undefined])
  })

  it('needs room in the context when it is told in words', async () => {
    bench.server.reply(({ format }) => (format === undefined ? { text: '{}' } : misbehaving.noFormat))
    await ask({ schema: verdict, promptTokens: 1800, maxTokens: 200 })
    expect(options().map(({ num_ctx }) => num_ctx)).toEqual([2048, 4096, 4096])
  })

  it('is told in the last message of the user, so that the beginning of the prompt stays the same', async () => {
    bench.server.reply(({ format }) => (format === undefined ? { text: '{}' } : misbehaving.noFormat))
    const messages: ChatRequest['messages'] = [
      { role: 'system', text: 'You watch.' },
      { role: 'user', text: 'The report' },
      { role: 'assistant', text: 'Hm', calls: [] },
    ]
    await ask({ schema: verdict, messages })
    const sent = bench.server.chats().at(-1)?.messages ?? []
    expect(sent.map(({ content }) => content.split('\n')[0])).toEqual(['You watch.', 'The report', 'Hm'])
    expect(sent[1]?.content).toContain('"decision"')
  })

  it('is not meant when the server fails for another reason', async () => {
    bench.server.reply(() => misbehaving.noMemory)
    await expect(ask({ schema: verdict })).rejects.toMatchObject({ code: 'model/busy' })
    expect(formats()).toHaveLength(1)
  })
})

describe('a prompt that was cut', () => {
  it.each([
    ['a context that is full', { promptTokens: 2000, completionTokens: 48 }, 100],
    ['far fewer tokens than the prompt has, in the largest context', { promptTokens: 2000, loadMs: 4000 }, 7500],
  ])('is noticed by %s', async (_, counts, promptTokens) => {
    bench.server.reply(() => ({ text: 'Four.', ...counts }))
    await expect(ask({ promptTokens })).rejects.toMatchObject({
      code: 'model/truncated',
      message: expect.stringContaining('context_tokens'),
    })
  })

  it.each([
    ['no count', { promptTokens: null }, 7500],
    ['a small count of a model that was in memory before', { promptTokens: 20, loadMs: 30 }, 7500],
    ['a count of a third', { promptTokens: 2600, loadMs: 4000 }, 7500],
    ['a small count in a context that could have been larger', { promptTokens: 20, loadMs: 4000 }, 1500],
  ])('is not seen in %s', async (_, counts, promptTokens) => {
    bench.server.reply(() => ({ text: 'Four.', ...counts }))
    expect(await ask({ promptTokens })).toMatchObject({ text: 'Four.' })
  })

  it('is not seen in a small count when the prompt begins like an earlier one', async () => {
    const long = 'The report. '.repeat(500)
    bench.server.reply((_, turn) => ({
      text: 'Four.',
      promptTokens: turn === 0 ? 7000 : 40,
      loadMs: turn === 0 ? 4000 : 30,
    }))
    const repair = (end: string) => ask({ promptTokens: 7500, messages: [{ role: 'user', text: `${long}${end}` }] })
    await repair('What now?')
    expect(await repair('And again?')).toMatchObject({ text: 'Four.' })
    await expect(
      ask({ promptTokens: 7500, messages: [{ role: 'user', text: 'Something else.' }] }),
    ).rejects.toMatchObject({
      code: 'model/truncated',
    })
  })
})

describe('an answer that does not come', () => {
  const given = async (reply: Parameters<typeof endless>[0] | object, rest: Partial<ChatRequest> = {}) => {
    bench.server.reply(() => (typeof reply === 'string' ? endless(reply) : reply))
    const answer = ask(rest).catch((error: unknown) => error)
    const request = await bench.server.next('/api/chat')
    return { answer, request }
  }

  it.each(['neverAnswers', 'headersThenSilence'] as const)(
    'is given up after the time of the settings: %s',
    async (kind) => {
      const { answer, request } = await given(misbehaving[kind])
      bench.clock.set(bench.clock.now() + 5 * minute)
      expect(await answer).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('300 seconds') })
      expect(await request.closed).toBe('broken')
    },
  )

  it('is waited for while the model is being loaded, as long as the settings say', async () => {
    let load = () => {}
    const loaded = new Promise<void>((done) => {
      load = done
    })
    bench.server.reply(async () => {
      await loaded
      return { text: 'Four.', loadMs: 290_000 }
    })
    const answer = ask()
    await bench.server.next('/api/chat')
    bench.clock.set(bench.clock.now() + 5 * minute - 1)
    load()
    expect(await answer).toMatchObject({ text: 'Four.' })
  })

  it('is given up sooner when it had begun', async () => {
    const { answer, request } = await given(misbehaving.fallsSilent)
    await until(() => bench.clock.nextWakeAt === bench.clock.now() + longestPause)
    bench.clock.set(bench.clock.now() + longestPause)
    expect(await answer).toMatchObject({ code: 'model/timeout', message: expect.stringContaining('fell silent') })
    expect(await request.closed).toBe('broken')
  })

  it('may pause for longer where tools are offered, since a call comes in one piece', async () => {
    let goOn = () => {}
    const later = new Promise<void>((done) => {
      goOn = done
    })
    const { answer } = await given(
      {
        pieces: (async function* () {
          yield line('qwen3', { content: 'Let me look. ' })
          await later
          yield bytesOf({ calls: [{ tool: 'files.list', arguments: {} }] })
        })(),
      },
      { tools },
    )
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    bench.clock.set(bench.clock.now() + longestPause)
    goOn()
    expect(await answer).toMatchObject({ text: 'Let me look. ', calls: [{ tool: 'files.list' }] })
  })

  it('is given up when the model goes round in circles thinking', async () => {
    const { answer } = await given({ thinking: 'But wait, is it? '.repeat(60), text: 'Four.' })
    expect(await answer).toMatchObject({ code: 'model/runaway' })
  })

  it('is given up also when its end comes together with what was too much', async () => {
    const { answer } = await given({ pieces: [bytesOf({ text: ' '.repeat(300) })] })
    expect(await answer).toMatchObject({ code: 'model/runaway' })
  })

  it.each([' ', '\n', 'no ', '{"a":'])('is given up when %j comes without an end', async (piece) => {
    const { answer, request } = await given(piece, { maxTokens: 4000 })
    expect(await answer).toMatchObject({ code: 'model/runaway' })
    expect(await request.closed).toBe('broken')
  })

  it('is given up when it grows far beyond what it may have', async () => {
    let at = 0
    bench.server.reply(() => ({
      pieces: (function* () {
        for (;;) yield line('qwen3', { content: `${(at++ * 7919).toString(36)} ` })
      })(),
    }))
    await expect(ask({ maxTokens: 100 })).rejects.toMatchObject({ code: 'model/runaway' })
  })

  it('is given up when its bytes have no line end', async () => {
    bench.server.reply(() => ({
      pieces: (function* () {
        for (;;) yield ' '.repeat(1_000_000)
      })(),
    }))
    await expect(ask()).rejects.toMatchObject({ code: 'model/bad-answer' })
  })

  it('is sought again by a later call: nothing of a failure is kept', async () => {
    bench.server.reply((_, turn) => (turn === 0 ? misbehaving.noMemory : { text: 'Four.' }))
    await expect(ask()).rejects.toMatchObject({ code: 'model/busy' })
    expect(await ask()).toMatchObject({ text: 'Four.' })
  })
})

describe('a model on no server', () => {
  it.each(['http://[::1', 'nonsense', 'ftp://127.0.0.1:1', 'http://127.0.0.1:1'])(
    'is unreachable: %s',
    async (address) => {
      const clock = new HandClock()
      const model = ollamaChat({ address, model: 'qwen3', contextTokens: 8192, keepAlive: 5, timeoutMs: 1000, clock })
      const fault = await model.chat(saying('Hello'), never).catch((error: unknown) => error)
      expect(fault).toMatchObject({ code: 'model/unreachable', kind: 'unreachable' })
      expect(String(fault)).toContain('ollama serve')
    },
  )
})
