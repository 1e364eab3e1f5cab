import { describe, expect, it } from 'vitest'
import { second } from '../../../src/domain/clock.ts'
import { HandClock } from '../../support/clock.ts'
import { openDoor, settle, token } from './door.ts'
import { rawConnection } from './raw.ts'

const goals = 'subconscious.goals_list'
const mebibyte = 1024 * 1024
const codeOf = (answer: { json(): unknown }) => (answer.json() as { error: { code: string } }).error.code
const rpcCode = (answer: { json(): unknown }) =>
  (answer.json() as { error: { data: { code: string } } }).error.data.code

/** A request of exactly so many bytes. */
const filled = (bytes: number) => {
  const head = `{"jsonrpc":"2.0","method":"subconscious.goals_add","id":1,"params":{"text":"`
  return `${head}${'x'.repeat(bytes - head.length - 3)}"}}`
}

const head = (port: number, ...more: string[]) =>
  [
    'POST /rpc HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...more,
    '',
    '',
  ].join('\r\n')

describe('a body', () => {
  it('of a mebibyte is taken, of a byte more is not', async () => {
    const door = await openDoor()
    expect(filled(mebibyte)).toHaveLength(mebibyte)
    expect((await door.rpc(filled(mebibyte))).json()).toMatchObject({ result: { id: 'goal_1' } })
    const answer = await door.rpc(filled(mebibyte + 1))
    expect([answer.status, codeOf(answer)]).toEqual([413, 'rpc/too-large'])
    expect((await door.call(goals)).status).toBe(200)
  })

  it('of unsaid length is held to the same', async () => {
    const door = await openDoor()
    const chunked = { headers: { 'transfer-encoding': 'chunked' } }
    expect((await door.rpc(filled(mebibyte), chunked)).status).toBe(200)
    expect((await door.rpc(filled(mebibyte + 1), chunked)).status).toBe(413)
  })

  it('that never ends is not read on', async () => {
    const door = await openDoor()
    const caller = await rawConnection(door.port)
    caller.write(head(door.port, 'Transfer-Encoding: chunked'))
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
    let isOver = false
    void caller.closed.then(() => {
      isOver = true
    })
    while (!isOver) {
      if (!caller.write(piece))
        await Promise.race([new Promise((next) => caller.socket.once('drain', next)), caller.closed])
      await settle(1)
    }
    expect(caller.statuses()).toEqual([413])
  })

  it('that is too large by its own word is not asked for', async () => {
    const door = await openDoor()
    const caller = await rawConnection(door.port)
    caller.write(head(door.port, `Content-Length: ${mebibyte + 1}`, 'Expect: 100-continue'))
    await caller.closed
    expect(caller.statuses()).toEqual([413])
  })

  it('is asked for where the client waits for that, and only of who may send it', async () => {
    const door = await openDoor()
    const body = JSON.stringify({ jsonrpc: '2.0', method: goals, id: 1 })
    const caller = await rawConnection(door.port)
    caller.write(head(door.port, `Content-Length: ${body.length}`, 'Expect: 100-continue'))
    await caller.until('100 Continue')
    caller.write(body)
    await caller.closed
    expect(caller.statuses()).toEqual([100, 200])
    const stranger = await rawConnection(door.port)
    stranger.write(head(door.port, 'Content-Length: 10', 'Expect: 100-continue').replace(token, 'x'))
    await stranger.closed
    expect(stranger.statuses()).toEqual([401])
  })

  it('that is no UTF-8, empty, cut off or too deep is answered in JSON-RPC', async () => {
    const door = await openDoor()
    const answers = [
      await door.rpc(Buffer.from([0x22, 0xff, 0x22])),
      await door.rpc(''),
      await door.rpc('{"jsonrpc":"2.0","method":'),
      await door.rpc('['.repeat(1_000_000)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(rpcCode)).toEqual(['rpc/parse-error', 'rpc/parse-error', 'rpc/parse-error', 'rpc/too-large'])
  })

  it('with nothing to answer is answered with nothing', async () => {
    const door = await openDoor()
    const answer = await door.rpc(JSON.stringify({ jsonrpc: '2.0', method: goals }))
    expect([answer.status, answer.text]).toEqual([204, ''])
  })

  it('with more than a hundred requests is refused as a whole', async () => {
    const door = await openDoor()
    const batch = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', method: goals, id })))
    expect((await door.rpc(batch(100))).json()).toHaveLength(100)
    expect(rpcCode(await door.rpc(batch(101)))).toBe('rpc/too-large')
  })
})

describe('a slow caller', () => {
  const limits = { headersMs: 60, requestMs: 120 }

  it('is told and left when its headers do not come in their time, or nothing does', async () => {
    const door = await openDoor({ limits })
    const [slow, silent] = [await rawConnection(door.port), await rawConnection(door.port)]
    slow.write('POST /rpc HTTP/1.1\r\nHost: ')
    await Promise.all([slow.closed, silent.closed])
    expect([slow.statuses(), silent.statuses()]).toEqual([[408], [408]])
    expect(slow.said()).toContain('"code":"door/too-slow"')
    expect(door.lines.map(({ code }) => code)).toEqual(['door/too-slow', 'door/too-slow'])
  })

  it('is told and left when its body does not come in its time', async () => {
    const door = await openDoor({ limits })
    const caller = await rawConnection(door.port)
    caller.write(`${head(door.port, 'Content-Length: 100')}{"jsonrpc"`)
    await caller.closed
    expect(caller.statuses()).toEqual([408])
    expect((await door.call(goals)).status).toBe(200)
  })

  it('costs nothing by going in the middle', async () => {
    const door = await openDoor()
    for (let i = 0; i < 20; i++) {
      const caller = await rawConnection(door.port)
      caller.write(`${head(door.port, 'Content-Length: 100')}{"jsonrpc"`)
      if (i % 2 === 0) await settle(3)
      caller.socket.destroy()
    }
    expect((await door.call(goals)).status).toBe(200)
  })
})

describe('bytes that are no request', () => {
  it.each([
    ['\x16\x03\x01\x02\x00\x01', 400],
    ['GARBAGE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 403],
    ['GET / HTTP/1.1\r\nHost: \r\n\r\n', 403],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n', 400],
    ['GET / HTTP/1.0\r\n\r\n', 403],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET /${'x'.repeat(9000)} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n`, 400],
    ['POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: -1\r\n\r\n', 400],
    ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', undefined],
  ])('are refused: %j', async (text, status) => {
    const door = await openDoor()
    const caller = await rawConnection(door.port)
    caller.socket.end(text.replaceAll('PORT', String(door.port)))
    await caller.closed
    expect(caller.statuses()[0]).toBe(status)
    expect((await door.call(goals)).status).toBe(200)
  })
})

describe('connections', () => {
  it('beyond the most that are served are closed unheard, and the rest go on', async () => {
    const door = await openDoor({ limits: { connections: 4 } })
    const held = await Promise.all([1, 2, 3, 4].map(() => rawConnection(door.port)))
    const late = await rawConnection(door.port)
    await late.closed
    expect(late.said()).toBe('')
    expect(door.lines).toMatchObject([{ code: 'door/too-many-connections' }])
    const [first] = held
    first?.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\n\r\n`)
    await first?.until('{"ok":true}')
    for (const { socket } of held) socket.destroy()
    await Promise.all(held.map(({ closed }) => closed))
    await settle()
    expect((await door.call(goals)).status).toBe(200)
  })

  it('are 256 where nothing else is said, though thousands come', async () => {
    const door = await openDoor()
    const callers = await Promise.all(Array.from({ length: 300 }, () => rawConnection(door.port)))
    await Promise.all(callers.slice(-44).map(({ closed }) => closed))
    expect(callers.filter(({ socket }) => !socket.destroyed)).toHaveLength(256)
    for (const { socket } of callers) socket.destroy()
  })
})

describe('the end of the server', () => {
  it('lets an answer that is on its way arrive', async () => {
    const finish: (() => void)[] = []
    const door = await openDoor({
      given: {
        doctor: () =>
          new Promise((resolve) => {
            finish.push(() => resolve([]))
          }),
      },
    })
    const answer = door.call('subconscious.doctor')
    while (finish.length === 0) await settle()
    const ended = door.server[Symbol.asyncDispose]()
    finish[0]?.()
    expect((await answer).json()).toMatchObject({ result: [] })
    await ended
    await expect(door.call(goals)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await door.server[Symbol.asyncDispose]()
  })

  it('does not wait longer than a moment for one', async () => {
    const clock = new HandClock()
    let isAsked = false
    const door = await openDoor({
      clock,
      given: {
        doctor: () => {
          isAsked = true
          return new Promise(() => {})
        },
      },
    })
    const broken = expect(door.call('subconscious.doctor')).rejects.toThrow()
    while (!isAsked) await settle()
    const ended = door.server[Symbol.asyncDispose]()
    clock.set(clock.now() + second)
    await Promise.all([ended, broken])
  })
})
