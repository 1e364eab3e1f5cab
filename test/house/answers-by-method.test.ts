import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Proposal } from '../../src/domain/escalation.ts'
import type { EvaluationId } from '../../src/domain/ids.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { servicesOf } from '../../src/house/services.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { dispatcher } from '../../src/rpc/dispatch.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { fromWire } from '../../src/rpc/wire-error.ts'
import { type HouseOptions, house } from '../support/house.ts'
import { mail, mailer, proposal, settle } from './scene.ts'

/** A house that asks about what the test proposes, and a caller of its methods. */
async function asked(propose: (response: string | undefined) => Proposal, options: HouseOptions = {}) {
  const { tool, sent } = mailer()
  const tools: Tool[] = [tool, ...(options.tools ?? [])]
  const provider = scriptedProvider({
    decide: ({ title }) => ({ decision: title === 'Watch the post' ? 'escalate' : 'skip' }),
    analyse: ({ response }) => ({ kind: 'proposal', proposal: propose(response) }),
  })
  const home = await house({ tasks: ['Watch the post'], provider, ...options, tools })
  const services = servicesOf(home.runtime, {
    version: '1',
    tools: new Map(tools.map((one) => [one.name, one])),
    ignored: [],
    assertSound: () => {},
    assertWritable: async () => {},
  })
  const dispatch = dispatcher({ methods, services, checkResults: true })
  const call = async <T>(method: string, params: object = {}): Promise<T> => {
    const answer = await dispatch(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }), {})
    const { result, error } = JSON.parse(answer ?? 'null') as { result: T; error?: unknown }
    if (error !== undefined) throw fromWire(error)
    return result
  }
  await home.tick(true)
  const cards = () =>
    call<{ id: string; digest: string; state: string; title: string }[]>('subconscious.escalations_list')
  return { home, call, cards, sent, services }
}

describe('a card answered by method', () => {
  it('is skipped', async () => {
    const { call, cards, sent } = await asked(() => proposal('Tell the team', [mail('team')]))
    const [card] = await cards()
    expect(await call('subconscious.escalations_get', { id: card?.id })).toMatchObject({ title: 'Tell the team' })
    expect(await call('subconscious.escalations_dismiss', { id: card?.id, by: 'ada' })).toEqual({
      evaluation: card?.id,
      state: 'dismissed',
    })
    await expect(call('subconscious.escalations_dismiss', { id: card?.id })).rejects.toMatchObject({
      code: 'approval/answered',
    })
    expect([await cards(), sent]).toEqual([[], []])
  })

  it('is thought over again in the light of a reply, and then asked anew', async () => {
    const { home, call, cards, sent } = await asked((response) =>
      proposal(response === undefined ? 'Tell the team' : `Tell them: ${response}`, [mail(response ?? 'team')]),
    )
    const [card] = await cards()
    const reply = { id: card?.id, text: 'only the boss', by: 'ada' }
    expect(await call('subconscious.escalations_respond', reply)).toEqual({ evaluation: card?.id })
    await settle(home)
    const [again] = await cards()
    expect(again).toMatchObject({ id: card?.id, title: 'Tell them: only the boss', state: 'open' })
    expect(again?.digest).not.toBe(card?.digest)
    await expect(
      call('subconscious.escalations_approve', { id: card?.id, digest: card?.digest }),
    ).rejects.toMatchObject({ code: 'approval/changed' })
    await call('subconscious.escalations_approve', { id: again?.id, digest: again?.digest, wait: true })
    expect(sent).toEqual(['only the boss: hello'])
  })

  it('is thought over once, though the reply is sent again, while it is and after', async () => {
    let thoughts = 0
    const { home, call, cards } = await asked(() => proposal(`Thought ${++thoughts}`, [mail('team')]))
    const [card] = await cards()
    const reply = { id: card?.id, text: 'only the boss', by: 'ada', message: 'm1' }
    await Promise.all([
      call('subconscious.escalations_respond', reply),
      call('subconscious.escalations_respond', reply),
    ])
    await settle(home)
    expect(await call('subconscious.escalations_respond', reply)).toEqual({ evaluation: card?.id })
    await settle(home)
    expect([thoughts, (await cards()).map(({ title }) => title)]).toEqual([2, ['Thought 2']])
    await call('subconscious.escalations_respond', { ...reply, message: 'm2' })
    await settle(home)
    expect(thoughts).toBe(3)
  })

  it('cannot be resolved while nothing about it is unknown', async () => {
    const { call, cards } = await asked(() => proposal('Tell the team', [mail('team')]))
    const [card] = await cards()
    await expect(call('subconscious.escalations_resolve', { id: card?.id, happened: true })).rejects.toMatchObject({
      code: 'approval/not-unknown',
    })
    expect(await cards()).toHaveLength(1)
  })

  it('is asked again after its action failed, by a new card, also for a task without a tick', async () => {
    let works = false
    const moody: Tool = {
      name: 'moody',
      description: 'Works sometimes.',
      repeatable: true,
      parse: (args) => args,
      target: () => 'its mood',
      run: async () => {
        if (!works) throw new Error('not today')
        return 'worked'
      },
    }
    const calls = [{ tool: 'moody', arguments: {} }]
    const { home, call, cards } = await asked(
      (response) => proposal(response === undefined ? 'Try it' : `Try it ${response}`, calls),
      { tools: [moody] },
    )
    const [card] = await cards()
    const approve = (one: { id: string; digest: string } | undefined) =>
      call('subconscious.escalations_approve', { id: one?.id, digest: one?.digest, wait: true })
    expect(await approve(card)).toMatchObject({ outcome: { state: 'failed' } })
    const { evaluation } = await call<{ evaluation: string }>('subconscious.escalations_retry', { id: card?.id })
    const [again] = await cards()
    expect(again).toMatchObject({ id: evaluation, title: 'Try it' })
    // The new one belongs to no tick: what is thought over has a report of its own.
    await call('subconscious.escalations_respond', { id: evaluation, text: 'gently' })
    await settle(home)
    const [gentle] = await cards()
    expect(gentle).toMatchObject({ id: evaluation, title: 'Try it gently' })
    works = true
    expect(await approve(gentle)).toMatchObject({ outcome: { state: 'acted', text: 'worked' } })
    expect(home.runtime.stores.evaluations.get(evaluation as EvaluationId)).toMatchObject({
      tick: null,
      retryOf: card?.id,
    })
  })

  it('is undone in files', async () => {
    const calls = [{ tool: 'append_file', arguments: { path: 'LIST.md', text: 'Milk\n' } }]
    const { home, call, cards } = await asked(() => proposal('Note the milk', calls), {
      files: { 'LIST.md': 'Bread\n' },
    })
    const [card] = await cards()
    await call('subconscious.escalations_approve', { id: card?.id, digest: card?.digest, wait: true })
    const list = () => readFileSync(join(home.root, 'LIST.md'), 'utf8')
    expect(list()).toBe('Bread\nMilk\n')
    expect(await call('subconscious.undo', { evaluation: card?.id })).toMatchObject([
      { path: 'LIST.md', outcome: 'restored' },
    ])
    expect(list()).toBe('Bread\n')
    await expect(call('subconscious.undo', { evaluation: card?.id })).rejects.toThrow(/nothing to undo/)
  })

  it('tells the user what a notification said, once', async () => {
    const calls = [{ tool: 'notify', arguments: { title: 'Tea', body: 'It is ready' } }]
    const { call, cards, services } = await asked(() => proposal('Call for tea', calls))
    const heard: unknown[] = []
    const stop = services.subscribe((news) => {
      if (news.type === 'notification') heard.push(news.title)
    })
    const [card] = await cards()
    await call('subconscious.escalations_approve', { id: card?.id, digest: card?.digest, wait: true })
    stop()
    expect(await call('subconscious.notifications_list')).toMatchObject([
      { kind: 'notify', title: 'Tea', body: 'It is ready' },
    ])
    expect(heard).toEqual(['Tea'])
  })
})

describe('the question whether a task may write', () => {
  const line = 'Keep a summary of the decisions in DECISIONS.md'
  const nothing = () => proposal('Nothing', [])

  it('names the task, and once allowed the task writes what its words say', async () => {
    const { home, call, cards, services } = await asked(nothing, { tasks: [line] })
    const [card] = await cards()
    expect(services.cards.get(card?.id ?? '').callsShown).toMatchObject([{ tool: 'allow_write', target: line }])
    expect(home.runtime.tasks.find(line)).toMatchObject({ intent: 'read', asksToWrite: true })
    const answer = { id: card?.id, digest: card?.digest, wait: true }
    expect(await call('subconscious.escalations_approve', answer)).toMatchObject({
      outcome: { state: 'acted', text: `“${line}” may write` },
    })
    expect(home.runtime.tasks.find(line)).toMatchObject({ intent: 'write', intentBy: 'user', asksToWrite: false })
  })

  it('may be answered where the workspace is not trusted, since nothing is written to it by that', async () => {
    const { home, call, cards } = await asked(nothing, { tasks: [line], trusted: false })
    const [card] = await cards()
    const answer = { id: card?.id, digest: card?.digest, wait: true }
    expect(await call('subconscious.escalations_approve', answer)).toMatchObject({ outcome: { state: 'acted' } })
    expect(home.runtime.tasks.find(line)).toMatchObject({ intent: 'write' })
  })

  it('allows nothing for words that are no longer those that were shown', async () => {
    const { home, call, cards } = await asked(nothing, { tasks: [line] })
    const [card] = await cards()
    const task = home.runtime.tasks.find(line)
    await home.runtime.host.write(() => home.runtime.stores.tasks.update(task.id, { title: 'Write to everybody' }))
    const answer = { id: card?.id, digest: card?.digest, wait: true }
    expect(await call('subconscious.escalations_approve', answer)).toMatchObject({
      outcome: { state: 'failed', failure: { code: 'task/changed' } },
    })
    expect(home.runtime.tasks.find(task.id)).toMatchObject({ intent: 'read' })
  })
})

it('tells by method how judging is done, and that nothing has happened yet', async () => {
  const { call } = await asked(() => proposal('Nothing', []))
  expect(await call('subconscious.status')).toMatchObject({
    provider_available: true,
    provider_unavailable_reason: null,
  })
})
