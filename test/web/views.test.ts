import { describe, expect, it } from 'vitest'
import { logRow } from '../../src/rpc/rows.ts'
import { gathered } from '../../src/web/data/news-upkeep.ts'
import { branchesOf } from '../../src/web/inspector/branches.ts'
import { fieldsOf, litStates, momentsOf } from '../../src/web/inspector/moments.ts'
import { sequenceOf } from '../../src/web/inspector/sequence.ts'
import { hrefOf, placeOf } from '../../src/web/parts/place.ts'
import type { Actor, HistoryStep, Message } from '../../src/web/rpc/inspector-methods.ts'
import type { Row } from '../../src/web/rpc/methods.ts'
import { callsOf, draftsOf, isWellFormed } from '../../src/web/start/edited-calls.ts'
import { entriesOf } from '../../src/web/start/entries.ts'
import { evaluation } from '../rpc/samples.ts'
import { HandClock } from '../support/clock.ts'

const row = (id: string, state: Row['state'], tick: string): Row => ({
  ...(logRow(evaluation) as Row),
  id,
  state,
  tick,
})

describe('the list of a day', () => {
  it('has one line for all that a tick passed over, and one for each thing it found', () => {
    const entries = entriesOf([
      row('5', 'skipped', 't2'),
      row('4', 'acted', 't2'),
      row('3', 'skipped', 't2'),
      row('2', 'skipped', 't1'),
      row('1', 'failed', 't1'),
    ])
    expect(entries.map((entry) => (entry.kind === 'row' ? entry.row.id : entry.rows.map(({ id }) => id)))).toEqual([
      ['5', '3'],
      '4',
      ['2'],
      '1',
    ])
  })
})

describe('an edit', () => {
  const calls = [{ tool: 'a', arguments: { text: 'x', many: [1, 2], on: true } }]

  it('that changes nothing leaves the calls as they are', () => {
    expect(callsOf(calls, draftsOf(calls))).toEqual(calls)
  })

  it('keeps what is not text what it is', () => {
    const drafts = draftsOf(calls).map((draft) => (draft.name === 'many' ? { ...draft, text: '[3]' } : draft))
    expect(callsOf(calls, drafts)[0]?.arguments).toEqual({ text: 'x', many: [3], on: true })
    expect(isWellFormed({ call: 0, name: 'many', text: '[3', isJson: true })).toBe(false)
    expect(isWellFormed({ call: 0, name: 'text', text: '[3', isJson: false })).toBe(true)
  })
})

describe('a place of the page', () => {
  it('is found again at its address, whatever stands behind the name', () => {
    for (const rest of ['', 'ev_1', 'a/b?c#d %', '任务'])
      expect(placeOf(hrefOf('tasks', rest))).toEqual({ page: 'tasks', rest })
  })

  it.each(['', '#', '#/', '#/nowhere', '#tasks', '#/constructor', '#/tasks/%E0%A4%A'])(
    'at %s is one that there is',
    (hash) => {
      expect(['start', 'tasks']).toContain(placeOf(hash).page)
    },
  )
})

describe('the moments of a life', () => {
  const step: HistoryStep = {
    seq: 1,
    actor: 'ev_1',
    kind: 'evaluation',
    version: 1,
    sender: null,
    event: 'verdict',
    data: null,
    from: null,
    to: 'inProgress.judging',
    at: 5,
    summary: null,
    snapshot: { a: 1, b: 'x' },
  }

  it('are its steps, and of a summary every state it names', () => {
    const summary = [
      { state: 'inProgress.judging', at: 1, event: null },
      { state: 'acted', at: 2, event: 'verdict' },
    ]
    const moments = momentsOf([step, { ...step, seq: 2, to: 'acted', summary }])
    expect(moments.map(({ from, to }) => [from, to])).toEqual([
      [null, 'inProgress.judging'],
      [null, 'inProgress.judging'],
      ['inProgress.judging', 'acted'],
    ])
  })

  it('light a state with all that it lies in, in every region', () => {
    expect(litStates('a.b + c')).toEqual(['a', 'a.b', 'c'])
  })

  it('show first what has changed since the one before', () => {
    expect(fieldsOf({ a: 1, b: 'y', c: [1] }, { a: 1, b: 'x' })).toEqual([
      { name: 'b', text: 'y', isNew: true },
      { name: 'c', text: '[1]', isNew: true },
      { name: 'a', text: '1', isNew: false },
    ])
    expect(fieldsOf({ a: 1 }, null)).toEqual([{ name: 'a', text: '1', isNew: false }])
    expect(fieldsOf(null, { a: 1 })).toEqual([])
  })
})

describe('the inspector', () => {
  it('hangs each actor under its parent, and those without one at the top', () => {
    const actor = (id: string, parent: string | null) => ({ id, parent }) as Actor
    const tree = branchesOf([actor('c', 'b'), actor('a', null), actor('b', 'a'), actor('x', 'gone'), actor('y', 'y')])
    expect(tree.map((one) => one.actor.id)).toEqual(['a', 'x', 'y'])
    expect(tree[0]?.branches[0]?.branches[0]?.actor.id).toBe('c')
  })

  it('draws a lane for each who said or heard something', () => {
    const message = (sender: string | null, receiver: string, via: Message['via']) =>
      ({ seq: 1, sender, receiver, via, event: 'e', at: 0 }) as Message
    const { lanes, arrows } = sequenceOf([
      message('a', 'b', 'message'),
      message(null, 'b', 'work'),
      message(null, 'b', 'timer'),
    ])
    expect(lanes).toEqual(['a', 'b', 'work'])
    expect(arrows.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [2, 1],
      [1, 1],
    ])
  })
})

describe('news that comes in a flood', () => {
  it('is dealt with together, one after the other, and none is forgotten', async () => {
    const clock = new HandClock()
    const dealt: string[][] = []
    let finish = () => {}
    const gather = gathered(clock, (words) => {
      dealt.push([...words])
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    for (let n = 0; n < 1000; n++) gather.add(n % 2 === 0 ? 'status' : 'cards')
    expect(dealt).toEqual([])
    clock.set(clock.now() + 1000)
    expect(dealt).toEqual([['status', 'cards']])
    gather.add('tasks')
    clock.set(clock.now() + 1000)
    expect(dealt).toHaveLength(1)
    finish()
    await new Promise((next) => setImmediate(next))
    // It took a second: the next ones wait four.
    clock.set(clock.now() + 3999)
    expect(dealt).toHaveLength(1)
    clock.set(clock.now() + 1)
    expect(dealt[1]).toEqual(['tasks'])
  })
})
