import { expect, it } from 'vitest'
import { escalates, judging } from '../support/served.ts'
import { type Brain, localHouse, ollama } from './served-house.ts'
it.each([8192, 32768])('large %s', async (ctx) => {
  const think: Brain = (asked, turn) => (asked.schema ? judging(asked, escalates) : turn < 3 ? { calls: [{ tool: 'list_files', arguments: '{}' }] } : { text: 'All is well.' })
  const { server } = await ollama(think)
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}.md`, Array.from({ length: 60 }, (_, k) => `Line ${k} of file ${n} says something or other.`).join('\n')]))
  const { home } = await localHouse({ OLLAMA_HOST: server.address, files, settings: { 'models.local.context_tokens': ctx } })
  const { evaluations } = await home.tick()
  console.log(ctx, evaluations.map(({ state, failure, text }) => ({ state, failure, text })), server.chats().map((c) => [c.messages.length, c.options.num_ctx, c.messages.at(-1)?.content.slice(0, 60)]))
  expect(1).toBe(1)
})
