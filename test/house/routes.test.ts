import { describe, expect, it } from 'vitest'
import { minute } from '../../src/domain/clock.ts'
import { Settings } from '../../src/domain/settings.ts'
import { type Found, type Mind, Routes, type Stage } from '../../src/house/routes.ts'
import { reportBudget, tasksPerCall } from '../../src/models/language/budget.ts'
import { languageProvider } from '../../src/models/language/provider.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { HandClock } from '../support/clock.ts'
import { scriptedChat } from '../support/scripted-chat.ts'

const still = new AbortController().signal
const stages: Stage[] = ['judge', 'text', 'tools', 'analyse']

const talking = (id: string, tools: boolean | null, contextTokens = 16_384): Mind => {
  const chat = scriptedChat({ id, model: `${id}-1`, contextTokens })
  return { provider: languageProvider(chat, { countTokens: (text) => text.length }), chat, tools }
}
const builtin: Mind = { provider: scriptedProvider({ id: 'builtin', model: 'builtin' }), chat: null, tools: false }
const found = (mind: Mind, rest: Partial<Found> = {}): Found => ({ mind, reason: null, available: true, ...rest })

function routesOf({
  local = found(builtin),
  cloud = null as Mind | null,
  routes = {} as Partial<Record<Stage, 'local' | 'cloud'>>,
} = {}) {
  const clock = new HandClock()
  const settings = Settings.parse({ models: { routes } })
  const looks = { count: 0, next: local }
  const made = new Routes({
    settings: () => settings,
    clock,
    firstLocal: found(builtin, { reason: 'nobody has looked' }),
    findLocal: async () => {
      looks.count++
      return looks.next
    },
    cloud,
  })
  return { routes: made, clock, looks }
}

const whoDoes = ({ routes }: { routes: Routes }) =>
  Object.fromEntries(routes.view().map(({ stage, provider, available }) => [stage, available ? provider : null]))

describe('who does which part of the work', () => {
  it('is by default the local model for what is judged and written, and the cloud for tools and deeper looks', async () => {
    const scene = routesOf({ local: found(talking('ollama', true)), cloud: talking('openai', null) })
    await scene.routes.refresh(still)
    expect(whoDoes(scene)).toEqual({ judge: 'ollama', text: 'ollama', tools: 'openai', analyse: 'openai' })
    expect(stages.map((stage) => scene.routes.route(stage))).toEqual(['local', 'local', 'cloud', 'cloud'])
    expect(['analyse', 'tools', 'plan'].map((stage) => scene.routes.agent(stage as 'plan')?.id)).toEqual([
      'openai',
      'openai',
      'openai',
    ])
  })

  it('is for a deeper look the local model where there is no other, and nobody for tools, which is said', async () => {
    const scene = routesOf({ local: found(talking('ollama', true)) })
    await scene.routes.refresh(still)
    expect(whoDoes(scene)).toEqual({ judge: 'ollama', text: 'ollama', tools: null, analyse: 'ollama' })
    expect(scene.routes.agent('analyse')?.id).toBe('ollama')
    expect([scene.routes.agent('tools'), scene.routes.agent('plan')]).toEqual([null, null])
    const { code, message } = scene.routes.needsAgent({ id: 'tk_1' as never, title: 'Send the digest' })
    expect(code).toBe('model/needs-agent')
    expect(message).toContain('"Send the digest": no model is set under [models.cloud].')
    expect(message).toContain('undermind tasks enable tk_1')
  })

  it('is whom the user has named, the local model for tools too', async () => {
    const everywhere = { judge: 'cloud', text: 'cloud', tools: 'local', analyse: 'local' } as const
    const parts = { local: found(talking('ollama', true)), cloud: talking('openai', null), routes: everywhere }
    const scene = routesOf(parts)
    await scene.routes.refresh(still)
    expect(whoDoes(scene)).toEqual({ judge: 'openai', text: 'openai', tools: 'ollama', analyse: 'ollama' })
    expect(scene.routes.agent('tools')?.id).toBe('ollama')
    expect([scene.routes.judge().id, scene.routes.text().id, scene.routes.analyst().id]).toEqual([
      'openai',
      'openai',
      'ollama',
    ])
  })

  it.each([
    [true, true],
    [null, true],
    [false, false],
  ])('shows a local model of which it is known that it has tools (%s) as what it is', async (tools, available) => {
    const scene = routesOf({ local: found(talking('ollama', tools)), routes: { tools: 'local' } })
    await scene.routes.refresh(still)
    const view = scene.routes.view().find(({ stage }) => stage === 'tools')
    expect(view).toMatchObject({ available, reason: available ? null : 'ollama-1 cannot use tools' })
    expect(scene.routes.agent('tools') !== null).toBe(available)
    expect(scene.routes.onlyTalks('tools')).toBe(!available)
  })

  it('changes when a model has said that it cannot use tools, for that model alone', async () => {
    const scene = routesOf({ local: found(talking('ollama', true)), cloud: talking('openai', null) })
    await scene.routes.refresh(still)
    scene.routes.lacksTools('plan')
    expect(whoDoes(scene)).toMatchObject({ tools: null, judge: 'ollama' })
    expect(scene.routes.agent('tools')).toBeNull()
    expect(scene.routes.onlyTalks('tools')).toBe(true)
    expect(scene.routes.needsAgent({ id: 'tk_1' as never, title: 'x' }).message).toContain('openai-1 cannot use tools')
  })

  it('is never a rule where tools are needed, and a rule is not said to talk', async () => {
    const scene = routesOf({ routes: { tools: 'local' } })
    await scene.routes.refresh(still)
    expect(scene.routes.agent('tools')).toBeNull()
    expect(scene.routes.onlyTalks('tools')).toBe(false)
    expect(whoDoes(scene)).toMatchObject({ judge: 'builtin', tools: null })
  })

  it('names a local model that cannot be reached, and has nobody take its place', async () => {
    const absent = found({ ...talking('ollama', false), chat: null }, { available: false, reason: 'Nobody is at …' })
    const scene = routesOf({ local: absent, cloud: talking('openai', null) })
    await scene.routes.refresh(still)
    expect(whoDoes(scene)).toEqual({ judge: null, text: null, tools: 'openai', analyse: 'openai' })
    expect(scene.routes.view()[0]).toMatchObject({ reason: 'Nobody is at …', provider: 'ollama' })
    expect(scene.routes.judge().id).toBe('ollama')
  })
})

describe('the local model', () => {
  it('is looked for again after five minutes, at once where it was missed, and when the clock was set back', async () => {
    const { routes, clock, looks } = routesOf({ local: found(talking('ollama', true)) })
    await routes.refresh(still)
    await routes.refresh(still)
    expect(looks.count).toBe(1)
    clock.set(clock.now() + 5 * minute)
    looks.next = found(builtin, { reason: 'No language model: nobody is there' })
    await routes.refresh(still)
    expect([looks.count, routes.judge().id]).toEqual([2, 'builtin'])
    await routes.refresh(still)
    expect(looks.count).toBe(3)
    looks.next = found(talking('ollama', true), { available: false, reason: 'Gone.' })
    await routes.refresh(still)
    await routes.refresh(still)
    expect(looks.count).toBe(5)
    looks.next = found(talking('ollama', true))
    await routes.refresh(still)
    clock.set(clock.now() - 60 * minute)
    await routes.refresh(still)
    expect(looks.count).toBe(7)
  })

  it('is looked for once by work that goes on, and not again while it does', async () => {
    const { routes, clock, looks } = routesOf({ local: found(builtin, { reason: 'No language model: nobody' }) })
    await routes.ready(still)
    clock.set(clock.now() + 60 * minute)
    await routes.ready(still)
    expect(looks.count).toBe(1)
  })

  it('stays as it was when nobody wants to wait for the look', async () => {
    const { clock } = routesOf()
    const settings = Settings.parse({})
    const reason = new Error('Enough')
    const routes = new Routes({
      settings: () => settings,
      clock,
      firstLocal: found(builtin),
      findLocal: async (signal) => {
        signal.throwIfAborted()
        return found(talking('ollama', true))
      },
      cloud: null,
    })
    await expect(routes.refresh(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(routes.judge().id).toBe('builtin')
    await routes.ready(still)
    expect(routes.judge().id).toBe('ollama')
  })
})

describe('the room for a report', () => {
  it('is what a model has left beside its answers, and never more than the budget', async () => {
    const { routes } = routesOf({ local: found(talking('ollama', true)) })
    const room = routes.room(40_000)
    expect([room.budget(10), room.mostTasks()]).toEqual([40_000, Number.POSITIVE_INFINITY])
    await routes.refresh(still)
    expect(room.budget(10)).toBe(reportBudget(16_384, 10))
    expect(room.mostTasks()).toBe(tasksPerCall(16_384))
    expect(routes.room(2000).budget(10)).toBe(2000)
  })
})
