import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { asData, conversationTokens, fitted } from '../../src/house/agent-conversation.ts'

const answer = (call: string, text: string): ChatMessage => ({
  role: 'tool',
  call,
  tool: 'read_file',
  text: asData(text),
})
const long = (lines: number) => Array.from({ length: lines }, (_, n) => `Line ${n} says something.`).join('\n')

it('shortens the longest answers of tools until a conversation fits, says so, and leaves the fences whole', () => {
  const messages: ChatMessage[] = [
    { role: 'system', text: 'Rules.' },
    { role: 'user', text: long(20) },
    { role: 'assistant', text: '', calls: [] },
    answer('a', long(500)),
    answer('b', 'short'),
  ]
  const fits = fitted(messages, 1000)
  expect(conversationTokens(fits)).toBeLessThanOrEqual(1000)
  expect([fits[0], fits[1], fits[2], fits[4]]).toEqual([messages[0], messages[1], messages[2], messages[4]])
  const [open, ...rest] = fits[3]!.text.split('\n')
  expect(open).toMatch(/^<fenced-\w+>$/)
  expect(rest.at(-1)).toBe(open?.replace('<', '</'))
  expect(rest.slice(0, 2)).toEqual(['Line 0 says something.', 'Line 1 says something.'])
  expect(fits[3]?.text).toContain('left out')
})

it('leaves a conversation alone that fits, and never shortens what is no answer of a tool', () => {
  const messages: ChatMessage[] = [{ role: 'user', text: long(200) }, answer('a', 'short')]
  expect(fitted(messages, 100_000)).toEqual(messages)
  expect(fitted(messages, 10)).toEqual(messages)
})

it('comes to an end with any conversation', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 3000 })
  const message = fc.oneof(
    texts.map((text): ChatMessage => ({ role: 'user', text })),
    texts.map((text) => answer('a', text)),
    texts.map((text): ChatMessage => ({ role: 'tool', call: 'b', tool: 'x', text })),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.nat(3000), (messages, tokens) => {
      const fits = fitted(messages, tokens)
      expect(fits.map(({ role }) => role)).toEqual(messages.map(({ role }) => role))
      expect(conversationTokens(fits)).toBeLessThanOrEqual(conversationTokens(messages))
    }),
    { numRuns: 200 },
  )
})
