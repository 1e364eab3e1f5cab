import { afterEach, describe, expect, it, vi } from 'vitest'
import { chunk, done, event, whole } from '../../support/openai-replies.ts'
import { talk } from './talk.ts'

afterEach(() => vi.unstubAllEnvs())

const tools = [
  { name: 'file.read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } },
  { name: 'file_read', description: 'Reads another.', parameters: { type: 'object', properties: {} } },
]

describe('a chat with an OpenAI-compatible endpoint', () => {
  it('sends the conversation and puts the streamed answer together', async () => {
    await using it = await talk({ key: 'sk-secret-key' })
    it.server.reply(() => ({ text: 'Two mails, 一件事 and a 🙂.', usage: { prompt_tokens: 31, completion_tokens: 9 } }))

    expect(await it.ask()).toEqual({
      text: 'Two mails, 一件事 and a 🙂.',
      calls: [],
      usage: { promptTokens: 31, completionTokens: 9 },
      cutOff: false,
    })
    expect(it.server.chats()).toEqual([
      {
        model: 'served',
        messages: [
          { role: 'system', content: 'You keep an eye on things.' },
          { role: 'user', content: 'What is new?' },
        ],
        max_tokens: 100,
        stream: true,
        stream_options: { include_usage: true },
      },
    ])
    expect(it.server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-key')
  })

  it('sends no key that it was not given, and nothing from the environment of another endpoint', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-another')
    vi.stubEnv('OPENAI_ADMIN_KEY', 'sk-admin-of-another')
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-another')
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-another')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-secret: of-another\nauthorization: Bearer of-another')
    for (const key of [undefined, '', ' \n']) {
      await using it = await talk(key === undefined ? {} : { key })
      await it.ask()
      const { headers } = it.server.requests[0]!
      expect(headers.authorization).toBeUndefined()
      expect(JSON.stringify(headers)).not.toContain('of-another')
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
    }
    await using withKey = await talk({ key: 'sk-own\n' })
    await withKey.ask()
    expect(withKey.server.requests[0]?.headers.authorization).toBe('Bearer sk-own')
  })

  it('understands a server that sends the whole message at once, under any type', async () => {
    await using it = await talk()
    it.server.reply(() =>
      whole(
        {
          content: '\n Fine. ',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: { at: 1 } } }],
        },
        null,
        { usage: { prompt_tokens: 7, completion_tokens: 3 } },
      ),
    )
    expect(await it.ask()).toEqual({
      text: '\n Fine. ',
      calls: [{ id: 'a', tool: 'look', arguments: '{"at":1}' }],
      usage: { promptTokens: 7, completionTokens: 3 },
      cutOff: false,
    })
    it.server.reply(() => ({ pieces: ['\ufeff{"choices":[{"message":\r\n', '{"content":"Late."}}]}'] }))
    expect((await it.ask()).text).toBe('Late.')
  })

  it('reads streams with comments, a byte order mark, any line ends, no [DONE] and no blank line at the end', async () => {
    await using it = await talk()
    const body = `\ufeff: OPENROUTER PROCESSING\n\n${chunk({ content: 'A' })}: again\n\nevent: message\nid: 3\nretry: 10\n${chunk({ content: 'B' })}${chunk({}, 'stop').trimEnd()}`
    for (const text of [body, body.replaceAll('\n', '\r\n'), body.replaceAll('\n', '\r')]) {
      it.server.reply(() => ({ pieces: [text], headers: { 'content-type': 'text/plain' } }))
      expect((await it.ask()).text).toBe('AB')
    }
  })

  it('takes an answer for complete when [DONE] comes without a reason to finish', async () => {
    await using it = await talk()
    it.server.reply(() => ({ pieces: [chunk({ content: 'A' }), done], end: 'never' }))
    expect((await it.ask()).text).toBe('A')
    expect(await it.server.requests[0]?.closed).toBe('broken')
  })

  it('does not wait long for token counts behind a complete answer', async () => {
    await using it = await talk()
    it.server.reply(() => ({ pieces: [chunk({ content: 'A' }), chunk({}, 'stop')], end: 'never' }))
    const reply = it.ask()
    expect(await it.nextWait()).toBe(5000)
    expect((await reply).text).toBe('A')
    expect(await it.server.requests[0]?.closed).toBe('broken')
  })

  it('says when the answer was cut off', async () => {
    await using it = await talk()
    it.server.reply(() => ({ text: 'It is', cutOff: true }))
    expect(await it.ask()).toMatchObject({ text: 'It is', cutOff: true })
    it.server.reply(() => ({ pieces: [chunk({ content: 'It is' }, 'MAX_TOKENS'), done] }))
    expect(await it.ask()).toMatchObject({ text: 'It is', cutOff: true })
  })

  it('keeps no thoughts, wherever a server puts them', async () => {
    await using it = await talk()
    for (const pieces of [
      [chunk({ content: '<think>Hm' }), chunk({ content: '…</think>Yes.' })],
      [chunk({ reasoning_content: 'Hm' }), chunk({ content: 'Yes.' })],
      [chunk({ reasoning: 'Hm', reasoning_details: [{ text: 'Hm' }] }), chunk({ content: 'Yes.', reasoning: null })],
      [
        chunk({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
            { type: 'text', text: 'Yes.' },
          ],
        }),
      ],
    ]) {
      it.server.reply(() => ({ pieces: [...pieces, chunk({}, 'stop'), done] }))
      expect((await it.ask()).text).toBe('Yes.')
    }
  })
})

describe('token counts', () => {
  it('are estimated when the server does not give them, and never nothing for an answer', async () => {
    await using it = await talk()
    it.server.reply(() => ({ text: 'x'.repeat(9).replace(/x/g, (_, at: number) => String(at)), usage: null }))
    const { usage } = await it.ask()
    expect(usage.completionTokens).toBe(3)
    expect(usage.promptTokens).toBeGreaterThan(10)

    it.server.reply(() => ({ text: 'Yes.', usage: { prompt_tokens: 5, completion_tokens: 0 } }))
    expect((await it.ask()).usage).toEqual({ promptTokens: 5, completionTokens: 2 })
    it.server.reply(() => ({ calls: [{ tool: 'look', arguments: '{"at":"here"}' }], usage: null }))
    expect((await it.ask()).usage.completionTokens).toBeGreaterThan(3)
    it.server.reply(() => ({ thinking: 'On and on', usage: null }))
    expect((await it.ask()).usage.completionTokens).toBe(3)
  })

  it('are taken from wherever a server puts them, and only when they are counts', async () => {
    await using it = await talk()
    const usage = { prompt_tokens: 12, completion_tokens: 4 }
    for (const piece of [chunk({}, 'stop', { usage }), chunk({}, 'stop', { x_groq: { usage } })]) {
      it.server.reply(() => ({ pieces: [chunk({ content: 'Yes.' }), piece, done] }))
      expect((await it.ask()).usage).toEqual({ promptTokens: 12, completionTokens: 4 })
    }
    const odd = { prompt_tokens: -1, completion_tokens: 'many' }
    it.server.reply(() => ({ pieces: [chunk({ content: 'Yes.' }), chunk({}, 'stop', { usage: odd }), done] }))
    expect((await it.ask()).usage.completionTokens).toBe(2)
  })
})

describe('what a server does not take', () => {
  it('is left out of the next request and of all later ones', async () => {
    await using it = await talk()
    it.server.reply(({ stream_options, parallel_tool_calls, max_tokens }) => {
      const refuse = (message: string) => ({ status: 400, json: { error: { message } } })
      if (stream_options) return refuse('Unrecognized request argument supplied: stream_options')
      if (parallel_tool_calls !== undefined) return refuse("Unknown parameter: 'parallel_tool_calls'.")
      if (max_tokens !== undefined)
        return refuse("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
      return { text: 'Yes.' }
    })
    expect((await it.ask({ tools })).text).toBe('Yes.')
    expect(it.server.chats()).toHaveLength(4)
    expect((await it.ask({ tools })).text).toBe('Yes.')
    expect(it.server.chats()).toHaveLength(5)
    expect(it.server.chats()[4]).toMatchObject({ max_completion_tokens: 100, tools: [{}, {}] })
  })

  it('is found by trying where the server does not name it, and told in the first words where that does not help', async () => {
    await using it = await talk()
    it.server.reply(({ stream_options }) =>
      stream_options ? { status: 422, json: { detail: 'Unprocessable' } } : { text: 'Yes.' },
    )
    expect((await it.ask()).text).toBe('Yes.')

    await using other = await talk()
    other.server.reply((_body, turn) => ({ status: 400, json: { error: `Odd ${turn}` } }))
    const fault = await other.fault({ tools })
    expect(fault.code).toBe('model/bad-request')
    expect(fault.message).toContain('Odd 0')
    expect(other.server.chats()).toHaveLength(3)
    other.server.reply(() => ({ text: 'Yes.' }))
    await other.ask()
    expect(other.server.chats().at(-1)).toHaveProperty('stream_options')
  })

  it('is understood where it comes as a list of fields', async () => {
    await using it = await talk()
    it.server.reply(({ parallel_tool_calls }) =>
      parallel_tool_calls === undefined
        ? { text: 'Yes.' }
        : {
            status: 422,
            json: { detail: [{ loc: ['body', 'parallel_tool_calls'], msg: 'Extra inputs are not permitted' }] },
          },
    )
    expect((await it.ask({ tools })).text).toBe('Yes.')
    expect(it.server.chats()).toHaveLength(2)
    expect(it.server.chats()[1]).toHaveProperty('stream_options')
  })
})

describe('names of requests', () => {
  it('are sent only when asked for, stay the same when a request is sent again, and differ between requests', async () => {
    let last = 0
    const random = () => {
      last = (last * 16807 + 7) % 2147483647
      return last / 2147483647
    }
    await using it = await talk({ idempotencyKeys: true, random })
    it.server.reply((_body, turn) => (turn === 0 ? { status: 503, json: { error: 'busy' } } : { text: 'Yes.' }))
    const reply = it.ask()
    await it.nextWait()
    await reply
    await it.ask()
    const keys = it.server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^undermind-[0-9a-f]{24}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])

    await using plain = await talk()
    await plain.ask()
    expect(plain.server.requests[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

it('passes over events of a stream that are no part of the answer', async () => {
  await using it = await talk()
  it.server.reply(() => ({ pieces: [event({ type: 'ping' }), chunk({ content: 'Yes.' }), chunk({}, 'stop'), done] }))
  expect((await it.ask()).text).toBe('Yes.')
})
