import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import type { RejudgedView } from '../../src/rpc/rejudged.ts'
import type { HouseOptions } from '../support/house.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { acts, escalates, judging } from '../support/served.ts'
import { mail, mailer, proposes } from './scene.ts'
import { scripted } from './scripted-house.ts'
import { cloud, cloudAt, nobody, ollama, plain, servedHouse } from './served-house.ts'

const title = 'Watch the notes'
const files = { 'notes.md': 'The venue is booked.\n' }

/** A house in which a task was skipped, and another model that can be asked as `cloud`. */
async function judged(answer: Parameters<typeof scriptedChat>[0], options: HouseOptions = {}) {
  const other = scriptedChat({ id: 'openai', model: 'other-1', tools: false, ...answer })
  const { home, provider } = await scripted(
    { decide: () => ({ decision: 'skip', reason: 'nothing new' }) },
    { agent: other, files, ...options },
  )
  const task = await home.runtime.tasks.add({ title })
  const { evaluations } = await home.tick()
  const [evaluation] = evaluations
  /** Everything that a judgement may move. */
  const world = () => {
    const { stores } = home.runtime
    return {
      tasks: stores.tasks.list({ retired: true }),
      log: home.runtime.log({ limit: 100 }),
      cards: stores.escalations.list(100),
      worlds: stores.ticks.worlds(),
      head: stores.changes.head(),
    }
  }
  return { home, provider, other, task, id: evaluation!.id, world }
}

const decides = (verdict: object) => ({
  answer: ({ schema }: { schema?: { name: string; schema: object } }) =>
    schema?.name === 'judgement'
      ? judging({ schema: schema as never }, verdict).text!
      : JSON.stringify({
          kind: 'proposal',
          text: null,
          title: 'Tell the team',
          summary: 'The venue is booked.',
          priority: 'normal',
          calls: [],
          sources: [],
        }),
})

describe('an evaluation that another model judges', () => {
  it('is told beside what was decided, by whom and on what, and nothing else comes of it', async () => {
    const { home, id, other, provider, world } = await judged(decides({ ...acts, reason: 'it is booked' }))
    const before = world()
    const asked = provider.calls.judge.length
    const told = await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    expect(told).toMatchObject({
      evaluation: id,
      title,
      recorded: { provider: 'scripted', decision: 'skip', reason: 'nothing new', state: 'skipped', card: null },
      rejudged: { provider: 'openai', model: 'other-1', route: 'cloud', decision: 'act', reason: 'it is booked' },
      changes: { missing: 0, left: 0 },
      used: { calls: 1, promptTokens: expect.any(Number) },
    })
    expect(told.rejudged).toMatchObject({ text: 'Something changed.', failure: null, analysis: null })
    expect(world()).toEqual(before)
    expect(provider.calls.judge).toHaveLength(asked)
    expect(other.requests).toHaveLength(1)
  })

  it('is judged on the report of then: its changes and its time, and no other task', async () => {
    const { home, id, other, provider } = await judged(decides({ decision: 'skip' }))
    const shown = provider.calls.judge.at(-1)!.report
    home.clock.set(home.clock.now() + 3 * day)
    await home.runtime.tasks.add({ title: 'Something else' })
    await home.write('later.md', 'Later\n')
    await home.tick()
    const told = await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    expect(told.changes.shown).toBe(shown.changes.length)
    const prompt = other.requests[0]!.messages.map(({ text }) => text).join('\n')
    expect(prompt).toContain('The venue is booked.')
    expect(prompt).not.toMatch(/later\.md|Something else/)
    expect(prompt).toContain(shown.text)
  })

  it('is counted as what the model used, for its task, as an evaluation of models', async () => {
    const { home, id, task } = await judged(decides({ decision: 'skip' }))
    await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    const { rows } = await home.runtime.usage({ days: 1, by: 'purpose' })
    expect(rows.find(({ key }) => key === 'eval')).toMatchObject({ calls: 1, cloudCalls: 1, failedCalls: 0 })
    const ofTask = (await home.runtime.usage({ days: 1, by: 'task' })).rows.find(({ key }) => key === task.id)
    expect(ofTask).toMatchObject({ cloudCalls: 1 })
    expect(home.runtime.whyEvaluation(id).call).toMatchObject({ purpose: 'judge' })
  })

  it('is looked into, in words and only when that is asked for, where the other model escalates', async () => {
    const { home, id, other, world } = await judged(decides(escalates))
    const before = world()
    const plainly = await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    expect(plainly.rejudged).toMatchObject({ decision: 'escalate', analysis: null })
    const deeper = await home.runtime.rejudge(id, { model: 'cloud', analyse: true })
    expect(deeper.rejudged.analysis).toEqual({
      kind: 'proposal',
      title: 'Tell the team',
      text: expect.stringContaining('The venue is booked.'),
      calls: [],
    })
    expect(deeper.used.calls).toBe(2)
    expect(other.requests).toHaveLength(3)
    expect(other.requests.flatMap(({ tools = [] }) => tools)).toEqual([])
    expect(world()).toEqual(before)
  })

  it('is asked about once more where the answer cannot be used, and says when there is none', async () => {
    const { home, id } = await judged({ answer: () => 'I cannot say.' })
    const told = await home.runtime.rejudge(id, { model: 'cloud', analyse: true })
    expect(told.rejudged).toMatchObject({ decision: null, failure: { code: 'model/no-verdict' }, analysis: null })
    expect(told.used.calls).toBe(2)
  })

  it('says how many of its changes are no longer kept, and goes on with the rest', async () => {
    const { home, id, other } = await judged(decides({ decision: 'skip' }))
    const { changes } = home.runtime.stores
    const all = changes.head()
    await home.runtime.host.write(() => changes.prune(changes.head(), home.clock.now() + 1, 1))
    const told = await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    expect(told.changes).toEqual({ shown: all - 1, missing: 1, left: 0 })
    expect(other.requests).toHaveLength(1)
  })

  it('still says what was decided when the call of then is long gone', async () => {
    const { home, id } = await judged(decides({ decision: 'skip' }))
    home.clock.set(home.clock.now() + 40 * day)
    await home.runtime.compact()
    const told = await home.runtime.rejudge(id, { model: 'cloud', analyse: false })
    expect(told.recorded).toMatchObject({ provider: null, model: null, decision: 'skip', reason: 'nothing new' })
  })

  it('names the card that came of it', async () => {
    const { home } = await scripted(
      { decide: () => ({ decision: 'escalate' }), analyse: () => proposes('Tell them', [mail('team')]) },
      {
        agent: scriptedChat(decides({ decision: 'skip' })),
        files,
        tools: [mailer().tool],
        settings: { 'models.routes.analyse': 'local' },
      },
    )
    await home.runtime.tasks.add({ title })
    const { evaluations } = await home.tick()
    const told = await home.runtime.rejudge(evaluations[0]!.id, { model: 'cloud', analyse: true })
    expect(told).toMatchObject({
      recorded: { decision: 'escalate', card: 'Tell them' },
      rejudged: { decision: 'skip' },
    })
  })

  it('is refused where no model has judged it, or nobody goes by the name', async () => {
    const { home, id } = await judged(decides({ decision: 'skip' }))
    const of = (evaluation: string, model = 'cloud') => home.runtime.rejudge(evaluation, { model, analyse: false })
    await expect(of(id, 'nobody')).rejects.toMatchObject({ code: 'model/unknown', kind: 'use' })
    await expect(of('ev_none')).rejects.toMatchObject({ code: 'evaluation/unknown' })
    await home.write('HEARTBEAT.md', '- Send the minutes to the board\n')
    await home.tick()
    const asks = home.runtime.log({ limit: 10 }).find(({ tick }) => tick === null)!
    await expect(of(asks.id)).rejects.toMatchObject({ code: 'replay/not-judged', kind: 'use' })
  })

  it('fails with what the model failed of, which is counted, too', async () => {
    const { home, id } = await judged({
      answer: () => {
        throw new TypeError('broken')
      },
    })
    await expect(home.runtime.rejudge(id, { model: 'cloud', analyse: false })).rejects.toThrow('broken')
    const { rows } = await home.runtime.usage({ days: 1, by: 'purpose' })
    expect(rows.find(({ key }) => key === 'eval')).toMatchObject({ calls: 1, failedCalls: 1 })
  })
})

describe('the models of the settings', () => {
  /** A house whose tasks the built-in rules judge, and an evaluation of one. */
  async function served(settings: Record<string, unknown>, OLLAMA_HOST: string) {
    const home = await servedHouse({
      env: { OLLAMA_HOST },
      tasks: [title],
      files,
      settings: { 'models.local.provider': 'builtin', ...settings },
    })
    const { evaluations } = await home.tick()
    const ask = (model: string): Promise<RejudgedView> =>
      home.runtime.rejudge(evaluations[0]!.id, { model, analyse: false })
    return { home, ask }
  }

  it('can each be asked, whoever judges tasks', async () => {
    const { server: near } = await ollama(plain)
    const { server: far } = await cloud(plain)
    const { home, ask } = await served(cloudAt(far), near.address)
    const by = async (name: string) => {
      const { rejudged, used } = await ask(name)
      return [rejudged.provider, rejudged.model, rejudged.route, used.calls]
    }
    expect(await by('ollama:qwen3')).toEqual(['ollama', 'qwen3', 'local', 1])
    expect(await by('cloud')).toEqual(['openai', 'served', 'cloud', 1])
    expect(await by('openai:other')).toEqual(['openai', 'other', 'cloud', 1])
    expect(await by('builtin')).toEqual(['builtin', 'builtin', 'local', 0])
    expect(home.runtime.status().model.provider).toBe('builtin')
  })

  it('are asked only as far as the budget of the day allows', async () => {
    const { server } = await cloud(plain)
    const { ask } = await served({ ...cloudAt(server), 'models.cloud.daily_tokens': 10 }, await nobody())
    await expect(ask('cloud')).rejects.toMatchObject({ code: 'model/budget-too-small' })
    await expect(ask('openai:other')).rejects.toMatchObject({ code: 'model/budget-too-small' })
    expect(server.chats()).toEqual([])
  })

  it('that are not there say what to do', async () => {
    const { ask } = await served({}, await nobody())
    await expect(ask('ollama:qwen3')).rejects.toMatchObject({ code: 'model/unreachable' })
    await expect(ask('cloud')).rejects.toMatchObject({ code: 'model/not-chosen' })
  })
})
