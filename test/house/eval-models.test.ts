import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { evalCommand } from '../../src/house/eval.ts'
import { tasksPerCall } from '../../src/models/language/budget.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { openTrustStore } from '../../src/settings/trust.ts'
import { tasksIn } from '../support/scripted-chat.ts'
import { judging, ollamaAsked, ollamaSays, skips } from '../support/served.ts'
import { type Brain, cloud, nobody, ollama } from './served-house.ts'

const alwaysSkips: Brain = (asked) => judging(asked, skips)
const watch = { signal: new AbortController().signal, onProgress: () => {} }

/** A folder of the user's own settings and another to be in; what `undermind eval` comes to there. */
async function place(given: { user?: string; env?: Record<string, string> } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'undermind-eval-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const userConfigDir = join(root, 'config')
  const folder = join(root, 'folder')
  await mkdir(join(userConfigDir, 'undermind'), { recursive: true })
  await mkdir(folder)
  if (given.user !== undefined) await writeFile(join(userConfigDir, 'undermind', 'config.toml'), given.user)
  const env = given.env ?? {}
  const request = { workspace: folder, isNamed: false, files: [], kind: null, limit: 3, batch: 1, analyse: false }
  return {
    folder,
    userConfigDir,
    evaluate: (model: string | null, change: Partial<typeof request> = {}) =>
      evalCommand({ env, userConfigDir })({ ...request, model, ...change }, watch),
  }
}

const localEndpoint = (address: string) => `[models.local]
provider = "openai"
model = "served"
base_url = "${address}"
`
const cloudModel = (address: string, more = '') => `[models.cloud]
model = "served"
base_url = "${address}"
${more}`

describe('a model that is evaluated', () => {
  it('is the one in Ollama that was named, and is named in the result', async () => {
    const { server } = await ollama(alwaysSkips, {
      models: [
        { name: 'first:latest', capabilities: ['completion'], contextLength: 8192 },
        { name: 'qwen3:4b', capabilities: ['completion'], contextLength: 8192 },
      ],
    })
    const { evaluate } = await place({ env: { OLLAMA_HOST: server.address } })
    const result = await evaluate('ollama:qwen3:4b')
    expect(result).toMatchObject({ provider: 'ollama', model: 'qwen3:4b', cases: 3, total: { cases: 3, failed: 0 } })
    expect(server.chats().map(({ model }) => model)).toEqual(['qwen3:4b', 'qwen3:4b', 'qwen3:4b'])
    expect(result.cost.calls).toBe(3)
    expect(result.cost.promptTokens).toBeGreaterThan(300)
  })

  it('is whoever judges tasks when none is named: the first that Ollama has, else the built-in one', async () => {
    const { server, close } = await ollama(alwaysSkips)
    const { evaluate } = await place({ env: { OLLAMA_HOST: server.address } })
    expect(await evaluate(null)).toMatchObject({ provider: 'ollama', model: 'qwen3:latest' })
    await close()
    expect(await evaluate(null)).toMatchObject({ provider: 'builtin', model: 'builtin' })
    expect(await evaluate('local')).toMatchObject({ provider: 'builtin' })
    expect(await evaluate('builtin')).toMatchObject({ provider: 'builtin' })
  })

  it('is the cloud one where tasks are judged there, with the key from the environment', async () => {
    const { server } = await cloud(alwaysSkips, { key: 'sesame' })
    const user = `${cloudModel(server.address, 'api_key_env = "MY_KEY"\n')}[models.routes]\njudge = "cloud"\n`
    const { evaluate } = await place({ user, env: { MY_KEY: 'sesame', OLLAMA_HOST: await nobody() } })
    expect(await evaluate(null)).toMatchObject({ provider: 'openai', model: 'served', total: { failed: 0 } })
    expect(await evaluate('cloud')).toMatchObject({ provider: 'openai', model: 'served' })
    expect(await evaluate('local')).toMatchObject({ provider: 'builtin' })
  })

  it('is another one of the endpoint that is set, the local one first', async () => {
    const { server: near } = await cloud(alwaysSkips, { models: [{ id: 'served' }, { id: 'other' }] })
    const { server: far } = await cloud(alwaysSkips)
    const { evaluate } = await place({ user: localEndpoint(near.address) + cloudModel(far.address) })
    expect(await evaluate('openai:other')).toMatchObject({ provider: 'openai', model: 'other' })
    expect([near.chats().length, far.chats().length]).toEqual([3, 0])
    expect(await evaluate('openai:served')).toMatchObject({ model: 'served' })
    expect([near.chats().length, far.chats().length]).toEqual([3, 3])
    const { evaluate: elsewhere } = await place({ user: cloudModel(far.address) })
    expect(await elsewhere('openai:large')).toMatchObject({ model: 'large' })
    expect(far.chats().at(-1)?.model).toBe('large')
  })

  it('in Ollama is not looked for at the address of another provider', async () => {
    const { server: near } = await cloud(alwaysSkips)
    const { server } = await ollama(alwaysSkips)
    const { evaluate } = await place({ user: localEndpoint(near.address), env: { OLLAMA_HOST: server.address } })
    expect(await evaluate('ollama:qwen3')).toMatchObject({ provider: 'ollama', model: 'qwen3' })
    expect(near.requests).toEqual([])
  })

  it('is given no more at a time than its answer has room for', async () => {
    const { server } = await ollama(alwaysSkips, {
      models: [{ name: 'small', capabilities: ['completion'], contextLength: 4096 }],
    })
    server.reply((body) => ({ ...ollamaSays(judging(ollamaAsked(body), skips)), promptTokens: null }))
    const { evaluate } = await place({ env: { OLLAMA_HOST: server.address } })
    const result = await evaluate('ollama:small', { limit: 60, batch: 100 })
    const most = Math.max(...server.chats().map((body) => tasksIn(ollamaAsked(body).schema).length))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(tasksPerCall(4096))
    expect(result.total).toMatchObject({ cases: 60, failed: 0 })
  })
})

describe('a model that is not there', () => {
  it('in Ollama ends the command with the line that gets it', async () => {
    const { server } = await ollama(alwaysSkips)
    const { evaluate } = await place({ env: { OLLAMA_HOST: server.address } })
    await expect(evaluate('ollama:nothing')).rejects.toMatchObject({
      code: 'model/missing',
      message: expect.stringContaining('ollama pull nothing'),
    })
  })

  it('because nobody answers ends it with what to start, and nobody takes its place', async () => {
    const { evaluate } = await place({ env: { OLLAMA_HOST: await nobody() } })
    await expect(evaluate('ollama:qwen3')).rejects.toMatchObject({
      code: 'model/unreachable',
      message: expect.stringContaining('ollama serve'),
    })
  })

  it('because nothing says where it is ends it with what to set', async () => {
    const { evaluate } = await place()
    for (const name of ['cloud', 'openai:gpt']) {
      await expect(evaluate(name)).rejects.toMatchObject({
        code: 'model/not-chosen',
        kind: 'use',
        message: expect.stringContaining('[models.cloud]'),
      })
    }
  })

  it('because its key is not set ends it at once', async () => {
    const { server } = await cloud(alwaysSkips)
    const { evaluate } = await place({ user: cloudModel(server.address, 'api_key_env = "MY_KEY"\n') })
    await expect(evaluate('cloud')).rejects.toMatchObject({ code: 'model/no-key' })
    expect(server.requests).toEqual([])
  })

  it.each(['', ':', 'ollama', 'ollama:', 'openai:', 'gpt-5', 'local:x', 'builtin:x', 'OLLAMA:x', '🦉'])(
    'by the name of %j is told which names there are',
    async (name) => {
      const { evaluate } = await place()
      await expect(evaluate(name)).rejects.toMatchObject({
        code: 'model/unknown',
        kind: 'use',
        message: expect.stringContaining('ollama:<model>'),
      })
    },
  )
})

describe('the settings of a workspace', () => {
  it('name a model only once the user trusts it', async () => {
    const { server } = await cloud(alwaysSkips)
    const { folder, userConfigDir, evaluate } = await place({ env: { OLLAMA_HOST: await nobody() } })
    await initWorkspace(folder)
    await writeFile(join(folder, 'undermind.toml'), cloudModel(server.address))
    await expect(evaluate('cloud')).rejects.toMatchObject({ code: 'model/not-chosen' })
    openTrustStore(userConfigDir).trust(folder)
    expect(await evaluate('cloud', { isNamed: true })).toMatchObject({ provider: 'openai', model: 'served' })
  })

  it('do not count where the folder is none, and one that was named has to be one', async () => {
    const { server } = await cloud(alwaysSkips)
    const { folder, evaluate } = await place({ env: { OLLAMA_HOST: await nobody() } })
    await writeFile(join(folder, 'undermind.toml'), `${cloudModel(server.address)}[heartbeat]\nnonsense = 1\n`)
    expect(await evaluate(null)).toMatchObject({ provider: 'builtin' })
    await expect(evaluate(null, { isNamed: true })).rejects.toMatchObject({ code: 'workspace/not-initialised' })
  })
})
