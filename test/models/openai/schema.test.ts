import { expect, it } from 'vitest'
import type { JSONType } from '../../../src/domain/json.ts'
import { fitsStrict } from '../../../src/models/openai/strict-schema.ts'
import { refusal, whole } from '../../support/openai-replies.ts'
import { talk } from './talk.ts'

const schema = {
  name: 'the verdict!',
  schema: {
    type: 'object',
    properties: { done: { type: 'boolean' }, why: { type: ['string', 'null'] } },
    required: ['done', 'why'],
    additionalProperties: false,
  },
}
const good = '{"done":true,"why":null}'

it('asks for a schema strictly where it can be, else plainly', async () => {
  await using it = await talk()
  it.server.reply(() => ({ text: good }))
  expect((await it.ask({ schema })).text).toBe(good)
  const loose = { name: 'v', schema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] } }
  await it.ask({ schema: loose })
  expect(it.server.chats().map((body) => body.response_format)).toEqual([
    { type: 'json_schema', json_schema: { name: 'the_verdict_', schema: schema.schema, strict: true } },
    { type: 'json_schema', json_schema: { name: 'v', schema: loose.schema } },
  ])
})

it('goes down to JSON of any kind, then to words, as the server refuses, and stays there', async () => {
  await using it = await talk()
  it.server.reply(({ response_format }) => {
    if (response_format?.type === 'json_schema') return refusal(400, 'This response_format type is unavailable now')
    if (response_format?.type === 'json_object') return refusal(422, 'No')
    return { text: `Sure:\n\`\`\`json\n${good}\n\`\`\`` }
  })
  expect((await it.ask({ schema })).text).toContain(good)
  await it.ask({ schema })
  const bodies = it.server.chats()
  expect(bodies.map((body) => body.response_format?.type)).toEqual(['json_schema', 'json_object', undefined, undefined])
  const toldIn = bodies.map((body) => body.messages.at(-1)?.content?.includes(JSON.stringify(schema.schema)))
  expect(toldIn).toEqual([false, true, true, true])
  expect(bodies[3]?.messages[0]).toEqual(bodies[0]?.messages[0])
  expect(bodies[3]?.messages.at(-1)?.content).toMatch(/^What is new\?/)
})

it('asks without strictness when only that is refused', async () => {
  await using it = await talk()
  it.server.reply(({ response_format }) =>
    response_format?.json_schema?.strict
      ? refusal(400, "Invalid schema for response_format 'the_verdict_'")
      : { text: good },
  )
  await it.ask({ schema })
  expect(it.server.chats()[1]?.response_format?.type).toBe('json_schema')
})

it('asks anew when an answer shows that the schema was ignored, counts both, and remembers', async () => {
  await using it = await talk()
  it.server.reply(({ response_format }) =>
    response_format?.type === 'json_object' ? { text: good } : { text: 'I think it is done {really}.' },
  )
  const first = await it.ask({ schema })
  expect(first.text).toBe(good)
  expect(first.usage.promptTokens).toBe(200)
  const second = await it.ask({ schema })
  expect(second.usage.promptTokens).toBe(100)
  expect(it.server.chats().map((body) => body.response_format?.type)).toEqual([
    'json_schema',
    'json_object',
    'json_object',
  ])
})

it('takes what the model wrote when no way of asking brings JSON, or a further one fails', async () => {
  await using it = await talk()
  it.server.reply(() => ({ text: 'No JSON from me.' }))
  expect((await it.ask({ schema })).text).toBe('No JSON from me.')
  expect(it.server.chats()).toHaveLength(3)

  await using other = await talk()
  other.server.reply((_body, turn) => (turn === 0 ? { text: 'Prose.' } : refusal(401, 'Who?')))
  expect((await other.ask({ schema })).text).toBe('Prose.')
})

it('sees no ignored schema in an answer that was cut off, uses tools, or has JSON among prose', async () => {
  await using it = await talk()
  for (const reply of [
    { text: 'Well', cutOff: true },
    { calls: [{ tool: 'look', arguments: '{}' }] },
    { text: `Here: ${good} as asked.` },
    { text: `[${good}]` },
    whole({ content: `<think>{</think>${good}` }),
  ]) {
    const before = it.server.chats().length
    it.server.reply(() => reply)
    await it.ask({ schema })
    expect(it.server.chats()).toHaveLength(before + 1)
  }
})

it('tells the schema in a message of its own where the last one is not of the user', async () => {
  await using it = await talk()
  it.server.reply(({ response_format }) => (response_format ? refusal(400, 'response_format') : { text: good }))
  await it.ask({
    schema,
    messages: [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'look', arguments: '{}' }] },
      { role: 'tool', call: 'a', tool: 'look', text: 'Seen.' },
    ],
  })
  expect(
    it.server
      .chats()
      .at(-1)
      ?.messages.map(({ role }) => role),
  ).toEqual(['user', 'assistant', 'tool', 'user'])
})

const object = (properties: { [key: string]: JSONType }, more: { [key: string]: JSONType } = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})

it.each([
  [true, object({})],
  [
    true,
    object({ list: { type: 'array', items: object({ id: { enum: ['a', 'b'] }, n: { type: ['integer', 'null'] } }) } }),
  ],
  [true, object({ either: { anyOf: [object({ a: { const: 1 } }), { type: 'null' }] } })],
  [true, object({ self: { $ref: '#/$defs/one' } }, { $defs: { one: { type: 'string' } } })],
  [false, object({ a: {} }, { required: [] })],
  [false, object({ a: { type: 'string', pattern: '^a' } })],
  [false, object({ a: { type: 'object', properties: {} } })],
  [false, object({ a: { type: ['object', 'null'] } })],
  [false, object({ a: { type: 'array' } })],
  [false, object({}, { $schema: 'http://json-schema.org/draft-07/schema#' })],
  [false, { type: 'array', items: object({}) }],
  [false, { type: 'object', additionalProperties: false }],
  [false, object({ a: { enum: Array.from({ length: 1001 }, (_, at) => at) } })],
])('says %s of what strict output can hold: %j', (fits, candidate) => {
  expect(fitsStrict(candidate as { [key: string]: JSONType })).toBe(fits)
})
