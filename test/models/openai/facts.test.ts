import { expect, it } from 'vitest'
import { second } from '../../../src/domain/clock.ts'
import { openaiAddress } from '../../../src/models/openai/address.ts'
import { misbehaving, type OpenAIReply, refusal, silent } from '../../support/openai-replies.ts'
import { faultOf, talk } from './talk.ts'

const signal = new AbortController().signal

const factsOf = async (reply: OpenAIReply, model = 'served') => {
  await using it = await talk({ model, key: 'sk-abc' })
  it.server.spoil('/v1/models', reply)
  const facts = await it.model.facts(signal)
  expect(it.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models'])
  expect(it.server.requests[0]?.headers.authorization).toBe('Bearer sk-abc')
  return facts
}

const list = (...data: object[]): OpenAIReply => ({ json: { object: 'list', data } })

const plain = { model: 'served', contextTokens: 8192, tools: null }

it.each([
  ['no route', { status: 404, json: { detail: 'Not Found' } }],
  ['no method', refusal(405, 'No')],
  ['an empty list', list()],
  ['no list', { json: { object: 'list' } }],
  ['a page', misbehaving.htmlPage],
  ['garbage', misbehaving.garbage],
  ['entries without names', { json: { data: [null, 7, 'x'] } }],
] as [string, OpenAIReply][])('takes a server with %s for one that is there', async (_name, reply) => {
  expect(await factsOf(reply)).toEqual(plain)
})

it.each([
  [{ id: 'served' }, {}],
  [
    { id: 'served', context_length: 32_000, supported_parameters: ['tools', 'seed'] },
    { contextTokens: 32_000, tools: true },
  ],
  [{ id: 'served', supported_parameters: ['seed'] }, { tools: false }],
  [{ id: 'served', max_model_len: 4096 }, { contextTokens: 4096 }],
  [{ id: 'served', meta: { n_ctx_train: 40_960 } }, { contextTokens: 40_960 }],
  [{ id: 'served', meta: { n_ctx_train: 40_960, n_ctx: 16_384 } }, { contextTokens: 16_384 }],
  [
    { id: 'served', max_context_length: 131_072, loaded_context_length: 4096, capabilities: ['tool_use'] },
    { contextTokens: 4096, tools: true },
  ],
  [
    { id: 'served', capabilities: { function_calling: false }, max_context_length: 9000 },
    { contextTokens: 9000, tools: false },
  ],
  [{ id: 'served', capabilities: ['vision'] }, {}],
  [{ id: 'served', context_length: 'long', meta: null, capabilities: 7 }, {}],
])('reads what a server tells of a model: %j', async (entry, facts) => {
  expect(await factsOf(list({ id: 'other', context_length: 1 }, entry))).toEqual({ ...plain, ...facts })
})

it('finds the model under the names that servers dress it in', async () => {
  for (const [id, model] of [
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['/srv/models/Qwen3-4B.gguf', 'qwen3-4b'],
    ['qwen3:latest', 'qwen3'],
  ] as const)
    expect((await factsOf(list({ id, context_length: 5 }), model)).contextTokens).toBe(5)
  expect((await factsOf(list({ id: '/m/x.gguf', owned_by: 'llamacpp', meta: { n_ctx: 5 } }))).contextTokens).toBe(5)
  expect((await factsOf({ json: [{ id: 'served', context_length: 5 }] })).contextTokens).toBe(5)
  expect((await factsOf({ json: { models: [{ name: 'served', context_length: 5 }] } })).contextTokens).toBe(5)
})

it('misses a model that is not in the list, and names the nearest', async () => {
  const others = Array.from({ length: 300 }, (_, n) => ({ id: `other/model-${n}` }))
  const fault = await faultOf(factsOf(list(...others, { id: 'vendor/served-mini' })))
  expect(fault.code).toBe('model/missing')
  expect(fault.message).toContain('301 models')
  expect(fault.message).toContain('vendor/served-mini')
  expect(fault.message.length).toBeLessThan(400)
})

it('tells a refused key, a limit and a broken server apart, asking once', async () => {
  expect((await faultOf(factsOf(refusal(401, 'Who?')))).code).toBe('model/key-refused')
  expect((await faultOf(factsOf(refusal(429, 'Slow', { 'retry-after': '9' })))).code).toBe('model/rate-limited')
  expect((await faultOf(factsOf(refusal(503, 'Loading')))).code).toBe('model/busy')
})

it('waits for the list twenty seconds at most', async () => {
  await using it = await talk()
  it.server.spoil('/v1/models', silent.neverAnswers)
  const fault = faultOf(it.model.facts(signal))
  const request = await it.server.next('/v1/models')
  expect(it.clock.nextWakeAt).toBe(it.clock.now() + 20 * second)
  it.clock.set(it.clock.now() + 20 * second)
  expect((await fault).code).toBe('model/timeout')
  expect(await request.closed).toBe('broken')
})

it.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  [' https://api.openai.com/v1// ', 'https://api.openai.com/v1'],
  ['http://127.0.0.1:1234', 'http://127.0.0.1:1234'],
  ['http://127.0.0.1:1234/', 'http://127.0.0.1:1234'],
  ['http://[::1]:8080/v1/', 'http://[::1]:8080/v1'],
  ['https://x.example/api//v1/chat/completions', 'https://x.example/api/v1'],
  ['https://x.example/v1/models/', 'https://x.example/v1'],
  ['HTTPS://X.example/v1?key=1#a', 'https://x.example/v1'],
])('tidies the address %j', (base, tidy) => {
  expect(openaiAddress(base)).toBe(tidy)
})

it.each(['', 'localhost:1234', 'ftp://x', 'http://', 'not an address'])('refuses the address %j', (base) => {
  expect(() => openaiAddress(base)).toThrow(/no http or https address/)
})
