import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../../src/domain/chat.ts'
import { chunk, done } from '../../support/openai-replies.ts'
import { question, talk } from './talk.ts'

const tools = [
  { name: 'file.read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } },
  { name: 'file_read', description: 'Reads another.', parameters: { type: 'object', properties: {} } },
]

const calls = (...pieces: object[]) => [
  ...pieces.map((piece) => chunk({ tool_calls: [piece] })),
  chunk({}, 'tool_calls'),
  done,
]

describe('tools', () => {
  it('go by names that the protocol allows, and come back by their own', async () => {
    await using it = await talk()
    it.server.reply(() => ({
      calls: [
        { tool: 'file_read', arguments: '{"path":"a"}' },
        { tool: 'file_read_2', arguments: '{"path":"b"}' },
        { tool: 'made_up', arguments: '' },
      ],
    }))
    const messages: ChatMessage[] = [
      ...question.messages,
      { role: 'assistant', text: '', calls: [{ id: 'c1', tool: 'old.tool', arguments: '{"a":1}' }] },
      { role: 'tool', call: 'c1', tool: 'old.tool', text: 'Cut \ud83d off' },
      { role: 'assistant', text: 'Hm.', calls: [{ id: 'c2', tool: 'file.read', arguments: '{broken' }] },
      { role: 'tool', call: 'c2', tool: 'file.read', text: 'Bad arguments.' },
    ]
    expect((await it.ask({ tools, messages })).calls).toEqual([
      { id: 'call_s0', tool: 'file.read', arguments: '{"path":"a"}' },
      { id: 'call_s1', tool: 'file_read', arguments: '{"path":"b"}' },
      { id: 'call_s2', tool: 'made_up', arguments: '{}' },
    ])
    const [body] = it.server.chats()
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(['file_read', 'file_read_2'])
    expect(body?.parallel_tool_calls).toBe(true)
    expect(body?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'old_tool', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Cut \ufffd off' },
      {
        role: 'assistant',
        content: 'Hm.',
        tool_calls: [
          { id: 'c2', type: 'function', function: { name: 'file_read', arguments: '{"unreadable":"{broken"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'Bad arguments.' },
    ])
  })

  it('are put together from pieces that arrive by turns', async () => {
    await using it = await talk()
    it.server.reply(() => ({
      pieces: calls(
        { index: 0, id: 'a', function: { name: 'file_', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'file_read', arguments: '{"p' } },
        { index: 0, function: { name: 'read' } },
        { index: 0, function: { arguments: '{"q":' } },
        { index: 1, function: { name: 'file_read', arguments: '":1}' } },
        { index: 0, function: { arguments: '2}' } },
      ),
    }))
    expect((await it.ask({ tools: tools.slice(0, 1) })).calls).toEqual([
      { id: 'a', tool: 'file.read', arguments: '{"q":2}' },
      { id: 'b', tool: 'file.read', arguments: '{"p":1}' },
    ])
  })

  it('are told apart by their ids, or by a new name, where a server does not number them', async () => {
    await using it = await talk()
    const two = [
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ]
    const ways = [
      (id: string, text: string) => ({ index: 0, id, function: { name: 'look', arguments: text } }),
      (id: string, text: string) => ({ id, function: { name: 'look', arguments: text } }),
      (_id: string, text: string) => ({ function: { name: 'look', arguments: text } }),
    ]
    for (const way of ways) {
      it.server.reply(() => ({ pieces: calls(...two.map(([id = '', text = '']) => way(id, text))) }))
      expect((await it.ask()).calls.map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}'])
    }
  })

  it('get ids that are made up the same way each time where a server gives none, or one twice', async () => {
    await using it = await talk()
    const call = (index: number, id?: string) => ({ index, ...(id && { id }), function: { name: 'look' } })
    it.server.reply(() => ({ pieces: calls(call(0), call(1, 'call_2'), call(2, 'x'), call(3, 'x')) }))
    const messages: ChatMessage[] = [
      ...question.messages,
      { role: 'assistant', text: '', calls: [{ id: 'call_1', tool: 'look', arguments: '{}' }] },
      { role: 'tool', call: 'call_1', tool: 'look', text: 'Nothing.' },
    ]
    const ids = (await it.ask({ messages })).calls.map(({ id }) => id)
    expect(new Set([...ids, 'call_1']).size).toBe(5)
    expect((await it.ask({ messages })).calls.map(({ id }) => id)).toEqual(ids)
  })

  it('have their arguments as JSON text, in whatever form they came', async () => {
    await using it = await talk()
    const forms: [unknown, string][] = [
      ['', '{}'],
      [' \n', '{}'],
      ['null', '{}'],
      [null, '{}'],
      [{ a: [1] }, '{"a":[1]}'],
      [JSON.stringify('{"a":1}'), '{"a":1}'],
      [JSON.stringify(JSON.stringify('{"a":1}')), JSON.stringify(JSON.stringify('{"a":1}'))],
      ['"just text"', '"just text"'],
      ['{"a":', '{"a":'],
      ['""', '{}'],
    ]
    for (const [given, expected] of forms) {
      it.server.reply(() => ({ pieces: calls({ index: 0, function: { name: 'look', arguments: given } }) }))
      expect((await it.ask()).calls).toEqual([{ id: 'call_1', tool: 'look', arguments: expected }])
    }
  })
})

describe('uses of tools that make no sense', () => {
  it('are handed on when they lack a name only, for whoever runs tools to refuse', async () => {
    await using it = await talk()
    it.server.reply(() => ({
      pieces: calls(
        { index: 0, function: { arguments: '{"a":1}' } },
        { index: 1, id: 'b' },
        { index: 2, function: {} },
      ),
    }))
    expect((await it.ask()).calls).toEqual([{ id: 'call_1', tool: '', arguments: '{"a":1}' }])
  })

  it('are given up when there are hundreds of them', async () => {
    await using it = await talk()
    it.server.reply(() => ({
      pieces: calls(...Array.from({ length: 501 }, (_, index) => ({ index, id: `${index}` }))),
    }))
    expect((await it.fault()).code).toBe('model/runaway')
  })
})
