import { describe, expect, it } from 'vitest'
import { hour, minute } from '../../src/domain/clock.ts'
import { tasksPerCall } from '../../src/models/language/budget.ts'
import type { House } from '../support/house.ts'
import type { ChatBody } from '../support/ollama-server.ts'
import { tasksIn } from '../support/scripted-chat.ts'
import { acts, escalates, judging, skips } from '../support/served.ts'
import { pass } from './scene.ts'
import { local } from './scripted-house.ts'
import { type Brain, localHouse, nobody, ollama, plain } from './served-house.ts'

const routeOf = (home: House, stage: string) => home.runtime.status().routes.find((route) => route.stage === stage)
const shownIn = ({ messages }: ChatBody): string => messages.map(({ content }) => content).join('\n')
const byOllama = { provider: 'ollama', model: 'qwen3:latest' }
const byRules = { provider: 'builtin', model: 'builtin' }

describe('the local model that is looked for by itself', () => {
  it('is Ollama where it answers and has a model, and everybody is told which', async () => {
    const { server } = await ollama()
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address.replace('http://', '') })
    expect(home.runtime.status().model).toEqual(byRules)
    expect(server.requests).toEqual([])
    const { evaluations } = await home.tick()
    expect(evaluations).toMatchObject([{ state: 'acted', text: 'Something changed.' }])
    expect(home.runtime.status().model).toEqual(byOllama)
    expect(routeOf(home, 'judge')).toMatchObject({ ...byOllama, route: 'local', available: true, reason: null })
    expect(home.runtime.whyEvaluation(evaluations[0]!.id).call).toMatchObject({
      ...byOllama,
      route: 'local',
      cost: null,
    })
    const findings = await home.runtime.checkModels()
    expect(findings.map(({ ok, found }) => [ok, found])).toEqual([
      [true, 'qwen3:latest (ollama, local)'],
      [true, 'qwen3:latest (ollama, local)'],
      [true, 'qwen3:latest (ollama, local)'],
      [true, 'qwen3:latest (ollama, local)'],
    ])
    nobodyLeft()
  })

  it('is the built-in one where no Ollama is, which is said with its reason, until one is found', async () => {
    const { home, env, nobodyLeft } = await localHouse({ OLLAMA_HOST: await nobody() })
    const first = await home.tick()
    expect(first.state).toBe('done')
    expect(home.runtime.status().model).toEqual(byRules)
    expect(routeOf(home, 'judge')).toMatchObject({
      available: true,
      reason: expect.stringMatching(/^no language model: .*127/i),
    })
    const [judging] = await home.runtime.checkModels()
    expect(judging).toMatchObject({ ok: true, found: expect.stringMatching(/^builtin: no language model: /i) })

    const { server } = await ollama()
    env.OLLAMA_HOST = server.address
    expect(await home.tick()).toMatchObject({ state: 'quiet' })
    expect(server.requests).toEqual([])
    await home.write('notes.md', 'The venue is gone.\n')
    expect((await home.tick()).evaluations).toMatchObject([{ state: 'acted', text: 'Something changed.' }])
    expect(home.runtime.status().model).toEqual(byOllama)
    nobodyLeft()
  })

  it('names the command that pulls a model where Ollama has none, or none that can be talked to', async () => {
    for (const models of [[], [{ name: 'nomic-embed-text:latest', capabilities: ['embedding'] }]]) {
      const { server } = await ollama(plain, { models })
      const { home } = await localHouse({ OLLAMA_HOST: server.address })
      await home.tick()
      expect(home.runtime.status().model).toEqual(byRules)
      expect(routeOf(home, 'judge')?.reason).toMatch(/ollama pull \S+/)
    }
  })

  it('gives up a server that says nothing after a few seconds, and judges all the same', async () => {
    const { server } = await ollama()
    server.spoil('/api/tags', { pieces: null })
    const { home } = await localHouse({ OLLAMA_HOST: server.address })
    const tick = await home.runtime.trigger()
    await server.next('/api/tags')
    home.clock.set(home.clock.now() + 3000)
    expect(await home.runtime.settled(tick)).toMatchObject({ state: 'done' })
    expect(home.runtime.status().model).toEqual(byRules)
  })

  it('works with tools in an analysis only where the user has routed that to it', async () => {
    const think: Brain = (asked) => (asked.schema ? judging(asked, escalates) : { text: 'All is well.' })
    const { server } = await ollama(think)
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address })
    const { evaluations } = await home.tick()
    expect(evaluations).toMatchObject([{ state: 'acted', text: 'All is well.' }])
    expect(server.chats()[1]?.tools?.map((tool) => tool.function.name)).toContain('read_file')
    nobodyLeft()
  })
})

describe('an agent on a model that holds little', () => {
  it.each([8192, 32_768])(
    'is shown no more than %s tokens hold, however much changed and whatever it reads',
    async (context) => {
      let turns = 0
      const path = (name: string) => ({ tool: 'read_file', arguments: JSON.stringify({ path: name }) })
      const think: Brain = (asked) => {
        if (asked.schema) return judging(asked, escalates)
        if (asked.messages.at(-1)?.text.includes('goes on from a summary')) return { text: 'Nothing so far.' }
        return turns++ < 4 ? { calls: [path('big.md'), path('n1.md'), path('big.md')] } : { text: 'All is well.' }
      }
      const { server } = await ollama(think)
      const many = (lines: number, name: string) =>
        Array.from({ length: lines }, (_, n) => `Line ${n} of ${name} says something or other.\n`).join('')
      const notes = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}.md`, many(60, `n${n}`)]))
      const { home } = await localHouse({
        OLLAMA_HOST: server.address,
        files: { ...notes, 'big.md': many(2000, 'big') },
        settings: { 'models.local.context_tokens': context },
      })
      const { evaluations } = await home.tick()
      expect(evaluations).toMatchObject([{ state: 'acted', text: 'All is well.' }])
      expect(server.chats().length).toBeGreaterThan(5)
      for (const { options } of server.chats()) expect(options.num_ctx).toBeLessThanOrEqual(context)
    },
  )
})

describe('a model that was asked for by name', () => {
  const named = { 'models.local.provider': 'ollama', 'models.local.model': 'gemma3' }

  it('is missed with the command that pulls it, and nobody takes its place', async () => {
    const { server } = await ollama()
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address, settings: named })
    expect(await home.tick()).toMatchObject({ state: 'failed', reason: expect.stringContaining('ollama pull gemma3') })
    expect(routeOf(home, 'judge')).toMatchObject({ provider: 'ollama', model: 'gemma3', available: false })
    const [judging] = await home.runtime.checkModels()
    expect(judging).toMatchObject({ ok: false })
    expect(`${judging?.found} ${judging?.fix}`).toContain('ollama pull gemma3')
    nobodyLeft()
  })

  it('that is away for a day loses nothing: one tick catches up with everything, and schedules stay as they were', async () => {
    const { server, close, port } = await ollama()
    const settings = { 'models.local.provider': 'ollama', 'heartbeat.interval_minutes': 60 }
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address, settings })
    const { runtime } = home
    const watching = runtime.tasks.find('Watch the notes')
    const daily = await runtime.tasks.add({ title: 'Look each evening', schedule: 'daily 20:00' })
    const hourly = await runtime.tasks.add({ title: 'Look each hour', schedule: 'every 1h' })
    const row = (task: { id: string }) => runtime.tasks.find(task.id)
    await home.tick()
    const before = [watching, daily, hourly].map((task) => row(task).judgedThrough)
    await close()
    const builtin = () => runtime.log({ limit: 500 }).filter(({ state }) => state === 'acted').length
    const acted = builtin()

    await runtime.start()
    await pass(home, minute)
    for (let hours = 0; hours < 24; hours++) {
      await home.write(`inbox/${hours}.md`, `News of hour ${hours}\n`)
      await pass(home, hour)
    }
    const [world] = runtime.status().worlds
    expect(world?.consecutiveFailures).toBeGreaterThan(8)
    expect(world?.reason).toMatch(/127\.0\.0\.1.*\w/)
    expect([watching, daily, hourly].map((task) => row(task).judgedThrough)).toEqual(before)
    expect([watching, daily, hourly].map((task) => row(task).attempts)).toEqual([0, 0, 0])
    expect([watching, daily, hourly].map((task) => row(task).paused)).toEqual([null, null, null])
    expect(builtin()).toBe(acted)
    expect(local(row(daily).nextRunAt)).toBe('2026-04-01T20:00')

    const back = await ollama(plain, { port })
    const total = runtime.status().worlds[0]!.totalTicks
    // It is tried again ever more seldom, but at least every six hours.
    for (let tens = 0; tens < 40 && back.server.chats().length === 0; tens++) await pass(home, 10 * minute)
    const judged = back.server.chats()
    const shown = judged.map(shownIn).join('\n')
    for (let hours = 0; hours < 24; hours++) expect(shown).toContain(`News of hour ${hours}\n`)
    expect(runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 0 })
    const tick = runtime.stores.ticks.get(`tick_memory_${runtime.status().worlds[0]!.generation}` as never)
    expect([tick?.state, runtime.status().worlds[0]!.totalTicks - total]).toEqual(['done', 1])
    expect(judged.flatMap((body) => tasksIn(body.format)).sort()).toEqual(
      [watching, daily, hourly].map(({ id }) => id).sort(),
    )
    const now = home.clock.now()
    expect(local(row(daily).nextRunAt)).toMatch(/T20:00$/)
    expect(row(daily).nextRunAt! - now).toBeGreaterThan(0)
    expect(row(daily).nextRunAt! - now).toBeLessThanOrEqual(24 * hour)
    expect(row(hourly).nextRunAt! - now).toBeGreaterThan(0)
    expect(row(hourly).nextRunAt! - now).toBeLessThanOrEqual(hour)
    const head = runtime.stores.changes.head()
    expect([watching, daily, hourly].map((task) => row(task).judgedThrough)).toEqual([head, head, head])
    nobodyLeft()
  })
})

describe('the requests of a tick', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      title: `Watch the notes for news number ${n}`,
      intent: 'read' as const,
    }))

  it('begin alike, hold the model to its form, and keep it in memory through all batches and a repair', async () => {
    let turns = 0
    const think: Brain = (asked) => {
      const answer = judging(asked, skips)
      return turns++ === 0 ? { text: answer.text!.replace('"skip"', '"perhaps"') } : answer
    }
    const { server } = await ollama(think)
    const settings = { 'models.local.context_tokens': 8192, 'models.local.keep_alive_minutes': 7 }
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address, settings, tasks: [] })
    const most = tasksPerCall(8192)
    for (const task of many(2 * most + 1)) await home.runtime.tasks.add(task)
    const tick = await home.tick()
    expect(tick).toMatchObject({ state: 'done', modelCalls: 4 })
    expect(new Set(tick.evaluations.map(({ state }) => state))).toEqual(new Set(['skipped']))
    const chats = server.chats()
    expect(chats.map((body) => tasksIn(body.format).length)).toEqual([most, 1, most, 1])
    for (const body of chats) {
      expect(body).toMatchObject({ model: 'qwen3:latest', keep_alive: '7m', stream: true, think: false })
      expect(body.format).toMatchObject({ type: 'object', required: ['evaluations'] })
      expect(body.options.num_ctx).toBeLessThanOrEqual(8192)
      expect(body.options.num_ctx! % 2048).toBe(0)
      expect(body.options.num_predict).toBeGreaterThan(255)
    }
    // Another size would have the model loaded anew between two calls.
    const sizes = chats.map(({ options }) => options.num_ctx!)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(chats.map(({ messages }) => messages[0]?.content)).size).toBe(1)
    // The repair goes on from the very conversation that it is about.
    const [first, repair] = chats
    expect(repair?.messages.slice(0, 2)).toEqual(first?.messages)
    expect(repair?.messages.at(-1)?.content).toContain('perhaps')
    expect(first!.messages[1]!.content).toMatch(/The venue is booked\./)
    nobodyLeft()
  })

  it('are as few as the answers on a thousand tasks have room for, with none of them repaired', async () => {
    const { server } = await ollama((asked) => judging(asked, acts))
    const context = 16_384
    const settings = { 'models.local.context_tokens': context, 'subconscious.mode': 'simple' }
    const { home, nobodyLeft } = await localHouse({ OLLAMA_HOST: server.address, settings, tasks: [] })
    for (const task of many(1000)) await home.runtime.tasks.add(task)
    const tick = await home.tick()
    const calls = Math.ceil(1000 / tasksPerCall(context))
    expect(tick).toMatchObject({ state: 'done', modelCalls: calls, evaluations: { length: 1000 } })
    expect(new Set(tick.evaluations.map(({ state }) => state))).toEqual(new Set(['acted']))
    const chats = server.chats()
    expect(chats).toHaveLength(calls)
    expect(chats.every(({ messages }) => messages.length === 2)).toBe(true)
    const judged = chats.flatMap((body) => tasksIn(body.format))
    expect([judged.length, new Set(judged).size]).toEqual([1000, 1000])
    for (const { options } of chats) expect(options.num_ctx).toBeLessThanOrEqual(context)
    expect(home.runtime.status().usage).toMatchObject({ calls, failedCalls: 0, cloudCalls: 0 })
    nobodyLeft()
  })
})
