import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChatModel } from '../../src/domain/chat.ts'
import { Settings } from '../../src/domain/settings.ts'
import { givenMinds, type MindParts, mindsOf } from '../../src/house/minds.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { HandClock } from '../support/clock.ts'
import { ollamaServer } from '../support/ollama-server.ts'
import { openaiServer } from '../support/openai-server.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { cloud, nobody, ollama } from './served-house.ts'

const still = new AbortController().signal
const asking = { messages: [{ role: 'user', text: 'Hello' }], promptTokens: 20, maxTokens: 20 } as const

function parts(models: object, env: MindParts['env'] = {}) {
  const guarded: ChatModel[] = []
  const clock = new HandClock()
  const minds = mindsOf({
    settings: Settings.parse({ models }),
    env,
    clock,
    random: () => 0.5,
    builtin: scriptedProvider({ id: 'builtin', model: 'builtin' }),
    guard: (chat) => {
      guarded.push(chat)
      return chat
    },
  })
  return { minds, guarded, clock }
}

describe('the local mind', () => {
  it('is the built-in one without a look, where the settings say so', async () => {
    const { server } = await ollama()
    const { minds } = parts({ local: { provider: 'builtin' } }, { OLLAMA_HOST: server.address })
    expect(minds.firstLocal).toMatchObject({ available: true, reason: null, mind: { chat: null, tools: false } })
    expect((await minds.findLocal(still)).mind.provider.id).toBe('builtin')
    expect(server.requests).toEqual([])
  })

  it('is at the address of the settings, else at OLLAMA_HOST', async () => {
    const { server } = await ollama()
    const { server: other } = await ollama()
    const env = { OLLAMA_HOST: other.address }
    await parts({ local: { base_url: server.address } }, env).minds.findLocal(still)
    expect([server.requests.length > 0, other.requests]).toEqual([true, []])
    await parts({}, env).minds.findLocal(still)
    expect(other.requests.length).toBeGreaterThan(0)
  })

  it('holds what both the settings and the model can', async () => {
    const { server } = await ollama(undefined, {
      models: [{ name: 'small:latest', capabilities: ['completion'], contextLength: 8192 }],
    })
    const env = { OLLAMA_HOST: server.address }
    const contextOf = async (local: object) =>
      (await parts({ local }, env).minds.findLocal(still)).mind.provider.contextTokens
    expect([
      await contextOf({}),
      await contextOf({ context_tokens: 4096 }),
      await contextOf({ context_tokens: 65_536 }),
    ]).toEqual([8192, 4096, 8192])
    const { server: large } = await ollama(undefined, { models: [{ name: 'l', contextLength: 262_144 }] })
    expect((await parts({}, { OLLAMA_HOST: large.address }).minds.findLocal(still)).mind.chat?.contextTokens).toBe(
      32_768,
    )
  })

  it('says what the model can do with tools: yes, no, or that it is not known', async () => {
    const can = async (capabilities?: string[]) => {
      const { server } = await ollama(undefined, { models: [{ name: 'm', ...(capabilities && { capabilities }) }] })
      return (await parts({}, { OLLAMA_HOST: server.address }).minds.findLocal(still)).mind.tools
    }
    expect(await can(['completion', 'tools'])).toBe(true)
    expect(await can(['completion'])).toBe(false)
    expect(await can()).not.toBe(true)
  })

  it('that is looked for by itself falls back to the built-in one, and one that is named does not', async () => {
    const env = { OLLAMA_HOST: await nobody() }
    expect(await parts({}, env).minds.findLocal(still)).toMatchObject({
      available: true,
      reason: expect.stringMatching(/^no language model: \w/i),
      mind: { provider: { id: 'builtin' } },
    })
    const named = await parts({ local: { provider: 'ollama', model: 'qwen3' } }, env).minds.findLocal(still)
    expect(named).toMatchObject({ available: false, reason: expect.stringContaining('127.0.0.1') })
    expect(named.mind).toMatchObject({ chat: null, tools: false, provider: { id: 'ollama', model: 'qwen3' } })
    for (const ask of ['judge', 'execute', 'analyse'] as const)
      await expect(named.mind.provider[ask]({} as never, still)).rejects.toMatchObject({ code: 'model/unreachable' })
  })

  it('that is named is called by its name before anybody has looked, and cannot be asked yet', async () => {
    const { firstLocal } = parts({ local: { provider: 'ollama', model: 'qwen3' } }).minds
    expect(firstLocal.mind).toMatchObject({ provider: { id: 'ollama', model: 'qwen3' }, chat: null, tools: false })
    await expect(firstLocal.mind.provider.judge({} as never, still)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(parts({}).minds.firstLocal.mind.provider.id).toBe('builtin')
  })

  it('is not waited for by whoever has gone: the look ends with their reason', async () => {
    const server = await ollamaServer()
    onTestFinished(() => server[Symbol.asyncDispose]())
    server.spoil('/api/tags', { pieces: null })
    const leaving = new AbortController()
    const look = parts({}, { OLLAMA_HOST: server.address }).minds.findLocal(leaving.signal)
    const request = await server.next('/api/tags')
    const reason = new Error('Enough')
    leaving.abort(reason)
    await expect(look).rejects.toBe(reason)
    expect(await request.closed).toBe('broken')
  })

  it('may be an OpenAI-compatible server on this machine, of which address and model must be said', async () => {
    const { server } = await cloud()
    const local = { provider: 'openai', model: 'served', base_url: server.address }
    const there = await parts({ local }).minds.findLocal(still)
    expect(there).toMatchObject({
      available: true,
      reason: null,
      mind: { provider: { id: 'openai', model: 'served' } },
    })
    for (const missing of [{ model: 'served' }, { base_url: server.address }]) {
      const told = await parts({ local: { provider: 'openai', ...missing } }).minds.findLocal(still)
      expect(told).toMatchObject({ available: false, reason: expect.stringContaining('models.local.base_url') })
    }
    const gone = { ...local, base_url: `${await nobody()}/v1` }
    expect(await parts({ local: gone }).minds.findLocal(still)).toMatchObject({ available: false })
  })
})

describe('the cloud mind', () => {
  it('is there only where the settings name it, and is not spoken to before it is asked', async () => {
    const { server } = await cloud()
    expect(parts({}).minds.cloud).toBeNull()
    const { minds, guarded } = parts({ cloud: { model: 'served', base_url: server.address } })
    expect(minds.cloud).toMatchObject({
      tools: null,
      provider: { id: 'openai', model: 'served', contextTokens: 128_000 },
    })
    expect(guarded).toHaveLength(1)
    expect(server.requests).toEqual([])
    expect(await minds.cloud?.chat?.chat(asking, still)).toMatchObject({ text: 'Nothing.' })
  })

  it('sends the key that the variable holds, and without one asks nobody and names the variable', async () => {
    const server = await openaiServer({ key: 'sk-1' })
    onTestFinished(() => server[Symbol.asyncDispose]())
    const models = { cloud: { model: 'served', base_url: server.address, api_key_env: 'CLOUD_KEY' } }
    await parts(models, { CLOUD_KEY: 'sk-1' }).minds.cloud?.chat?.chat(asking, still)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1'])
    for (const env of [{}, { CLOUD_KEY: '' }]) {
      const asked = parts(models, env).minds.cloud!.chat!.chat(asking, still)
      await expect(asked).rejects.toMatchObject({ code: 'model/no-key', message: expect.stringContaining('CLOUD_KEY') })
    }
    expect(server.requests).toHaveLength(1)
  })

  it('is guarded as what costs money, which the local one is not', async () => {
    const { server } = await cloud()
    const { server: local } = await ollama()
    const { minds, guarded } = parts(
      { cloud: { model: 'served', base_url: server.address } },
      { OLLAMA_HOST: local.address },
    )
    await minds.findLocal(still)
    expect(guarded.map(({ id }) => id)).toEqual(['openai'])
  })
})

describe('minds that are handed in', () => {
  it('are a judge of everything and, where there is one, an agent beside it', async () => {
    const judge = scriptedProvider()
    const alone = givenMinds(judge, undefined)
    expect([alone.firstLocal.mind.provider, alone.cloud]).toEqual([judge, null])
    const agent = scriptedChat({ id: 'openai' })
    const both = givenMinds(judge, agent)
    expect((await both.findLocal(still)).mind.provider).toBe(judge)
    expect(both.cloud?.chat).toBe(agent)
  })
})
