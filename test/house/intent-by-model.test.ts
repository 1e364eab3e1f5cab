import { describe, expect, it } from 'vitest'
import { second } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type HouseOptions, house } from '../support/house.ts'
import { type ChatScript, scriptedChat, untilCalledOff } from '../support/scripted-chat.ts'
import { judging, skips } from '../support/served.ts'
import { ollama, servedHouse } from './served-house.ts'

/** Words that ask for nothing by the rule. */
const title = 'The minutes belong to the board'
const writes = 'Append the dates to AGENDA.md'

/** A house whose judge is a language model that answers so about what a task's words ask for. */
async function thinking(answer: NonNullable<ChatScript['answer']>, options: HouseOptions = {}) {
  const chat = scriptedChat({ answer })
  const home = await house({ provider: scriptedProvider({}), reflex: chat, ...options })
  const calls = async () =>
    (await home.runtime.usage({ days: 1, by: 'purpose' })).rows.find(({ key }) => key === 'intent')
  return { home, chat, add: (given: string) => home.runtime.tasks.add({ title: given }), calls }
}

const saying = (intent: string) => () => JSON.stringify({ intent })

describe('a task that the user adds without saying whether it may write', () => {
  it('is classified by the model that judges, once, and the call is counted', async () => {
    const { home, chat, add, calls } = await thinking(saying('write'))
    const task = await add(title)
    expect(task).toMatchObject({ intent: 'write', intentBy: 'model', asksToWrite: false })
    expect(chat.requests).toHaveLength(1)
    expect(chat.requests[0]!.messages.at(-1)!.text).toContain(title)
    expect(await calls()).toMatchObject({ calls: 1, failedCalls: 0 })
    expect((await home.runtime.usage({ days: 1, by: 'task' })).rows.map(({ key }) => key)).toContain(task.id)
    await home.tick()
    await home.runtime.tasks.edit(task.id, { onlyIfChanged: true })
    expect(chat.requests).toHaveLength(1)
  })

  it('has effects by its words alone, whatever the model says', async () => {
    const { add } = await thinking(() => '{"intent":"write","effects":[{"tool":"run_command","target":"rm"}]}')
    expect((await add(title)).effects).toEqual([])
    expect((await add(writes)).effects).toEqual([{ tool: 'append_file', target: 'AGENDA.md' }])
  })

  it('only reads where the model says so, and then has no effects', async () => {
    const { add } = await thinking(saying('read'))
    expect(await add(writes)).toMatchObject({ intent: 'read', intentBy: 'model', effects: [] })
  })

  it.each<[string, NonNullable<ChatScript['answer']>]>([
    ['leaves it open', saying('unclear')],
    ['talks nonsense', () => 'As an AI I am delighted.'],
    ['says both', () => '{"intent":"read"} {"intent":"write"}'],
    ['says nothing', () => ''],
    ['is cut off', () => ({ text: '{"intent":"write"', cutOff: true })],
    [
      'is not there',
      () => {
        throw new Fault('model/unreachable', 'Nobody is there.')
      },
    ],
    [
      'breaks',
      () => {
        throw new TypeError('x is not a function')
      },
    ],
  ])('goes by the rule where the model %s', async (_, answer) => {
    const { add } = await thinking(answer)
    expect(await add(title)).toMatchObject({ intent: 'read', intentBy: 'rule' })
    expect(await add(writes)).toMatchObject({ intent: 'write', intentBy: 'rule' })
  })

  it.each<[string, NonNullable<ChatScript['answer']>]>([
    ['is silent until it is called off', untilCalledOff],
    ['does not even heed being called off', () => new Promise(() => {})],
  ])('waits five seconds, and no longer, for a model that %s', async (_, answer) => {
    const { home, chat, add } = await thinking(answer)
    const adding = add(writes)
    while (chat.requests.length === 0) await new Promise(setImmediate)
    home.clock.set(home.clock.now() + 5 * second - 1)
    let isAdded = false
    void adding.then(() => {
      isAdded = true
    })
    for (let n = 0; n < 5; n++) await new Promise(setImmediate)
    expect(isAdded).toBe(false)
    home.clock.set(home.clock.now() + 1)
    expect(await adding).toMatchObject({ intent: 'write', intentBy: 'rule' })
    expect(home.runtime.tasks.find(writes).title).toBe(writes)
  })

  it('asks no model where the user has said it, or the task cannot be added', async () => {
    const { home, chat, add } = await thinking(saying('write'))
    expect(await home.runtime.tasks.add({ title, intent: 'read' })).toMatchObject({ intent: 'read', intentBy: 'user' })
    await expect(add(title)).rejects.toMatchObject({ code: 'task/exists' })
    expect(() => add(' ')).toThrow(expect.objectContaining({ code: 'task/title-invalid' }))
    expect(() => home.runtime.tasks.add({ title: 'Other', schedule: 'whenever' })).toThrow(Fault)
    expect(chat.requests).toEqual([])
  })

  it('goes by the rule again when its words change', async () => {
    const { home, add } = await thinking(saying('write'))
    const { id } = await add(title)
    const edited = await home.runtime.tasks.edit(id, { title: 'The minutes belong to us' })
    expect(edited).toMatchObject({ intent: 'read', intentBy: 'rule', effects: [] })
  })

  it('is added once, however many add it while the model thinks', async () => {
    const { home, add } = await thinking(async () => {
      await new Promise(setImmediate)
      return '{"intent":"read"}'
    })
    const ends = await Promise.allSettled([add(title), add(title), add(title)])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(home.runtime.tasks.list().filter((task) => task.title === title)).toHaveLength(1)
  })

  it('goes by the rule, and asks nobody, where the built-in rules judge', async () => {
    const home = await house({ provider: scriptedProvider({}) })
    expect(await home.runtime.tasks.add({ title: writes })).toMatchObject({ intent: 'write', intentBy: 'rule' })
    expect((await home.runtime.usage({ days: 1, by: 'purpose' })).rows).toEqual([])
  })

  it('is classified by the model in Ollama where that is found', async () => {
    const { server } = await ollama((asked) =>
      asked.schema?.name === 'judgement' ? judging(asked, skips) : { text: '{"intent":"write"}' },
    )
    const home = await servedHouse({ env: { OLLAMA_HOST: server.address } })
    expect(await home.runtime.tasks.add({ title })).toMatchObject({ intent: 'write', intentBy: 'model' })
  })
})

describe('a line of HEARTBEAT.md', () => {
  it('stays to read until the user has said yes, and no model is asked about it', async () => {
    const { home, chat } = await thinking(saying('write'), { tasks: [writes, title] })
    await home.tick()
    expect(home.runtime.tasks.find(writes)).toMatchObject({ intent: 'read', intentBy: 'rule', asksToWrite: true })
    expect(home.runtime.tasks.find(title)).toMatchObject({ intent: 'read', intentBy: 'rule', asksToWrite: false })
    expect(chat.requests).toEqual([])
  })
})
