import { describe, expect, it } from 'vitest'
import { minute, second } from '../../../src/domain/clock.ts'
import { type EvaluationId, id, type TaskId } from '../../../src/domain/ids.ts'
import type { News } from '../../../src/domain/news.ts'
import { HandClock } from '../../support/clock.ts'
import { evaluation } from '../samples.ts'
import { openDoor, settle, token } from './door.ts'
import { rawConnection } from './raw.ts'

const request = (method: string, id: unknown, params: object = {}) => ({ jsonrpc: '2.0', method, params, id })
const goals = 'subconscious.goals_list'

const news = (name: string, state: 'acted' | 'inProgress' = 'acted'): News => ({
  type: 'evaluation',
  id: id<EvaluationId>(name),
  task: id<TaskId>('task_1'),
  tick: null,
  state,
  phase: null,
})
const large = (mark: number): News => ({ type: 'notification', title: String(mark), body: 'x'.repeat(200_000) })

/** The bytes that open a WebSocket by hand. */
const handshake = (port: number, ...more: string[]) =>
  [
    'GET /rpc HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
    '',
    '',
  ].join('\r\n')

describe('a WebSocket', () => {
  it.each<[string, Record<string, string>, number]>([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer x' }, 401],
    ['a page of another site', { authorization: `Bearer ${token}`, origin: 'https://evil.example' }, 403],
    ['a page that a browser calls foreign', { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' }, 403],
    ['another host', { authorization: `Bearer ${token}`, host: 'evil.example' }, 403],
  ])('is refused to %s', async (_, headers, status) => {
    const door = await openDoor()
    expect(await door.webSocket(headers).opened).toBe(status)
    expect(door.lines).toHaveLength(1)
  })

  it('is refused at another path and with the token in its address', async () => {
    const door = await openDoor()
    expect(await door.webSocket(undefined, '/other').opened).toBe(404)
    expect(await door.webSocket({}, `/rpc?token=${token}`).opened).toBe(403)
  })

  it.each([
    ['websocket', 'h2c'],
    ['Version: 13', 'Version: 7'],
    ['Sec-WebSocket-Key', 'X-Key'],
    ['GET', 'POST'],
  ])('is refused in JSON where the handshake is none: not %s but %s', async (right, wrong) => {
    const door = await openDoor()
    const caller = await rawConnection(door.port)
    caller.write(handshake(door.port).replace(right, wrong))
    await caller.closed
    expect(caller.statuses()).toEqual([400])
    expect(caller.said()).toContain('{"error":{"code":"door/bad-request"')
    expect(door.lines).toMatchObject([{ code: 'door/bad-request' }])
  })

  it('is open to our own page with its cookie', async () => {
    const door = await openDoor()
    const caller = door.webSocket({ cookie: await door.cookie(), origin: `http://127.0.0.1:${door.port}` })
    expect(await caller.opened).toBe(101)
    caller.send(request(goals, 1))
    await caller.until(1)
    expect(caller.said()).toMatchObject([{ result: [{ id: 'goal_1' }], id: 1 }])
  })

  it('answers requests as they are done, and batches', async () => {
    const waiting: (() => void)[] = []
    const door = await openDoor({
      given: { evaluations: { outcome: () => new Promise((resolve) => waiting.push(() => resolve(evaluation))) } },
    })
    const caller = door.webSocket()
    await caller.opened
    caller.send(request('subconscious.escalations_approve', 'slow', { id: 'ev_1', digest: 'd', wait: true }))
    caller.send([request(goals, 1), request(goals, 2)])
    await caller.until(1)
    while (waiting.length === 0) await settle()
    waiting[0]?.()
    await caller.until(2)
    expect(caller.said()).toMatchObject([[{ id: 1 }, { id: 2 }], { id: 'slow', result: { outcome: { id: 'ev_1' } } }])
  })

  it('takes a message of a mebibyte and hangs up on a larger one', async () => {
    const door = await openDoor()
    const filled = (bytes: number) => {
      const head = '{"jsonrpc":"2.0","method":"subconscious.goals_add","id":1,"params":{"text":"'
      return `${head}${'x'.repeat(bytes - head.length - 3)}"}}`
    }
    const caller = door.webSocket()
    await caller.opened
    caller.send(filled(1024 * 1024))
    await caller.until(1)
    expect(caller.said()).toMatchObject([{ result: { id: 'goal_1' } }])
    caller.send(filled(1024 * 1024 + 1))
    expect((await caller.closed).code).toBe(1009)
  })

  it('hangs up on what is no text, and on text that is no UTF-8', async () => {
    const door = await openDoor()
    const [binary, broken] = [door.webSocket(), door.webSocket()]
    await Promise.all([binary.opened, broken.opened])
    binary.socket.send(Buffer.from([1, 2, 3]))
    broken.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
    expect(await binary.closed).toEqual({ code: 1003, reason: '{"code":"rpc/invalid-request","retry_ms":null}' })
    expect((await broken.closed).code).toBe(1007)
    expect((await door.call(goals)).status).toBe(200)
  })

  it('answers in JSON-RPC what is no request', async () => {
    const door = await openDoor()
    const caller = door.webSocket()
    await caller.opened
    for (const text of ['garbage', '[]', '['.repeat(100), ' ']) caller.send(text)
    caller.send(request(goals, 'end'))
    await caller.until(4)
    expect(caller.said().map((one) => (one.error as { code: number } | undefined)?.code)).toEqual([
      -32700,
      -32600,
      -32600,
      undefined,
    ])
  })

  it('reads no more of one who asks and does not read, and goes on when they do', async () => {
    let asked = 0
    const door = await openDoor({
      given: {
        evaluations: {
          log: () => {
            asked++
            return [{ ...evaluation, text: 'x'.repeat(100_000) }]
          },
        },
      },
    })
    const caller = door.webSocket()
    await caller.opened
    caller.socket.pause()
    for (let i = 0; i < 300; i++) caller.send(request('subconscious.log_list', i))
    await settle(300)
    expect(asked).toBeLessThan(200)
    caller.socket.resume()
    await caller.until(300)
    expect(asked).toBe(300)
  })

  it('is slowed to the pace at which one may ask, and loses nothing', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock, limits: { known: { perSecond: 1, burst: 3 } } })
    const caller = door.webSocket()
    await caller.opened
    for (let i = 0; i < 4; i++) caller.send(request(goals, i))
    await caller.until(2)
    await settle(50)
    expect(caller.said()).toHaveLength(2)
    for (const count of [3, 4]) {
      clock.set(clock.now() + second)
      await caller.until(count)
      await settle(50)
      expect(caller.said()).toHaveLength(count)
    }
    expect(caller.said().map((one) => one.id)).toEqual([0, 1, 2, 3])
  })
})

describe('news over WebSockets', () => {
  const subscribed = async (door: Awaited<ReturnType<typeof openDoor>>) => {
    const caller = door.webSocket()
    await caller.opened
    caller.send(request('events.subscribe', 0))
    await caller.until(1)
    return caller
  }

  it('comes to whoever asked, as a notification, and to nobody else', async () => {
    const door = await openDoor()
    const [asks, asksNot] = [await subscribed(door), door.webSocket()]
    await asksNot.opened
    door.tell(news('ev_1'))
    await asks.until(2)
    expect(asks.said()).toEqual([
      { jsonrpc: '2.0', result: { subscription: 'news' }, id: 0 },
      {
        jsonrpc: '2.0',
        method: 'events.news',
        params: { type: 'evaluation', id: 'ev_1', task: 'task_1', tick: null, state: 'acted', phase: null },
      },
    ])
    expect(asksNot.said()).toEqual([])
  })

  it('is made into text once for a hundred who listen', async () => {
    const door = await openDoor()
    const callers = await Promise.all(Array.from({ length: 100 }, () => subscribed(door)))
    expect(door.listeners.size).toBe(1)
    let made = 0
    const counted = Object.defineProperty({ ...news('ev_1') }, 'state', {
      enumerable: true,
      get() {
        made++
        return 'acted'
      },
    })
    door.tell(counted)
    await Promise.all(callers.map((caller) => caller.until(2)))
    expect(made).toBe(1)
    expect(new Set(callers.map((caller) => JSON.stringify(caller.said()[1]))).size).toBe(1)
    for (const { socket } of callers) socket.terminate()
    await Promise.all(callers.map(({ closed }) => closed))
    while (door.listeners.size > 0) await settle()
  })

  it('is held for one who does not read: of each thing the newest, and all of it in order', async () => {
    const text = 'x'.repeat(1_000_000)
    const log = () => Array.from({ length: 12 }, () => ({ ...evaluation, text }))
    const door = await openDoor({ given: { evaluations: { log } } })
    const caller = await subscribed(door)
    caller.socket.pause()
    caller.send(request('subconscious.log_list', 1))
    await settle(100)
    for (let i = 0; i < 200; i++) {
      door.tell(news('ev_1', i < 199 ? 'inProgress' : 'acted'))
      await settle(2)
    }
    door.tell(news('ev_2'))
    await settle()
    expect(door.listeners.size).toBe(1)
    caller.socket.resume()
    while ((caller.said().at(-1)?.params as { id: string } | undefined)?.id !== 'ev_2') {
      await caller.until(caller.said().length + 1)
    }
    const told = caller.said().map((one) => one.params as { id: string; state: string } | undefined)
    const first = told.filter((one) => one?.id === 'ev_1')
    expect(first.map((one) => one?.state)).toEqual(['acted'])
  })

  it('is not kept for ever: who does not read is left, with when to come back', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const [caller, other] = [await subscribed(door), await subscribed(door)]
    caller.socket.pause()
    let told = 0
    // Whoever is left has a moment to say goodbye; the next beat is later than that.
    while ((clock.nextWakeAt ?? 0) > clock.now() + second) {
      door.tell(large(told++))
      await other.until(1 + told)
    }
    expect(told).toBeLessThan(100)
    clock.set(clock.now() + second)
    caller.socket.resume()
    await caller.closed
    door.tell(large(told++))
    await other.until(1 + told)
    expect(other.said()).toHaveLength(1 + told)
  })

  it('reaches a slow reader with a goodbye that says when to come back, where it still reads', async () => {
    const door = await openDoor({ clock: new HandClock() })
    const caller = await subscribed(door)
    caller.socket.pause()
    for (let i = 0; i < 60; i++) door.tell(large(i))
    caller.socket.resume()
    expect(await caller.closed).toEqual({ code: 1013, reason: '{"code":"door/too-slow","retry_ms":5000}' })
    while (door.listeners.size > 0) await settle()
  })
})

describe('the heartbeat', () => {
  it('keeps whoever answers it and drops whoever does not', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const alive = door.webSocket()
    await alive.opened
    const dead = await rawConnection(door.port)
    dead.write(handshake(door.port))
    await dead.until('101 Switching')
    let pings = 0
    alive.socket.on('ping', () => pings++)
    for (let beats = 1; beats <= 3; beats++) {
      clock.set(clock.now() + 30 * second)
      while (pings < beats) await settle()
      await settle()
    }
    await dead.closed
    expect(alive.socket.readyState).toBe(alive.socket.OPEN)
  })

  it('does not take one who is kept waiting for one who is gone', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock, given: { doctor: () => new Promise(() => {}) } })
    const caller = door.webSocket()
    await caller.opened
    for (let i = 0; i < 70; i++) caller.send(request('subconscious.doctor', i))
    await settle(50)
    let pings = 0
    caller.socket.on('ping', () => pings++)
    for (let beats = 1; beats <= 4; beats++) {
      clock.set(clock.now() + 30 * second)
      while (pings < beats) await settle()
    }
    expect(caller.socket.readyState).toBe(caller.socket.OPEN)
  })

  it('stops when nobody is connected', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    expect(clock.nextWakeAt).toBeNull()
    const caller = door.webSocket()
    await caller.opened
    expect(clock.nextWakeAt).toBe(clock.now() + 30 * second)
    caller.socket.close()
    await caller.closed
    while (clock.nextWakeAt !== null) await settle()
    clock.set(clock.now() + minute)
  })
})

describe('the end', () => {
  it('is told to everybody, with when to come back', async () => {
    const door = await openDoor()
    const callers = [door.webSocket(), door.webSocket()]
    await Promise.all(callers.map(({ opened }) => opened))
    await door.server[Symbol.asyncDispose]()
    for (const { closed } of callers) {
      expect(await closed).toEqual({ code: 1001, reason: '{"code":"daemon/gone","retry_ms":2000}' })
    }
  })

  it('does not wait for one who does not say goodbye', async () => {
    const clock = new HandClock()
    const door = await openDoor({ clock })
    const caller = await rawConnection(door.port)
    caller.write(handshake(door.port))
    await caller.until('101 Switching')
    const ended = door.server[Symbol.asyncDispose]()
    await settle()
    clock.set(clock.now() + second)
    await ended
    await caller.closed
  })
})
