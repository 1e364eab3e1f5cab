import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { second } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { type EvaluationId, id, type TaskId } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { systemClock } from '../../src/house/system-clock.ts'
import { dispatcher } from '../../src/rpc/dispatch.ts'
import type { Door } from '../../src/rpc/door.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import type { Services } from '../../src/rpc/services.ts'
import { connectSocket } from '../../src/rpc/socket-client.ts'
import { serveSocket } from '../../src/rpc/socket-server.ts'
import { HandClock } from '../support/clock.ts'
import { evaluation, services } from './samples.ts'

const maskAtFirst = process.umask()
let folder = ''
let path = ''
let open: { close(): Promise<unknown> | unknown }[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'undermind-socket-'))
  path = join(folder, 'socket')
})
afterEach(async () => {
  for (const one of open.reverse()) await one.close()
  open = []
  rmSync(folder, { recursive: true, force: true })
})

const listeners = new Set<(news: News) => void>()
const tell = (news: News) => {
  for (const listener of listeners) listener(news)
}
const subscribe: Services['subscribe'] = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

async function serve(given: Parameters<typeof services>[0] = {}, clock: HandClock | typeof systemClock = systemClock) {
  const behind = services({ subscribe, ...given })
  const server = await serveSocket({
    path,
    dispatch: dispatcher({ methods, services: behind, checkResults: true }),
    subscribe: behind.subscribe,
    clock,
  })
  open.push({ close: () => server[Symbol.asyncDispose]() })
  return server
}

async function door(): Promise<Door> {
  const found = await connectSocket(path)
  if (!found) throw new Error('nobody listens')
  open.push({ close: () => found[Symbol.asyncDispose]() })
  return found
}

/** A caller without manners. */
async function raw() {
  const socket = connect(path)
  socket.on('error', () => {})
  open.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  const heard: Buffer[] = []
  let lines = 0
  socket.on('data', (chunk) => {
    heard.push(chunk)
    for (const byte of chunk) if (byte === 0x0a) lines++
  })
  const closed = once(socket, 'close')
  return {
    socket,
    closed,
    said: (): unknown[] =>
      String(Buffer.concat(heard))
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])),
    async until(count: number) {
      while (lines < count) await once(socket, 'data')
    },
  }
}

const request = (method: string, id: unknown, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params, id })}\n`

const acted: News = {
  type: 'evaluation',
  id: id<EvaluationId>('ev_1'),
  task: id<TaskId>('task_1'),
  tick: null,
  state: 'awaitingApproval',
  phase: null,
}

/** Lets everything that is on its way arrive. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((next) => setImmediate(next))
}

describe('the socket', () => {
  it('is for its owner only, and gone when the server is', async () => {
    const server = await serve()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await server[Symbol.asyncDispose]()
    expect(existsSync(path)).toBe(false)
    await server[Symbol.asyncDispose]()
  })

  it('leaves the mask of the process as it was', async () => {
    await serve()
    await expect(serve()).rejects.toMatchObject({ code: 'daemon/running' })
    expect(process.umask()).toBe(maskAtFirst)
  })

  it('takes the place of one that a killed process left behind', async () => {
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    const { spawnSync } = await import('node:child_process')
    spawnSync(process.execPath, ['-e', script])
    expect(statSync(path).isSocket()).toBe(true)
    expect(await connectSocket(path)).toBeNull()
    await serve()
    expect(await (await door()).call('subconscious.goals_list')).toHaveLength(1)
  })

  it('does not take the place of one where somebody answers', async () => {
    await serve()
    await expect(serve()).rejects.toMatchObject({ code: 'daemon/running' })
    expect(await (await door()).call('subconscious.goals_list')).toHaveLength(1)
  })

  it('does not take the place of a file', async () => {
    writeFileSync(path, 'mine')
    await expect(serve()).rejects.toMatchObject({ code: 'daemon/socket-in-the-way' })
    expect(statSync(path).isFile()).toBe(true)
    expect(await connectSocket(path)).toBeNull()
  })

  it('says so when it cannot be made', async () => {
    path = join(folder, 'missing', 'socket')
    await expect(serve()).rejects.toMatchObject({ code: 'daemon/cannot-listen' })
    path = join(folder, 'x'.repeat(200))
    await expect(serve()).rejects.toMatchObject({ code: 'daemon/cannot-listen' })
  })
})

describe('a door through the socket', () => {
  it('is none when nobody listens', async () => {
    expect(await connectSocket(path)).toBeNull()
  })

  it('is none below something that is no folder', async () => {
    writeFileSync(path, 'a file')
    expect(await connectSocket(join(path, 'socket'))).toBeNull()
  })

  it('is none through a link, which may lead to a socket of somebody else', async () => {
    await serve()
    const link = join(folder, 'link')
    symlinkSync(path, link)
    expect(await connectSocket(link)).toBeNull()
  })

  it('says so when the way there cannot be gone', async () => {
    symlinkSync('loop', join(folder, 'loop'))
    path = join(folder, 'loop', 'socket')
    await expect(connectSocket(path)).rejects.toMatchObject({ code: 'daemon/unreachable', kind: 'unreachable' })
  })

  it('answers', async () => {
    await serve()
    const daemon = await door()
    expect(daemon.daemon).toBe(true)
    expect(await daemon.call('subconscious.status')).toMatchObject({ mode: 'simple', task_count: 3 })
  })

  it('throws what the other side threw, with code, kind and facts', async () => {
    await serve({
      tasks: { remove: () => Promise.reject(Fault.use('task/unknown', 'There is no task x.', { task: 'x' })) },
    })
    const daemon = await door()
    const removed = daemon.call('subconscious.tasks_remove', { task: 'x' })
    await expect(removed).rejects.toBeInstanceOf(Fault)
    await expect(removed).rejects.toMatchObject({
      code: 'task/unknown',
      kind: 'use',
      message: 'There is no task x.',
      data: { task: 'x' },
    })
    await expect(daemon.call('nobody')).rejects.toMatchObject({ code: 'rpc/unknown-method', kind: 'use' })
    await expect(daemon.call('subconscious.why')).rejects.toMatchObject({ code: 'rpc/invalid-params' })
  })

  it('gives each of two callers their own answers, done in whatever order', async () => {
    const waiting: (() => void)[] = []
    await serve({
      evaluations: {
        outcome: () => new Promise((resolve) => waiting.push(() => resolve(evaluation))),
      },
    })
    const [one, two] = [await door(), await door()]
    const approve = { id: 'ev_1', digest: 'd', wait: true }
    const slow = [
      one.call('subconscious.escalations_approve', approve),
      two.call('subconscious.escalations_approve', approve),
    ]
    const quick = await Promise.all([one.call('subconscious.goals_list'), two.call('subconscious.tasks_list')])
    expect(quick).toMatchObject([[{ id: 'goal_1' }], [{ id: 'task_1' }]])
    while (waiting.length < 2) await settle()
    for (const finish of waiting.reverse()) finish()
    expect(await Promise.all(slow)).toMatchObject([{ outcome: { id: 'ev_1' } }, { outcome: { id: 'ev_1' } }])
  })

  it('brings results of many megabytes, news between them or not', async () => {
    const text = 'ü€😀'.repeat(10_000)
    await serve({ evaluations: { log: () => Array.from({ length: 100 }, () => ({ ...evaluation, text })) } })
    const daemon = await door()
    const told: News[] = []
    await daemon.subscribe((news) => told.push(news))
    const call = daemon.call('subconscious.log_list')
    const ticking = setInterval(() => tell(acted), 1)
    const rows = (await call) as { text: string }[]
    clearInterval(ticking)
    expect(rows).toHaveLength(100)
    expect(rows.every((row) => row.text === text)).toBe(true)
    expect(await daemon.call('subconscious.goals_list')).toHaveLength(1)
  })

  it('takes no request larger than the other side does', async () => {
    await serve()
    const daemon = await door()
    const large = daemon.call('subconscious.goals_add', { text: 'x'.repeat(1024 * 1024) })
    await expect(large).rejects.toMatchObject({ code: 'rpc/too-large', kind: 'use' })
    expect(await daemon.call('subconscious.goals_list')).toHaveLength(1)
  })

  it('rejects what is under way when the daemon goes, and everything after', async () => {
    const server = await serve({ evaluations: { outcome: () => new Promise(() => {}) } })
    const daemon = await door()
    const waiting = daemon.call('subconscious.escalations_approve', { id: 'ev_1', digest: 'd', wait: true })
    await daemon.call('subconscious.goals_list')
    await server[Symbol.asyncDispose]()
    await expect(waiting).rejects.toMatchObject({ code: 'daemon/gone', kind: 'unreachable' })
    await expect(daemon.call('subconscious.goals_list')).rejects.toMatchObject({ code: 'daemon/gone' })
    await expect(daemon.subscribe(() => {})).rejects.toMatchObject({ code: 'daemon/gone' })
  })

  it('rejects what is under way when it is closed here', async () => {
    await serve({ doctor: () => new Promise(() => {}) })
    const daemon = await door()
    const waiting = daemon.call('subconscious.doctor')
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'daemon/gone' })
    await daemon[Symbol.asyncDispose]()
    await rejected
    await daemon[Symbol.asyncDispose]()
  })

  it.each(['garbage\n', '[1,2]\n{"jsonrpc"', 'null\n', '\x00\xff\n'])(
    'survives a server that talks nonsense: %j',
    async (nonsense) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('data', () => socket.end(nonsense))
      }).listen(path)
      await once(server, 'listening')
      open.push({
        close: () => {
          for (const socket of sockets) socket.destroy()
          server.close()
        },
      })
      await expect((await door()).call('subconscious.status')).rejects.toMatchObject({ code: 'daemon/gone' })
    },
  )
})

describe('news', () => {
  it('comes to whoever asked, in the runtime’s own names, and to nobody else', async () => {
    await serve()
    const [asks, asksNot] = [await door(), await raw()]
    const told: News[] = []
    const heard = new Promise<void>((resolve) => {
      void asks.subscribe((news) => {
        told.push(news)
        if (told.length === 2) resolve()
      })
    })
    while (listeners.size === 0) await settle()
    tell(acted)
    tell({ type: 'store', state: 'stalled', reason: 'The disk is full.' })
    await heard
    expect(told).toEqual([acted, { type: 'store', state: 'stalled', reason: 'The disk is full.' }])
    expect(asksNot.said()).toEqual([])
  })

  it('comes once on a connection that asked twice, to each of its listeners that has not stopped', async () => {
    await serve()
    const daemon = await door()
    const told: string[] = []
    const first = () => void told.push('first')
    const stop = await daemon.subscribe(first)
    await daemon.subscribe(first)
    await daemon.subscribe(() => {
      throw new Error('a listener of the caller’s own')
    })
    await daemon.subscribe(() => told.push('last'))
    expect(listeners.size).toBe(1)
    tell(acted)
    await daemon.call('subconscious.goals_list')
    expect(told).toEqual(['first', 'first', 'last'])
    stop()
    tell(acted)
    await daemon.call('subconscious.goals_list')
    expect(told).toEqual(['first', 'first', 'last', 'first', 'last'])
  })

  it('is a notification named events.news with snake_case names', async () => {
    await serve()
    const caller = await raw()
    caller.socket.write(request('events.subscribe', 1))
    await caller.until(1)
    tell({ type: 'notification', title: 'T', body: 'B' })
    await caller.until(2)
    expect(caller.said()).toEqual([
      { jsonrpc: '2.0', result: { subscription: 'news' }, id: 1 },
      { jsonrpc: '2.0', method: 'events.news', params: { type: 'notification', title: 'T', body: 'B' } },
    ])
  })

  it('is not kept for a caller who does not read: from a mebibyte on the caller is left', async () => {
    await serve()
    const caller = await raw()
    caller.socket.write(request('events.subscribe', 1))
    await caller.until(1)
    caller.socket.pause()
    const body = 'x'.repeat(100_000)
    for (let i = 0; i < 40 && listeners.size > 0; i++) {
      tell({ type: 'notification', title: 'T', body })
      await settle()
    }
    expect(listeners.size).toBe(0)
    caller.socket.resume()
    await caller.closed
  })

  it('is not sent any more to a caller who went', async () => {
    await serve()
    const caller = await raw()
    caller.socket.write(request('events.subscribe', 1))
    await caller.until(1)
    expect(listeners.size).toBe(1)
    caller.socket.destroy()
    while (listeners.size > 0) await settle()
    tell(acted)
  })
})

describe('a caller without manners', () => {
  const stillAnswers = async () => expect(await (await door()).call('subconscious.goals_list')).toHaveLength(1)

  it('is told what is wrong with what it sends, line by line', async () => {
    await serve()
    const caller = await raw()
    caller.socket.write(`garbage\n\r\n\n[]\n${request('subconscious.goals_list', 'a')}`)
    caller.socket.write(Buffer.from([0xff, 0xfe, 0x0a]))
    await caller.until(4)
    expect(
      caller
        .said()
        .map((one) => (one as { error?: { code: number } }).error?.code)
        .sort(),
    ).toEqual([-32600, -32700, -32700, undefined])
  })

  it('is answered though it sends a byte at a time, or everything and the end at once', async () => {
    await serve()
    const slow = await raw()
    for (const byte of Buffer.from(request('subconscious.goals_list', 'ü'))) slow.socket.write(Buffer.from([byte]))
    await slow.until(1)
    expect(slow.said()).toMatchObject([{ id: 'ü' }])
    const hasty = await raw()
    hasty.socket.end(`${request('subconscious.goals_list', 1)}${request('subconscious.tasks_list', 2).trimEnd()}`)
    await hasty.closed
    expect(hasty.said()).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('is told and left when a line is longer than a mebibyte', async () => {
    await serve()
    const caller = await raw()
    for (let i = 0; i < 40; i++) caller.socket.write('x'.repeat(100_000))
    await caller.closed
    expect(caller.said()).toMatchObject([{ id: null, error: { code: -32600, data: { code: 'rpc/too-large' } } }])
    await stillAnswers()
  })

  it('is told and left when a line does not end in its time', async () => {
    const clock = new HandClock()
    await serve({}, clock)
    const caller = await raw()
    caller.socket.write('{"jsonrpc":')
    while (clock.nextWakeAt === null) await settle()
    clock.set(clock.now() + 29 * second)
    caller.socket.write('"2.0",')
    await settle()
    expect(caller.said()).toEqual([])
    clock.set(clock.now() + second)
    await caller.until(1)
    expect(caller.said()).toMatchObject([{ id: null, error: { data: { code: 'rpc/invalid-request' } } }])
    await caller.closed
  })

  it('may take its time between lines', async () => {
    const clock = new HandClock()
    await serve({}, clock)
    const caller = await raw()
    for (let i = 1; i <= 3; i++) {
      caller.socket.write(request('subconscious.goals_list', i))
      await caller.until(i)
      clock.set(clock.now() + 3600 * second)
    }
    expect(caller.said()).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  it('may always be in the middle of a line, if only each line ends in its time', async () => {
    const clock = new HandClock()
    await serve({}, clock)
    const caller = await raw()
    const line = request('subconscious.goals_list', 1)
    caller.socket.write(line.slice(0, 9))
    for (let i = 1; i <= 4; i++) {
      while (clock.nextWakeAt === null) await settle()
      clock.set(clock.now() + 20 * second)
      caller.socket.write(line.slice(9) + line.slice(0, 9))
      await caller.until(i)
    }
    expect(caller.said()).toHaveLength(4)
    expect(caller.said().every((one) => 'result' in (one as object))).toBe(true)
  })

  it('is not understood where its text is no UTF-8', async () => {
    await serve()
    const caller = await raw()
    const [head, tail] = request('subconscious.goals_add', 1, { text: 'x' }).split('"x"')
    caller.socket.write(Buffer.concat([Buffer.from(`${head}"`), Buffer.from([0xff]), Buffer.from(`"${tail}`)]))
    await caller.until(1)
    expect(caller.said()).toMatchObject([{ id: null, error: { code: -32700 } }])
  })

  it('does not fill the memory by asking and never reading', async () => {
    const text = 'x'.repeat(100_000)
    let asked = 0
    await serve({
      evaluations: {
        log: () => {
          asked++
          return [{ ...evaluation, text }]
        },
      },
    })
    const caller = await raw()
    caller.socket.pause()
    for (let i = 0; i < 200; i++) caller.socket.write(request('subconscious.log_list', i))
    for (let i = 0; i < 20; i++) await settle()
    expect(asked).toBeLessThan(100)
    await stillAnswers()
    caller.socket.resume()
    await caller.until(200)
    expect(asked).toBe(200)
  })

  it('costs nobody else anything by going in the middle of things', async () => {
    await serve({ doctor: async () => new Promise((next) => setImmediate(() => next([]))) })
    for (let i = 0; i < 30; i++) {
      const caller = await raw()
      caller.socket.write(`${request('events.subscribe', 1)}${request('subconscious.doctor', 2)}{"half`)
      if (i % 2 === 0) await settle()
      caller.socket.destroy()
    }
    await settle()
    await stillAnswers()
  })

  it('cannot make it crash or hang, whatever it sends and however it is cut', async () => {
    await serve()
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(...methods.keys()).map((method) => request(method, 1)),
      fc.constant(''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 50 }), async (lines, size) => {
        const caller = await raw()
        const bytes = Buffer.from(lines.join('\n'))
        for (let at = 0; at < bytes.length; at += size) caller.socket.write(bytes.subarray(at, at + size))
        caller.socket.end()
        await caller.closed
        for (const answer of caller.said().flat()) expect(answer).toMatchObject({ jsonrpc: '2.0' })
      }),
      { numRuns: 60 },
    )
    await stillAnswers()
  })
})

it('ends in spite of a caller who does not read', async () => {
  const clock = new HandClock()
  const server = await serve({ evaluations: { log: () => [{ ...evaluation, text: 'x'.repeat(3_000_000) }] } }, clock)
  const caller = await raw()
  caller.socket.pause()
  caller.socket.write(request('subconscious.log_list', 1))
  await settle()
  const ended = server[Symbol.asyncDispose]()
  await settle()
  clock.set(clock.now() + second)
  await ended
})
