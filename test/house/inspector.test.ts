import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import { servicesOf } from '../../src/house/services.ts'
import { charts } from '../../src/machines/index.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import type { StepView } from '../../src/rpc/inspector.ts'
import { localDoor } from '../../src/rpc/local-door.ts'
import { type HouseOptions, house } from '../support/house.ts'
import { mail, mailer, proposes, settle, until } from './scene.ts'

const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

interface Actor {
  id: string
  kind: string
  parent: string | null
  state: string
  settled: boolean
  title: string | null
}
interface Page {
  actors: Actor[]
  next: string | null
}
interface Step {
  seq: number
  version: number
  event: string
  data: unknown
  from: string | null
  to: string
  sender: string | null
  summary: { state: string }[] | null
  snapshot: { id?: string } | null
}
interface History {
  kind: string
  steps: Step[]
  next: number | null
}

async function inspected(options: HouseOptions = {}) {
  const { tool, sent } = mailer()
  const provider = scriptedProvider({
    decide: ({ title }) =>
      title.startsWith('Urgent') ? { decision: 'escalate', reason: 'urgent' } : { decision: 'skip', reason: 'nothing' },
    analyse: () => proposes('Tell Anna', [mail('anna', `the token is ${secret}`)]),
  })
  const home = await house({
    provider,
    tools: [tool],
    tasks: ['Urgent mail', 'Look around'],
    files: { 'a.md': 'x' },
    ...options,
  })
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  const doorTo = () =>
    localDoor(
      servicesOf(home.runtime, {
        version: '1',
        tools: new Map([[tool.name, tool]]),
        ignored: [],
        assertSound: () => {},
        assertWritable: async () => {},
      }),
      async () => {},
    )
  let door = doorTo()
  return {
    home,
    sent,
    get door() {
      return door
    },
    async restart() {
      await home.restart()
      door = doorTo()
    },
    call: async <T>(method: string, params: Record<string, unknown> = {}) =>
      (await door.call(`inspector.${method}`, params)) as T,
  }
}

describe('the actors of a workspace', () => {
  it('form a tree, live ones only unless settled ones are asked for', async () => {
    const { home, call } = await inspected()
    await home.tick()
    await settle(home)
    const { actors } = await call<Page>('actors')
    expect(actors.map(({ kind, parent, settled }) => [kind, parent, settled])).toEqual([
      ['evaluation', 'instance_memory', false],
      ['heartbeat', null, false],
      ['instance', 'heartbeat', false],
    ])
    expect(actors[0]).toMatchObject({ state: 'awaitingApproval', title: 'Urgent mail' })
    const all = await call<Page>('actors', { parent: 'instance_memory', settled: true })
    expect(all.actors.map(({ title, state }) => [title, state]).sort()).toEqual([
      ['Look around', 'skipped'],
      ['Urgent mail', 'awaitingApproval'],
    ])
    expect((await call<Page>('actors', { state: 'awaitingApproval' })).actors).toHaveLength(1)
    expect((await call<Page>('actors', { state: 'awaiting' })).actors).toEqual([])
    expect((await call<Page>('actors', { parent: 'nobody' })).actors).toEqual([])
  })

  it('come in pages that leave none out', async () => {
    const { home, call } = await inspected({ tasks: Array.from({ length: 30 }, (_, n) => `Look at ${n}`) })
    await home.tick()
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: Page = await call('actors', { settled: true, limit: 7, ...(after && { after }) })
      expect(page.actors.length).toBeLessThanOrEqual(7)
      seen.push(...page.actors.map(({ id }) => id))
      after = page.next
    } while (after !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(32)
  })

  it('show their context, timers and work without secrets, and how many children they have', async () => {
    const { home, call } = await inspected()
    await home.tick()
    await settle(home)
    const [card] = home.cards()
    const waiting = await call<Record<string, unknown>>('actor', { id: card!.id })
    expect(waiting).toMatchObject({
      state: 'awaitingApproval',
      settled: false,
      children: 0,
      snapshot: { id: card!.id },
      work: [{ invoke: 'analyse', state: 'done' }],
    })
    expect((waiting.timers as unknown[]).length).toBeGreaterThan(0)
    const text = JSON.stringify(waiting)
    expect(text).not.toContain(secret)
    expect(text).toContain('[secret left out]')
    expect(await call('actor', { id: 'instance_memory' })).toMatchObject({ children: 1, title: 'Memory awareness' })
    await expect(call('actor', { id: 'ev_nobody' })).rejects.toMatchObject({ code: 'inspector/unknown-actor' })
  })
})

describe('the history of an evaluation', () => {
  it('has every step with its event and what came of it, after a restart too', async () => {
    const { home, call, restart, sent } = await inspected()
    await home.tick()
    await settle(home)
    const [card] = home.cards()
    await home.runtime.approve(card!)
    await settle(home)
    expect(sent).toHaveLength(1)
    const before = await call<History>('history', { actor: card!.id, snapshots: true })
    expect(before.kind).toBe('evaluation')
    expect(before.steps.map(({ to }) => to)).toEqual([
      'inProgress.judging',
      'inProgress.analysing',
      'awaitingApproval',
      'inProgress.carryingOut',
      'acted',
    ])
    expect(before.steps[0]).toMatchObject({ event: 'xstate.init', from: null })
    expect(before.steps.every(({ snapshot }) => snapshot?.id === card!.id)).toBe(true)
    expect(JSON.stringify(before)).not.toContain(secret)
    await restart()
    expect(await call('history', { actor: card!.id, snapshots: true })).toEqual(before)

    const first = await call<History>('history', { actor: card!.id, limit: 2 })
    expect(first.steps).toHaveLength(2)
    const rest = await call<History>('history', { actor: card!.id, from_version: first.next })
    expect([...first.steps, ...rest.steps].map(({ seq }) => seq)).toEqual(before.steps.map(({ seq }) => seq))
  })

  it('is a summary once the journal is older than it is kept', async () => {
    const { home, call } = await inspected()
    const tick = await home.tick()
    const { id } = tick.of('Look around')!
    home.clock.set(home.clock.now() + 40 * day)
    await home.runtime.compact()
    expect(await call('actor', { id })).toMatchObject({
      kind: 'evaluation',
      state: 'skipped',
      settled: true,
      chart: null,
    })
    const { steps, kind } = await call<History>('history', { actor: id, snapshots: true })
    expect(kind).toBe('evaluation')
    expect(steps).toMatchObject([{ event: 'summary', data: null, to: 'skipped', snapshot: null }])
    expect(steps[0]?.summary?.map(({ state }) => state)).toEqual(['inProgress.judging', 'skipped'])
  })
})

describe('committed steps', () => {
  const listen = async (it: Awaited<ReturnType<typeof inspected>>, query: object = {}) => {
    const heard: StepView[] = []
    const watching = await it.door.watch(query, (step) => heard.push(step))
    return { heard, watching }
  }

  it('come as they happen, in order, each once, and match the journal', async () => {
    const it = await inspected()
    const { heard, watching } = await listen(it)
    await it.home.tick()
    await settle(it.home)
    await until(() => heard.some(({ kind, to }) => kind === 'instance' && to === 'resting'))
    const seqs = heard.map(({ seq }) => seq)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    expect(new Set(seqs).size).toBe(seqs.length)
    expect(new Set(heard.map(({ kind }) => kind))).toEqual(new Set(['instance', 'tick', 'evaluation']))
    watching.stop()
    const count = heard.length
    await it.home.tick(true)
    await settle(it.home)
    expect(heard).toHaveLength(count)
  })

  it('are those that were missed first, for one who names the last it had, in the next process too', async () => {
    const it = await inspected()
    const first = await listen(it)
    await it.home.tick()
    await settle(it.home)
    await until(() => first.heard.length > 4)
    const last = first.heard[2]!.seq
    await it.restart()
    const again = await listen(it, { sinceSeq: last })
    expect(again.watching.from).toBe(last)
    // Steps of a tick that has ended by then are gone with it.
    const kept = it.home.runtime.stores.inspection.linesSince(last, 500).map(({ seq }) => seq)
    await until(() => again.heard.length >= kept.length)
    expect(again.heard.map(({ seq }) => seq)).toEqual(kept)
    expect(again.heard.filter(({ kind }) => kind === 'evaluation').length).toBeGreaterThan(0)
  })

  it('of a tick are heard to its last, though its journal goes when it has ended', async () => {
    const it = await inspected({ tasks: Array.from({ length: 40 }, (_, n) => `Look at ${n}`) })
    const { heard } = await listen(it, { kind: 'tick' })
    const tick = await it.home.tick()
    await settle(it.home)
    await until(() => heard.some(({ to }) => to === 'done'))
    expect(it.home.runtime.stores.inspection.journal(tick.id, 0, 10)).toEqual([])
    expect(heard.map(({ version }) => version)).toEqual(heard.map((_, index) => index + 1))
  })

  it('of one actor carry what its events carry, without secrets', async () => {
    const it = await inspected()
    await it.home.tick()
    await settle(it.home)
    const [card] = it.home.cards()
    const { heard } = await listen(it, { actor: card!.id, sinceSeq: 0 })
    await until(() => heard.length === 3)
    expect(heard.map(({ to }) => to)).toEqual(['inProgress.judging', 'inProgress.analysing', 'awaitingApproval'])
    expect(heard[2]?.data).not.toBeNull()
    expect(JSON.stringify(heard)).not.toContain(secret)
  })

  it('of one kind leave out the others, however many there are', async () => {
    const it = await inspected({ tasks: Array.from({ length: 150 }, (_, n) => `Look at ${n}`) })
    await it.home.tick()
    await settle(it.home)
    const { heard } = await listen(it, { kind: 'heartbeat', sinceSeq: 0 })
    await it.home.runtime.trigger()
    await settle(it.home)
    await until(() => heard.length > 0)
    expect(new Set(heard.map(({ kind }) => kind))).toEqual(new Set(['heartbeat']))
  })

  it('begin at the newest where a number is asked for that this store never had', async () => {
    const it = await inspected()
    const { watching } = await listen(it, { sinceSeq: 1_000_000 })
    expect(watching.from).toBe(watching.head)
    expect(watching.from).toBeLessThan(1_000_000)
  })
})

describe('messages', () => {
  it('say who sent what to whom', async () => {
    const { home, call } = await inspected()
    await home.tick()
    await settle(home)
    const [card] = home.cards()
    await home.runtime.approve(card!)
    await settle(home)
    const { messages, more } = await call<{ messages: Record<string, unknown>[]; more: boolean }>('messages', {
      actor: card!.id,
      since_seq: 0,
    })
    expect(more).toBe(false)
    expect(messages.map(({ via, receiver }) => [via, receiver === card!.id])).toEqual(
      expect.arrayContaining([
        ['start', true],
        ['outside', true],
        ['work', true],
        ['message', true],
      ]),
    )
    const newest = await call<{ messages: { seq: number }[]; next: number }>('messages', { limit: 3 })
    expect(newest.messages).toHaveLength(3)
    expect(newest.next).toBe(newest.messages[2]?.seq)
    expect(await call('messages', { since_seq: newest.next })).toEqual({ messages: [], next: newest.next, more: false })
  })
})

describe('the definition of a chart', () => {
  it.each(Object.keys(charts))(
    'of %s names states as actors are in them, and its picture has each of them',
    async (kind) => {
      const { call } = await inspected()
      const { states, transitions, svg, mermaid, style } = await call<{
        states: { path: string; type: string; parent: string | null }[]
        transitions: { from: string; to: string | null }[]
        svg: string
        mermaid: string
        style: string
      }>('definition', { kind })
      const paths = new Set(states.map(({ path }) => path))
      expect(paths.size).toBe(states.length)
      for (const { from, to } of transitions) {
        expect(paths).toContain(from)
        if (to !== null) expect(paths).toContain(to)
      }
      expect(mermaid).toContain('stateDiagram')
      expect(style).toContain('.state-chart')
      const drawn = [...svg.matchAll(/data-state="([^"]*)"/g)].map(([, path]) => path)
      expect(drawn).toEqual(states.flatMap(({ path, parent }) => (parent === null ? [] : [path])))
    },
  )

  it('is asked for by a kind that there is', async () => {
    const { call } = await inspected()
    for (const kind of ['garden', 'toString', '__proto__', '../evaluation']) {
      await expect(call('definition', { kind })).rejects.toMatchObject({ code: 'inspector/unknown-kind' })
    }
  })
})
