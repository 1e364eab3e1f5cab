import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../../../src/domain/chat.ts'
import type { Fault } from '../../../src/domain/errors.ts'
import { openaiChat } from '../../../src/models/openai/chat.ts'
import { HandClock } from '../../support/clock.ts'
import { chunk, done, event, misbehaving, type OpenAIReply, refusal, whole } from '../../support/openai-replies.ts'
import { openaiServer } from '../../support/openai-server.ts'
import { faultOf, question, talk } from './talk.ts'

const key = 'sk-proj-aBcD1234efGH5678'
const tools: ChatRequest['tools'] = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]

const permanent: [string, OpenAIReply, string][] = [
  ['413', refusal(413, 'Payload Too Large'), 'model/too-large'],
  [
    'a request larger than the tokens of a minute',
    refusal(429, {
      message: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'model/too-large',
  ],
  [
    'a context that is too small, at OpenAI',
    refusal(400, {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      code: 'context_length_exceeded',
      param: 'messages',
    }),
    'model/too-large',
  ],
  [
    'a context that is too small, at llama.cpp',
    refusal(400, {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
    }),
    'model/too-large',
  ],
  [
    'an answer longer than the model gives',
    refusal(400, 'max_tokens is too large: 50000. This model supports at most 4096 completion tokens'),
    'model/too-large',
  ],
  [
    'no quota',
    refusal(429, { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' }),
    'model/quota',
  ],
  [
    'no quota, whatever it says of waiting',
    refusal(429, { code: 'insufficient_quota' }, { 'retry-after': '1' }),
    'model/quota',
  ],
  ['billing words', refusal(403, 'Billing is not active on your account'), 'model/quota'],
  ['402', refusal(402, 'This request requires more credits'), 'model/quota'],
  ['401', refusal(401, `Incorrect API key provided: ${key}`), 'model/key-refused'],
  ['403', refusal(403, `The key ${key} may not use this model`), 'model/key-refused'],
  [
    '404 of a model',
    refusal(404, { message: 'The model `served` does not exist', code: 'model_not_found' }),
    'model/missing',
  ],
  ['404 of a model with dots', refusal(404, 'model "qwen2.5:7b" not found, try pulling it first'), 'model/missing'],
  [
    'a failed use of a tool',
    refusal(400, { message: 'Failed to call a function.', code: 'tool_use_failed' }),
    'model/bad-answer',
  ],
  ['400 of a model', refusal(400, 'served is not a valid model ID'), 'model/missing'],
  ['400 of tools', refusal(400, 'served does not support tools'), 'model/no-tools'],
  [
    '400 of tools, at vLLM',
    {
      status: 400,
      json: { object: 'error', message: '"auto" tool choice requires --enable-auto-tool-choice', code: 400 },
    },
    'model/no-tools',
  ],
  ['404 of tools, at OpenRouter', refusal(404, 'No endpoints found that support tool use.'), 'model/no-tools'],
  ['500 of tools, at llama.cpp', refusal(500, 'tools param requires --jinja flag'), 'model/no-tools'],
  ['a tool described wrongly', refusal(400, "Invalid schema for function 'look'"), 'model/bad-request'],
  ['a content filter', refusal(400, { message: 'The response was filtered', code: 'content_filter' }), 'model/refused'],
  ['a moderated prompt', refusal(403, 'Your input was flagged'), 'model/refused'],
  ['a route that is not there', { status: 404, json: { detail: 'Not Found' } }, 'model/unreachable'],
  ['a method that is not there', refusal(405, 'Method Not Allowed'), 'model/unreachable'],
  [
    'a route unknown to LM Studio',
    { json: { error: 'Unexpected endpoint or method. (POST /chat/completions)' } },
    'model/unreachable',
  ],
  ['a redirect', misbehaving.redirect, 'model/unreachable'],
  ['501', refusal(501, 'Not implemented'), 'model/bad-request'],
  ['418', refusal(418, 'A teapot'), 'model/bad-request'],
]

describe('what does not pass by trying again', () => {
  it.each(permanent)('%s is told at once', async (_name, reply, code) => {
    await using it = await talk({ key })
    it.server.reply(() => reply)
    const fault = await it.fault({ tools })
    expect(fault.code).toBe(code)
    expect(told(fault)).not.toContain(key.slice(0, 10))
    expect(fault.message).toMatch(/^[^\n]*\.$/)
    if (code !== 'model/bad-request') expect(it.server.chats()).toHaveLength(1)
  })

  it('tells a rate limit that is called a quota from a quota by what it says of waiting', async () => {
    await using it = await talk()
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    it.server.reply((_body, turn) =>
      turn === 0
        ? refusal(429, { message, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '34s' }] })
        : { text: 'Yes.' },
    )
    const reply = it.ask()
    expect(await it.nextWait()).toBe(34_000)
    expect((await reply).text).toBe('Yes.')
  })

  it('does not blame tools that were not sent', async () => {
    await using it = await talk()
    it.server.reply(() => refusal(400, 'served does not support tools'))
    expect((await it.fault()).code).toBe('model/bad-request')
  })

  it('tells of a need larger than the context before anything is sent', async () => {
    await using it = await talk()
    const fault = await it.fault({ promptTokens: 8100, maxTokens: 93 })
    expect(fault).toMatchObject({ code: 'model/too-large', data: { promptTokens: 8100, maxTokens: 93 } })
    expect(it.server.requests).toHaveLength(0)
    await it.ask({ promptTokens: 8100, maxTokens: 92 })
  })
})

describe('a refusal of the model', () => {
  it('is told as one, with its words', async () => {
    await using it = await talk()
    it.server.reply(() => ({
      pieces: [chunk({ refusal: "I can't " }), chunk({ refusal: 'help.' }), chunk({}, 'stop'), done],
    }))
    const fault = await it.fault()
    expect(fault.code).toBe('model/refused')
    expect(fault.message).toContain("I can't help.")
    it.server.reply(() => whole({ content: null, refusal: 'No.' }))
    expect((await it.fault()).message).toContain('No.')
    it.server.reply(() => ({ pieces: [chunk({ content: 'It is' }), chunk({}, 'content_filter'), done] }))
    expect((await it.fault()).code).toBe('model/refused')
    expect(it.server.chats()).toHaveLength(3)
  })
})

describe('the key', () => {
  it('is in no fault, however a server repeats it', async () => {
    await using it = await talk({ key })
    const forms = [key, `${key.slice(0, 14)}***5678`, JSON.stringify({ Authorization: `Bearer ${key}` })]
    for (const status of [400, 403, 404, 429, 418])
      for (const form of forms) {
        it.server.reply(() => refusal(status, `Bad: ${form} at once`, { 'retry-after': '999' }))
        const fault = await it.fault()
        expect(told(fault)).not.toContain('aBcD')
        if (fault.code !== 'model/missing') expect(fault.message).toContain('Bad: ')
      }
    for (const reply of [
      { pieces: [`${'no '.repeat(95)} ${key}`] },
      { pieces: [`data: ${key}\n\n`] },
      { pieces: [`data: "${key}"\n\n`] },
      { pieces: [chunk({ content: 'A' }), event({ error: { message: key } })] },
      whole({ refusal: `No, ${key}` }),
    ]) {
      it.server.reply(() => reply)
      const fault = await it.hurry(it.fault())
      expect(told(fault)).not.toContain('sk-pro')
    }
    it.server.reply(() => ({ status: 302, headers: { location: `http://x/?key=${key}` }, pieces: [] }))
    expect(told(await it.fault())).not.toContain('aBcD')
  })

  it('of a few letters does not garble the words around it', async () => {
    await using it = await talk({ key: 'none' })
    it.server.reply(() => refusal(403, 'Key none: nonexistent'))
    expect((await it.fault()).message).toContain('Key [key]: nonexistent')
  })

  it('that no header can carry is refused without being shown', async () => {
    await using it = await talk({ key: 'sk-aBcD\n1234' })
    for (const fault of [await it.fault(), await faultOf(it.model.facts(new AbortController().signal))]) {
      expect(fault.code).toBe('model/key-refused')
      expect(told(fault)).not.toContain('aBcD')
    }
    expect(it.server.requests).toHaveLength(0)
  })

  it('is asked for by the name of its setting when a server wants one', async () => {
    await using it = await talk({ served: { key } })
    const fault = await it.fault()
    expect(fault.code).toBe('model/key-refused')
    expect(fault.message).toContain('none was sent')
    expect(fault.message).toContain('api_key_env')
  })
})

describe('an address', () => {
  it('that lacks /v1 is told of', async () => {
    await using server = await openaiServer()
    const address = server.address.replace('/v1', '')
    const options = {
      model: 'served',
      contextTokens: 8192,
      timeoutMs: 60_000,
      clock: new HandClock(),
      random: () => 0.5,
    }
    const { signal } = new AbortController()
    for (const reply of [misbehaving.htmlPage, { ...misbehaving.htmlPage, status: 404 }, refusal(404, 'Not Found')]) {
      server.spoil('/chat/completions', reply)
      const fault = await faultOf(openaiChat({ ...options, address }).chat(question, signal))
      expect(fault.message).toContain(`try ${address}/v1.`)
      server.spoil('/v1/chat/completions', reply)
      const other = await faultOf(openaiChat({ ...options, address: server.address }).chat(question, signal))
      expect(other.message).not.toContain('try ')
    }
  })

  it('where nobody listens, or that is no name, is told of', async () => {
    const server = await openaiServer()
    await server[Symbol.asyncDispose]()
    const options = {
      model: 'served',
      contextTokens: 8192,
      timeoutMs: 60_000,
      clock: new HandClock(),
      random: () => 0.5,
    }
    const { signal } = new AbortController()
    const refused = openaiChat({ ...options, address: server.address })
    for (const fault of [await faultOf(refused.chat(question, signal)), await faultOf(refused.facts(signal))]) {
      expect(fault).toMatchObject({ code: 'model/unreachable', kind: 'unreachable', data: { cause: 'ECONNREFUSED' } })
      expect(fault.message).toContain(server.address)
    }
    const nowhere = openaiChat({ ...options, address: 'http://no-such-host.invalid/v1' })
    expect((await faultOf(nowhere.chat(question, signal))).code).toBe('model/unreachable')
  })
})

/** All that anybody could get to see of it. */
const told = (fault: Fault): string =>
  JSON.stringify([
    fault.message,
    fault.data,
    fault.stack,
    fault.cause instanceof Error ? fault.cause.stack : fault.cause,
  ])
