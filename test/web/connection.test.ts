import { describe, expect, it } from 'vitest'
import { Connection, type Socket } from '../../src/web/rpc/connection.ts'
import { HandClock } from '../support/clock.ts'

interface Line extends Socket {
  sent: { id: number; method: string }[]
  closed: boolean
}

/** A connection over lines that the test opens, answers and cuts. */
function scene(isLetIn: () => Promise<boolean> = async () => true) {
  const clock = new HandClock()
  const lines: Line[] = []
  const connection = new Connection({
    clock,
    isLetIn,
    open() {
      const line: Line = {
        sent: [],
        closed: false,
        send: (text) => void line.sent.push(JSON.parse(text) as Line['sent'][number]),
        close: () => {
          line.closed = true
        },
        onopen: null,
        onmessage: null,
        onclose: null,
      }
      lines.push(line)
      return line
    },
  })
  const states: string[] = []
  connection.watch(() => states.push(connection.state))
  const last = () => lines.at(-1)!
  return {
    clock,
    connection,
    lines,
    states,
    last,
    open: () => last().onopen?.(),
    cut: (reason = '') => last().onclose?.(reason),
    say: (message: object) => last().onmessage?.(JSON.stringify({ jsonrpc: '2.0', ...message })),
    asked: () => last().sent.map(({ method }) => method),
    idOf: (method: string) => last().sent.find((one) => one.method === method)?.id,
  }
}

const settle = () => new Promise((next) => setImmediate(next))

describe('the connection of the page', () => {
  it('asks for news first, and then what was asked before it opened', async () => {
    const { connection, open, asked, say, idOf } = scene()
    const answer = connection.call('a', {}, { repeatable: true })
    expect(asked()).toEqual([])
    open()
    expect(asked().toSorted()).toEqual(['a', 'events.subscribe'])
    say({ id: idOf('a'), result: 7 })
    expect(await answer).toBe(7)
    expect(connection.state).toBe('open')
  })

  it('rejects with the fault of the other side, code and all', async () => {
    const { connection, open, say, idOf } = scene()
    open()
    const answer = connection.call('a', {})
    say({
      id: idOf('a'),
      error: { code: -32000, message: 'No.', data: { code: 'approval/answered', kind: 'failed', state: 'approved' } },
    })
    await expect(answer).rejects.toMatchObject({ code: 'approval/answered', message: 'No.' })
  })

  it('sends again what may be sent again, and says of the rest that nobody knows', async () => {
    const { connection, clock, open, cut, lines, say, idOf, asked } = scene()
    open()
    const repeated = connection.call('answer', {}, { repeatable: true })
    const once = connection.call('add', {})
    cut()
    await expect(once).rejects.toMatchObject({ code: 'daemon/gone' })
    const later = connection.call('later', {})
    clock.set(clock.now() + 10_000)
    expect(lines).toHaveLength(2)
    open()
    expect(asked().toSorted()).toEqual(['answer', 'events.subscribe', 'later'])
    say({ id: idOf('answer'), result: 'yes' })
    say({ id: idOf('later'), result: 'too' })
    expect([await repeated, await later]).toEqual(['yes', 'too'])
  })

  it('comes back when the other side said to, and tells who has to ask anew', () => {
    const { connection, clock, open, cut, lines, states } = scene()
    let reopened = 0
    connection.onReopened(() => reopened++)
    open()
    expect(reopened).toBe(0)
    cut(JSON.stringify({ code: 'daemon/gone', retry_ms: 2000 }))
    clock.set(clock.now() + 1999)
    expect(lines).toHaveLength(1)
    clock.set(clock.now() + 1)
    expect(lines).toHaveLength(2)
    open()
    expect(reopened).toBe(1)
    expect(states).toEqual(['open', 'lost', 'open'])
  })

  it('waits longer each time, and never long', () => {
    const { clock, cut, lines } = scene()
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      cut('not JSON')
      const count = lines.length
      const began = clock.now()
      while (lines.length === count) clock.set(clock.nextWakeAt ?? clock.now() + 1)
      waits.push(clock.now() - began)
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
  })

  it('gives up where the door does not know this browser, and says what to do', async () => {
    const { connection, clock, cut, lines } = scene(async () => false)
    const answer = connection.call('a', {}, { repeatable: true })
    cut()
    await expect(answer).rejects.toThrow('Run undermind dashboard for a new link.')
    expect(connection.state).toBe('refused')
    clock.set(clock.now() + 60_000)
    expect(lines).toHaveLength(1)
  })

  it('comes back when it is looked at again and the browser has a new key', async () => {
    let isLetIn = false
    const { connection, cut, open, lines } = scene(async () => isLetIn)
    cut()
    await settle()
    connection.probe()
    await settle()
    expect([connection.state, lines.length]).toEqual(['refused', 1])
    isLetIn = true
    connection.probe()
    await settle()
    open()
    expect([connection.state, lines.length]).toEqual(['open', 2])
  })

  it('is lost, not refused, where nobody is there', async () => {
    const { connection, cut } = scene(() => Promise.reject(new TypeError('fetch failed')))
    cut()
    await settle()
    expect(connection.state).toBe('lost')
  })

  it('notices when it is looked at again that nobody answers any more', () => {
    const { connection, clock, open, lines } = scene()
    open()
    connection.probe()
    clock.set(clock.now() + 5000)
    expect(connection.state).toBe('lost')
    expect(lines[0]?.closed).toBe(true)
  })

  it('tells news to whoever listens, and is not confused by what it does not know', () => {
    const { connection, open, say, last } = scene()
    const heard: unknown[] = []
    connection.hear((method, params) => heard.push([method, params]))
    open()
    say({ method: 'events.news', params: { type: 'world' } })
    say({ id: 999, result: 1 })
    say({ id: 'x', result: 1 })
    last().onmessage?.('null')
    last().onmessage?.('[]')
    last().onmessage?.('not JSON')
    last().onmessage?.(new Uint8Array(2))
    expect(heard).toEqual([['events.news', { type: 'world' }]])
    expect(connection.state).toBe('open')
  })
})
