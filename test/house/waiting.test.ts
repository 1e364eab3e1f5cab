import { describe, expect, it } from 'vitest'
import type { TickId } from '../../src/domain/ids.ts'
import { id } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { stores } from '../../src/house/stores.ts'
import { Waiting } from '../../src/house/waiting.ts'
import { openStore } from '../../src/store/open.ts'
import { asking, theCard } from './asking-house.ts'
import { ada } from './scene.ts'
import { heldJudge, scripted } from './scripted-house.ts'

describe('waiting for a tick', () => {
  it('ends when it has ended, whether that was before or comes after', async () => {
    const { home } = await scripted()
    const tick = await home.runtime.trigger()
    const row = await home.runtime.settled(tick)
    expect(row).toMatchObject({ id: tick, state: 'quiet' })
    expect(await home.runtime.settled(tick)).toEqual(row)
  })

  it('is refused for one that will never begin', async () => {
    const { home } = await scripted()
    for (const tick of ['tick_memory_9', 'tick_mars_1', 'no tick at all']) {
      await expect(home.runtime.settled(id<TickId>(tick))).rejects.toMatchObject({ code: 'tick/called-off' })
    }
  })

  it('ends when its world is paused before its turn came', async () => {
    const { judge, asked } = heldJudge()
    const { home } = await scripted(
      { judge },
      { files: { 'a.md': 'one' }, settings: { 'heartbeat.overlap': 'finish' } },
    )
    await home.runtime.tasks.add({ title: 'Watch' })
    const running = await home.runtime.trigger()
    while (asked.length === 0) await new Promise((next) => setImmediate(next))
    const next = await home.runtime.trigger()
    expect(next).not.toBe(running)
    const waiting = home.runtime.settled(next)
    await home.runtime.pause()
    await expect(waiting).rejects.toMatchObject({ code: 'tick/called-off' })
    expect((await home.runtime.settled(running)).state).toBe('cancelled')
  })
})

describe('waiting for an evaluation', () => {
  it('ends when it waits for the user, and again when it has ended', async () => {
    const { home } = await asking(() => ({ kind: 'result', text: 'done', sources: [] }))
    const [acted] = home.runtime.log({ limit: 10 }).filter(({ state }) => state === 'acted')
    expect(await home.runtime.evaluationSettled(acted!.id)).toMatchObject({ text: 'done' })
    await expect(home.runtime.evaluationSettled(id('ev_none'))).rejects.toMatchObject({ code: 'evaluation/unknown' })
  })

  it('goes on while what was approved is carried out', async () => {
    const { home } = await asking(() => ({
      kind: 'proposal',
      proposal: {
        title: 'Mail',
        summary: '',
        priority: 'normal',
        calls: [{ tool: 'send_mail', arguments: { to: 'team', text: 'hello' } }],
        provenance: [],
      },
    }))
    const card = theCard(home)
    expect((await home.runtime.evaluationSettled(card.id)).state).toBe('awaitingApproval')
    await home.runtime.answers.approve(card.id, card.digest, ada)
    expect(await home.runtime.evaluationSettled(card.id)).toMatchObject({ state: 'acted', text: 'sent to team' })
  })
})

describe('waiting while the store cannot be written', () => {
  it('ends with the reason, at once or when that happens', async () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const rows = stores(db)
    const listeners = new Set<(news: News) => void>()
    let reason: string | null = 'The disk is full.'
    const waiting = new Waiting({
      stores: rows,
      host: {
        subscribe(listener) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      stalled: () => reason,
    })
    const tick = id<TickId>('tick_memory_1')
    const world = id<never>('memory')
    rows.ticks.insert({ id: tick, world, generation: 1, force: false, state: 'working.observing', startedAt: 0 })
    const ev = { id: id<never>('ev_1'), task: id<never>('t'), world, tick, batch: 0, phase: 'judging' as const }
    const rest = { decision: null, reason: null, text: null, sources: [], call: null, failure: null, retryOf: null }
    rows.evaluations.insert({
      ...ev,
      ...rest,
      state: 'inProgress',
      from: 0,
      through: 0,
      tainted: false,
      createdAt: 0,
      settledAt: null,
    })
    const stalled = { code: 'store/stalled', message: 'The disk is full.' }
    await expect(waiting.tick(tick)).rejects.toMatchObject(stalled)
    await expect(waiting.evaluation(ev.id)).rejects.toMatchObject(stalled)
    reason = null
    const both = Promise.allSettled([waiting.tick(tick), waiting.evaluation(ev.id)])
    reason = 'The disk is full.'
    for (const listener of listeners) listener({ type: 'store', state: 'stalled', reason })
    expect((await both).map((end) => end.status === 'rejected' && end.reason.code)).toEqual([
      'store/stalled',
      'store/stalled',
    ])
    expect(listeners.size).toBe(0)
    db.close()
  })
})
