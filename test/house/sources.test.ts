import { describe, expect, it } from 'vitest'
import type { Difference, Item, Source } from '../../src/domain/change.ts'
import { id, type SourceId } from '../../src/domain/ids.ts'
import { settle } from './scene.ts'
import { scripted } from './scripted-house.ts'

const item = (key: string, body: string, stamp = body): Item => ({
  key,
  kind: 'file',
  title: key,
  author: null,
  time: null,
  body,
  link: `/elsewhere/${key}`,
  external: true,
  mark: { stamp, hash: body },
})

/** A source that yields what the test says and then fails, if the test says so. */
function shelf(name: string) {
  const holds: { differences: Difference[]; failure: Error | null } = { differences: [], failure: null }
  const source: Source = {
    id: id<SourceId>(name),
    kind: 'shelf',
    title: `The ${name}`,
    async *read() {
      yield* holds.differences.splice(0)
      if (holds.failure !== null) throw holds.failure
    },
  }
  return { source, holds }
}

async function library(...names: string[]) {
  const shelves = names.map(shelf)
  const { home, provider } = await scripted({}, { sources: shelves.map(({ source }) => source) })
  await home.runtime.tasks.add({ title: 'Watch the shelves' })
  const { changes } = home.runtime.stores
  const tick = () => {
    home.clock.set(home.clock.now() + 1000)
    return home.tick()
  }
  return {
    home: { ...home, runtime: home.runtime, tick },
    provider,
    shelves: shelves.map(({ holds }) => holds),
    changes: () =>
      changes.between(0, changes.head(), 1000).map(({ kind, key, added, removed }) => ({ kind, key, added, removed })),
    health: () => home.runtime.status().sources.map(({ id: source, health, failure }) => ({ source, health, failure })),
    news: () => home.runtime.stores.records.notifications(50).map(({ title, body }) => ({ title, body })),
  }
}

describe('what a source has found', () => {
  it('becomes changes, each once and only where something differs', async () => {
    const { home, shelves, changes } = await library('shelf')
    const [one] = shelves
    one!.differences = [
      { kind: 'added', item: item('a', 'first\nsecond') },
      { kind: 'added', item: item('b', 'alone') },
      { kind: 'skipped', key: 'c', reason: 'too large' },
    ]
    await home.tick()
    one!.differences = [
      { kind: 'modified', item: item('a', 'first\nthird') },
      { kind: 'modified', item: item('b', 'alone', 'another stamp') },
      { kind: 'touched', key: 'a', mark: { stamp: 'later', hash: 'same' } },
      { kind: 'removed', key: 'b' },
      { kind: 'removed', key: 'never there' },
    ]
    await home.tick()
    expect(changes()).toEqual([
      { kind: 'added', key: 'a', added: ['first', 'second'], removed: [] },
      { kind: 'added', key: 'b', added: ['alone'], removed: [] },
      { kind: 'modified', key: 'a', added: ['third'], removed: ['second'] },
      { kind: 'removed', key: 'b', added: [], removed: [] },
    ])
    const baseline = home.runtime.stores.changes.baseline(id<SourceId>('shelf'))
    expect([...baseline.keys()]).toEqual(['a'])
    expect(baseline.get('a')).toEqual({ stamp: 'later', hash: 'same' })
  })

  it('is all kept when there is much of it, and judged in as many reports as it takes', async () => {
    const { home, provider, shelves, changes } = await library('shelf')
    shelves[0]!.differences = Array.from({ length: 260 }, (_, n) => ({
      kind: 'added' as const,
      item: item(`${n}`.padStart(3, '0'), `line of ${n}`),
    }))
    const tick = await home.tick()
    expect(changes()).toHaveLength(260)
    expect(tick.of('Watch the shelves')?.state).toBe('skipped')
    expect(provider.calls.judge[0]?.report.changes).toHaveLength(260)
  })

  it('counts as far as it came when the source then fails', async () => {
    const { home, shelves, changes, health } = await library('shelf', 'other')
    shelves[0]!.differences = [{ kind: 'added', item: item('a', 'first') }]
    shelves[0]!.failure = new Error('the shelf fell over')
    const tick = await home.tick()
    expect(changes()).toHaveLength(1)
    expect(health()).toEqual([
      { source: 'other', health: 'ok', failure: null },
      { source: 'shelf', health: 'failing', failure: 'the shelf fell over' },
    ])
    expect(tick.of('Watch the shelves')?.state).toBe('skipped')
  })
})

describe('a source that fails', () => {
  it('is reported to the model and to the user, once, until it is well again', async () => {
    const { home, provider, shelves, news, health } = await library('shelf', 'other')
    const heard: string[] = []
    home.runtime.subscribe((item) => {
      if (item.type === 'notification') heard.push(item.body)
    })
    shelves[0]!.failure = new Error('the shelf fell over')
    shelves[1]!.differences = [{ kind: 'added', item: item('a', 'first') }]
    await home.tick()
    await home.tick()
    expect(provider.calls.judge[0]?.report.text).toContain('the shelf fell over')
    const told = {
      title: expect.stringMatching(/: something needs attention$/),
      body: 'The shelf: the shelf fell over',
    }
    expect(news()).toEqual([told])
    shelves[0]!.failure = null
    await home.tick()
    await home.tick()
    expect(news()).toEqual([{ title: expect.stringMatching(/: all well again$/), body: '' }, told])
    expect(heard).toEqual(['The shelf: the shelf fell over', ''])
    expect(health().every((source) => source.health === 'ok')).toBe(true)
  })

  it('fails the tick when no other could be read either, and nothing moves', async () => {
    const { home, shelves, changes } = await library('shelf', 'other')
    const before = home.runtime.tasks.list()
    for (const holds of shelves) holds.failure = new Error('nothing stands')
    const tick = await home.tick()
    expect(tick).toMatchObject({ state: 'failed', reason: 'nothing stands', evaluations: [], modelCalls: 0 })
    expect([changes(), home.runtime.tasks.list()]).toEqual([[], before])
    expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 1, lastTickAt: null })
  })

  it('is not blamed for a tick that was told to leave', async () => {
    const { home, health } = await library()
    expect(health()).toEqual([])
    await home.tick()
    await settle(home)
    expect(home.runtime.status().worlds[0]?.consecutiveFailures).toBe(0)
  })
})

describe('messages that nobody could take', () => {
  it('are news for the user, by their number', async () => {
    const { home, news } = await library('shelf')
    const bury = () =>
      home.runtime.host.write((turn) => turn.tell('heartbeat' as never, 'nobody' as never, { type: 'start' }))
    await bury()
    await home.tick()
    expect(news()[0]?.body).toMatch(/^1 message could not be delivered/)
    await bury()
    await home.tick()
    expect(news()[0]?.body).toMatch(/^2 messages could not be delivered/)
    await home.tick()
    expect(news()).toHaveLength(2)
    expect(home.runtime.status().deadLetters).toBe(2)
  })
})
