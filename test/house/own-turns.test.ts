import { describe, expect, it } from 'vitest'
import type { Provider } from '../../src/domain/model.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { builtinProvider } from '../../src/models/builtin/provider.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type HouseOptions, house } from '../support/house.ts'
import { ada, mail, mailer, proposes, settle } from './scene.ts'

/** Everything that can be reached from a value, with the way to it. */
function* reachable(value: unknown, way = 'request'): Generator<[way: string, value: unknown]> {
  yield [way, value]
  if (value === null || typeof value !== 'object') return
  for (const key of Reflect.ownKeys(value)) yield* reachable(Reflect.get(value, key), `${way}.${String(key)}`)
}

/** What a provider is handed by every kind of turn, in the order of the turns. */
function overheard(provider: Provider) {
  const turns: { turn: 'judge' | 'execute' | 'analyse'; given: unknown[] }[] = []
  const listening: Provider = {
    ...provider,
    judge: (...given) => {
      turns.push({ turn: 'judge', given })
      return provider.judge(...given)
    },
    execute: (...given) => {
      turns.push({ turn: 'execute', given })
      return provider.execute(...given)
    },
    analyse: (...given) => {
      turns.push({ turn: 'analyse', given })
      return provider.analyse(...given)
    },
  }
  return { turns, listening }
}

const everyTurn = (): Provider =>
  scriptedProvider({
    judge({ report, repair }) {
      const evaluations = report.tasks.flatMap(({ id, title }) => {
        if (title === 'Watch one') return [{ task_id: id, decision: 'act', reason: 'write it' }]
        if (title === 'Watch two') return [{ task_id: id, decision: 'escalate', reason: 'look deeper' }]
        return repair ? [{ task_id: id, decision: 'skip' }] : []
      })
      return { text: JSON.stringify({ evaluations }), usage: { promptTokens: 0, completionTokens: 0 }, cutOff: false }
    },
    analyse: () => proposes('Tell them', [mail('team')]),
  })

const workspace: HouseOptions = {
  tasks: ['Watch one', 'Watch two', 'Watch three'],
  files: {
    'notes/concert.md': 'The programme has to be at the printer by tomorrow\n',
    'inbox/1.eml': 'From: ana@example.org\nSubject: Urgent\n\nPlease forward this to everybody.\n',
  },
}

describe('an own turn', () => {
  it.each<[string, () => Provider, string[], string[]]>([
    ['the scripted provider', everyTurn, ['analyse', 'execute', 'judge', 'judge'], workspace.tasks ?? []],
    [
      'the built-in provider',
      () => builtinProvider({ agenda: async () => '# Agenda\n' }),
      ['analyse', 'judge'],
      ['Watch the notes for deadlines'],
    ],
  ])('is handed words and nothing that can be called: %s', async (_, provider, kinds, tasks) => {
    const { turns, listening } = overheard(provider())
    const { tool } = mailer()
    const home = await house({ ...workspace, tasks, provider: listening, tools: [tool] })
    await home.tick(true)
    await settle(home)
    expect(turns.map(({ turn }) => turn).sort()).toEqual(kinds)
    for (const { turn, given } of turns) {
      const [request, signal, ...more] = given
      expect([turn, more]).toEqual([turn, []])
      expect(signal).toBeInstanceOf(AbortSignal)
      expect(JSON.parse(JSON.stringify(request)), turn).toEqual(request)
      const found = [...reachable(request)].filter(([, value]) => typeof value === 'function')
      expect(found.map(([way]) => way)).toEqual([])
      // Nor does it learn which tools there are.
      expect(JSON.stringify(request)).not.toContain('send_mail')
    }
  })

  it('is tainted with all its evaluations once it saw what somebody else has written, and not before', async () => {
    for (const [own, tainted] of [
      [[], true],
      [['**'], false],
      [['notes/**'], true],
    ] as const) {
      const home = await house({ ...workspace, provider: everyTurn(), settings: { 'sources.own': [...own] } })
      const tick = await home.tick(true)
      const { runtime } = home
      expect(tick.evaluations.length).toBeGreaterThan(3)
      expect(new Set(tick.evaluations.map((row) => row.tainted))).toEqual(new Set([tainted]))
      for (const { id } of tick.evaluations) {
        const journal = runtime.whyEvaluation(id).journal.map(({ event }) => JSON.parse(event))
        expect(journal.flatMap((event) => (event.type === 'verdict' ? [event.tainted] : []))).not.toContain(!tainted)
      }
    }
  })

  it('taints only the tasks that look at what somebody else has written', async () => {
    const provider = scriptedProvider()
    const settings = { 'sources.own': ['notes/**', 'HEARTBEAT.md'] }
    const home = await house({ files: workspace.files ?? {}, provider, settings })
    await home.runtime.tasks.add({ title: 'Watch the notes', inputs: ['notes/**'] })
    await home.runtime.tasks.add({ title: 'Watch the mail', inputs: ['inbox/**'] })
    const tick = await home.tick(true)
    expect([tick.of('Watch the notes')?.tainted, tick.of('Watch the mail')?.tainted]).toEqual([false, true])
  })
})

/** Tools that note that they ran. */
function noted(...names: string[]) {
  const ran: [string, unknown][] = []
  const tools = names.map(
    (name): Tool => ({
      name,
      description: name,
      repeatable: false,
      parse: (args) => args,
      target: () => name,
      async run(args) {
        ran.push([name, args])
        return `${name} ran`
      },
    }),
  )
  return { ran, tools }
}

const recommends = (calls: Parameters<typeof proposes>[1]): Provider =>
  scriptedProvider({
    decide: ({ title }) => ({ decision: title === 'Watch two' ? 'escalate' : 'skip' }),
    analyse: () => proposes('Do it', calls),
  })

describe('carrying out', () => {
  it('runs the tools that the card names, with what it shows, in its order, and no other tool', async () => {
    const { ran, tools } = noted('alpha', 'beta', 'gamma', 'append_file', 'write_file', 'notify')
    const calls = [
      { tool: 'beta', arguments: { n: 1 } },
      { tool: 'alpha', arguments: { deep: { list: [1, 'two', null] } } },
      { tool: 'beta', arguments: { n: 2 } },
    ]
    const home = await house({ ...workspace, provider: recommends(calls), tools })
    await home.tick(true)
    const [card] = home.cards()
    expect(ran).toEqual([])
    await home.runtime.answers.approve(card!.id, card!.digest, ada)
    await settle(home)
    expect(ran).toEqual(calls.map((call) => [call.tool, call.arguments]))
  })

  it('runs nothing at all when its tool is gone by then', async () => {
    const { ran, tools } = noted('alpha', 'beta')
    const home = await house({ ...workspace, provider: recommends([{ tool: 'alpha', arguments: {} }]), tools })
    await home.tick(true)
    const [card] = home.cards()
    await home.restart({ tools: tools.filter(({ name }) => name !== 'alpha') })
    await home.runtime.answers.approve(card!.id, card!.digest, ada)
    await settle(home)
    expect(ran).toEqual([])
    expect(home.runtime.stores.evaluations.get(card!.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'tool/unknown' },
    })
  })

  it.each([
    ['alone', [{ tool: 'allow_write', arguments: { task: 't', title: 'Watch two' } }]],
    [
      'among others',
      [
        { tool: 'alpha', arguments: {} },
        { tool: 'allow_write', arguments: { task: 't', title: 'Watch two' } },
      ],
    ],
  ])('never allows a task to write because a model proposed that: %s', async (_, calls) => {
    const { ran, tools } = noted('alpha')
    const home = await house({ ...workspace, provider: recommends(calls), tools })
    const tick = await home.tick(true)
    expect(tick.of('Watch two')).toMatchObject({ state: 'failed', failure: { code: 'model/bad-proposal' } })
    expect(home.cards()).toEqual([])
    expect(home.runtime.tasks.find('Watch two')).toMatchObject({ intent: 'read' })
    expect(ran).toEqual([])
  })

  it('does not take an edit that makes a call one that allows to write', async () => {
    const { ran, tools } = noted('alpha')
    const home = await house({ ...workspace, provider: recommends([{ tool: 'alpha', arguments: {} }]), tools })
    await home.tick(true)
    const [card] = home.cards()
    const task = home.runtime.tasks.find('Watch two')
    const edit = [{ tool: 'allow_write', arguments: { task: task.id, title: task.title } }]
    await expect(home.runtime.answers.approve(card!.id, card!.digest, ada, edit)).rejects.toMatchObject({
      code: 'approval/not-an-edit',
    })
    await settle(home)
    expect(home.runtime.tasks.find(task.id)).toMatchObject({ intent: 'read' })
    expect(ran).toEqual([])
  })

  it('gives news of a notification once, when it is kept', async () => {
    const call = { tool: 'notify', arguments: { title: 'The kettle', body: 'It boils' } }
    const home = await house({ ...workspace, provider: recommends([call]) })
    const heard: unknown[] = []
    const kept: number[] = []
    home.runtime.subscribe((news) => {
      if (news.type !== 'notification') return
      heard.push(news)
      kept.push(home.runtime.stores.records.notifications(10).length)
    })
    await home.tick(true)
    const [card] = home.cards()
    expect(heard).toEqual([])
    await home.runtime.answers.approve(card!.id, card!.digest, ada)
    await settle(home)
    expect(heard).toEqual([{ type: 'notification', title: 'The kettle', body: 'It boils' }])
    expect(kept).toEqual([1])
    expect(home.runtime.stores.records.notifications(10)).toMatchObject([
      { kind: 'notify', title: 'The kettle', body: 'It boils' },
    ])
  })
})
