import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { z } from 'zod'
import { type OllamaServer, ollamaServer } from '../support/ollama-server.ts'
import { refusal } from '../support/openai-replies.ts'
import { type OpenAIServer, openaiServer } from '../support/openai-server.ts'
import { type Asked, escalates, judging, ollamaAsked, ollamaSays, openaiAsked, openaiSays } from '../support/served.ts'
import { type Desk, desk, type How } from './support/desk.ts'
import { Log, Status, Tick } from './support/shapes.ts'

const key = 'sk-e2e-9fT3kQ7vXw2LmZ'
const mark = 'MARK-8R4T-'
const task = 'Check the notes for open questions'
const used = { prompt_tokens: 640, completion_tokens: 32 }

const Routes = z.looseObject({
  model: z.looseObject({ provider: z.string(), model: z.string() }),
  routes: z.array(
    z.looseObject({ stage: z.string(), provider: z.string(), available: z.boolean(), reason: z.string().nullable() }),
  ),
})
const Usage = z.looseObject({
  total: z.looseObject({
    calls: z.int(),
    localCalls: z.int(),
    cloudCalls: z.int(),
    failedCalls: z.int(),
    promptTokens: z.int(),
    completionTokens: z.int(),
    cost: z.number().nullable(),
  }),
  rows: z.array(z.looseObject({ key: z.string(), calls: z.int(), promptTokens: z.int() })),
})
const Checks = z.array(
  z.looseObject({ check: z.string(), ok: z.boolean(), found: z.string(), fix: z.string().nullable() }),
)
const Steps = z.array(z.looseObject({ recorded: z.string(), replayed: z.string() }))

interface Place {
  at: Desk
  local: OllamaServer
  cloud: OpenAIServer
  /** A command in the workspace, with both servers to be found. */
  run(words: string[], how?: How): ReturnType<Desk['run']>
  json(words: string[]): Promise<unknown>
  notes: string
  env: Record<string, string>
}

/** A workspace whose settings name two servers on loopback: one that escalates every task, and one that looks deeper. */
async function place(test: TestContext, more = ''): Promise<Place> {
  const at = desk(test)
  const local = await ollamaServer()
  const cloud = await openaiServer({ key })
  test.onTestFinished(() => local[Symbol.asyncDispose]())
  test.onTestFinished(() => cloud[Symbol.asyncDispose]())
  local.reply((body) => ollamaSays(judging(ollamaAsked(body), escalates)))
  cloud.reply((body) => ({ ...openaiSays(lookInto(openaiAsked(body))), usage: used }))
  // The user's own file, which needs no trust.
  at.write({
    'config/undermind/config.toml': `[models.cloud]\nmodel = "served"\nbase_url = "${cloud.address}"\napi_key_env = "CLOUD_KEY"\ninput_price = 2\noutput_price = 10\n${more}`,
  })
  await at.run(['init', 'notes'])
  const notes = at.path('notes')
  const body = `# Notes\n\nWho pays the venue? ${mark}BODY is nobody's business.\n`
  at.write({ 'HEARTBEAT.md': `- ${task}\n`, 'notes.md': body }, notes)
  const env = { OLLAMA_HOST: local.address, CLOUD_KEY: key }
  return {
    at,
    local,
    cloud,
    notes,
    env,
    run: (words, how = {}) => at.run(['-w', notes, ...words], { ...how, env: { ...env, ...how.env } }),
    json: (words) => at.json(['-w', notes, ...words], { env }),
  }
}

/** Reads the notes, then says what it has found; the doctor has a plain answer. */
function lookInto({ messages, tools }: Asked) {
  if (tools.length === 0) return { text: 'yes' }
  if (messages.some(({ role }) => (role as string) === 'tool')) return { text: 'Nobody has said who pays.' }
  return { calls: [{ tool: 'read_file', arguments: JSON.stringify({ path: 'notes.md' }) }] }
}

describe.concurrent('the command with real models', () => {
  it('judges locally, looks deeper in the cloud, counts both, and tells how it came to be', async (test) => {
    const { local, cloud, run, json } = await place(test)
    const tick = Tick.parse(await json(['tick']))
    expect(tick).toMatchObject({ state: 'done', modelCalls: expect.any(Number) })
    const found = tick.evaluations.find(({ title }) => title === task)
    expect(found).toMatchObject({ state: 'acted', text: 'Nobody has said who pays.', sources: [{ key: 'notes.md' }] })
    expect(cloud.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)

    const asked = { local: local.chats().length, cloud: cloud.chats().length }
    const usage = Usage.parse(await json(['usage', '--by', 'model', '--days', '1']))
    expect(usage.total).toMatchObject({
      calls: asked.local + asked.cloud,
      localCalls: asked.local,
      cloudCalls: asked.cloud,
      failedCalls: 0,
    })
    const large = usage.rows.find((row) => row.key === 'openai served')
    expect(large).toMatchObject({ calls: asked.cloud, promptTokens: asked.cloud * used.prompt_tokens })
    expect(usage.total.cost).toBe(asked.cloud * (used.prompt_tokens * 2 + used.completion_tokens * 10))
    const said = (await run(['usage'])).out
    expect(said).toContain(String(asked.local + asked.cloud))

    const doctor = await run(['doctor', '--json'])
    expect(doctor.code).toBe(0)
    const models = Checks.parse(JSON.parse(doctor.out)).filter(({ check }) => check.startsWith('model for '))
    expect(models.map(({ check, found: by }) => [check, by])).toEqual([
      ['model for judging', 'qwen3:latest (ollama, local)'],
      ['model for texts', 'qwen3:latest (ollama, local)'],
      ['model for tool work', 'served (openai, cloud)'],
      ['model for deeper looks', 'served (openai, cloud)'],
    ])

    const log = Log.parse(await json(['log']))
    const { id } = log.find(({ title }) => title === task)!
    const steps = Steps.parse(await json(['replay', id]))
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.every(({ recorded, replayed }) => recorded === replayed)).toBe(true)
    expect((await run(['replay', id])).code).toBe(0)
    expect((await run(['why', id])).out).toContain('qwen3:latest')
  })

  it('shows in the status of a daemon which models do the work', async (test) => {
    const { at, notes, env, run, json } = await place(test)
    const daemon = at.begin(['-w', notes, 'start', '--json'], { env })
    await daemon.until('"type":"tick"')
    await json(['tick', '--force'])
    const status = await json(['status'])
    expect(Status.parse(status)).toMatchObject({ running: true })
    const { model, routes } = Routes.parse(status)
    expect(model).toEqual({ provider: 'ollama', model: 'qwen3:latest' })
    expect(routes.map(({ stage, provider, available }) => [stage, provider, available])).toEqual([
      ['judge', 'ollama', true],
      ['text', 'ollama', true],
      ['tools', 'openai', true],
      ['analyse', 'openai', true],
    ])
    expect((await run(['status'])).out).toMatch(/Model +ollama \(qwen3:latest\)/)
    expect((await daemon.signal('SIGINT')).code).toBe(0)
  })
})

describe.concurrent('a route that is broken', () => {
  it('says in doctor how to mend it, and ends with 1', async (test) => {
    const { run, cloud } = await place(test)
    const doctor = async (says: RegExp, how: How = {}) => {
      const { code, out, err } = await run(['doctor', '--json'], how)
      expect({ code, err }).toEqual({ code: 1, err: '' })
      const bad = Checks.parse(JSON.parse(out)).filter(({ ok }) => !ok)
      expect(bad.map(({ check }) => check)).toEqual(['model for tool work', 'model for deeper looks'])
      for (const { fix } of bad) expect(fix).toMatch(says)
      expect(out).not.toContain(key)
    }
    await doctor(/CLOUD_KEY/, { env: { CLOUD_KEY: '' } })
    await doctor(/key/, { env: { CLOUD_KEY: 'sk-other' } })
    cloud.reply(() => refusal(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }))
    await doctor(/credit or quota/)
    await cloud[Symbol.asyncDispose]()
    await doctor(/127\.0\.0\.1/)
  })

  it('says which command pulls the model that was asked for, in doctor and in the tick', async (test) => {
    const { run, json } = await place(test, '\n[models.local]\nprovider = "ollama"\nmodel = "gemma3"\n')
    const tick = await run(['tick', '--json'])
    expect(tick.code).toBe(1)
    expect(JSON.parse(tick.out)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('ollama pull gemma3'),
    })
    const { code, out } = await run(['doctor'])
    expect(code).toBe(1)
    expect(out.replace(/\s+/g, ' ')).toContain('ollama pull gemma3')
    expect(Routes.parse(await json(['status'])).model).toEqual({ provider: 'ollama', model: 'gemma3' })
  })
})

describe.concurrent('what nobody else is to see', () => {
  /** Tables of the store in which a text stands. */
  const tablesWith = (at: Desk, workspace: string, text: string): string[] => {
    const store = at.store(workspace)
    const tables = store.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
    const found = tables.filter((table) =>
      JSON.stringify(store.prepare(`SELECT * FROM "${table}"`).all()).includes(text),
    )
    store.close()
    return found
  }

  it('stands nowhere but where it must: the key in what is sent, a body in its rows and the talk with the models', async (test) => {
    const { at, notes, env, run, local, cloud } = await place(test)
    const daemon = at.begin(['-w', notes, 'start', '--json'], { env: { ...env, UNDERMIND_DEBUG: '1' } })
    await daemon.until('"type":"tick"')
    const outputs: string[] = []
    const look = async (...commands: string[][]) => {
      for (const words of commands) {
        const { out, err } = await run(words, { env: { UNDERMIND_DEBUG: '1' } })
        outputs.push(out, err)
      }
    }
    await look(
      ['tick', '--force', '--json'],
      ['status', '--json'],
      ['log', '--json'],
      ['usage'],
      ['why', task, '--json'],
    )
    const seen = (server: OllamaServer | OpenAIServer) => JSON.stringify(server.chats())
    expect([seen(local), seen(cloud)].every((text) => text.includes(`${mark}BODY`))).toBe(true)
    expect([...outputs, daemon.out, daemon.err].join('\n')).not.toContain(`${mark}BODY`)
    expect(tablesWith(at, notes, `${mark}BODY`).sort()).toEqual(['agent_step', 'change', 'item'])

    // An endpoint quotes the key back to whoever it refuses.
    const message = `Incorrect API key provided: ${key}. Bearer ${key}`
    cloud.reply(() => refusal(401, { message, code: 'invalid_api_key' }))
    at.write({ 'notes.md': 'Who pays the band?\n' }, notes)
    await look(['tick', '--json'], ['doctor'], ['log', '--json'], ['why', task])
    const { out, err } = await daemon.signal('SIGINT')
    outputs.push(out, err)
    expect(outputs.join('\n')).toContain('model/key-refused')
    expect(cloud.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`).length).toBeGreaterThan(3)
    for (const { body } of cloud.requests) expect(JSON.stringify(body) ?? '').not.toContain(key)
    expect(outputs.join('\n')).not.toContain(key)
    expect(tablesWith(at, notes, key)).toEqual([])
    const kept = readdirSync(at.root, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(kept.length).toBeGreaterThan(5)
    for (const file of kept) expect(readFileSync(file).includes(key), file).toBe(false)
  })
})
