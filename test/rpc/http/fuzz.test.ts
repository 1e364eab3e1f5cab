import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { methods } from '../../../src/rpc/methods/index.ts'
import { type OpenDoor, openDoor, token } from './door.ts'

const seconds = Number(process.env.UNDERMIND_FUZZ_SECONDS ?? 5)
/** For each of the three ways in. */
const share = (seconds * 1000) / 3
/** Nothing that is sent here takes this long. */
const hang = 10_000

const junk = fc.string({ unit: 'binary', maxLength: 60 })
const method = fc.constantFrom(...methods.keys(), 'nobody', '')
const request = fc.record(
  {
    jsonrpc: fc.oneof({ arbitrary: fc.constant('2.0'), weight: 5 }, fc.jsonValue()),
    method: fc.oneof({ arbitrary: method, weight: 5 }, fc.jsonValue()),
    params: fc.oneof(
      fc.dictionary(fc.constantFrom('id', 'task', 'kind', 'limit', 'x'), fc.jsonValue()),
      fc.jsonValue(),
    ),
    id: fc.oneof(fc.integer(), fc.jsonValue()),
  },
  { requiredKeys: [] },
)
const message = fc.oneof(request, fc.array(request, { maxLength: 5 }), fc.jsonValue()).chain((one) => {
  const text = JSON.stringify(one)
  return fc.oneof(
    { arbitrary: fc.constant(text), weight: 3 },
    fc.nat(text.length).map((end) => text.slice(0, end)),
  )
})
const bytes = fc.oneof(
  message.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
)

const headerName = fc.constantFrom(
  'Host',
  'Origin',
  'Authorization',
  'Cookie',
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Transfer-Encoding',
  'Expect',
  'Connection',
  'Upgrade',
  'Sec-Fetch-Site',
  'Sec-WebSocket-Key',
  'Sec-WebSocket-Version',
  'Sec-WebSocket-Extensions',
  'Sec-WebSocket-Protocol',
  '__proto__',
  'X',
)
const headerValue = fc.oneof(
  fc.constantFrom(
    '127.0.0.1:PORT',
    'http://127.0.0.1:PORT',
    `Bearer ${token}`,
    'application/json',
    'chunked',
    '100-continue',
    'Upgrade',
    'keep-alive',
    'close',
    'websocket',
    'h2c',
    'permessage-deflate; client_max_window_bits',
    '13',
    'dGhlIHNhbXBsZSBub25jZQ==',
    '0',
    '5',
    '1048577',
    'same-origin',
  ),
  junk,
)
const target = fc.oneof(
  fc.constantFrom('/', '/rpc', '/health', '/open?once=x', '/%', '/%2e%2e/x', '//', '*', 'http://127.0.0.1:PORT/rpc'),
  junk.map((text) => `/${text}`),
)
const verb = fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'CONNECT', 'TRACE'), junk)

/** A request in bytes: mostly right, so that it gets far in, and wrong somewhere. */
const wire = fc
  .record({
    verb,
    target,
    headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 }),
    isRight: fc.boolean(),
    body: bytes,
  })
  .map(({ verb: how, target: where, headers, isRight, body }) => {
    const right = [
      'Host: 127.0.0.1:PORT',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const lines = [`${how} ${where} HTTP/1.1`, ...(isRight ? right : []), ...headers.map((pair) => pair.join(': '))]
    return { head: `${lines.join('\r\n')}\r\n\r\n`, body }
  })

async function withinTime(what: string, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), hang)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function lives(door: OpenDoor): Promise<void> {
  const answer = await door.call('subconscious.goals_list')
  expect([answer.status, answer.json()]).toMatchObject([200, { result: [{ id: 'goal_1' }] }])
}

const bounded = { interruptAfterTimeLimit: share, numRuns: 1_000_000, markInterruptAsFailure: false }
const limits = {
  known: { perSecond: 1e6, burst: 1e6 },
  strangers: { perSecond: 1e6, burst: 1e6 },
  requestMs: 500,
  headersMs: 300,
}

it(
  'bodies of every kind are answered as JSON-RPC or with nothing',
  async () => {
    const door = await openDoor({ limits })
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const answer = await door.rpc(body)
        expect([200, 204]).toContain(answer.status)
        if (answer.status === 204) return
        for (const one of [answer.json()].flat()) expect(one).toMatchObject({ jsonrpc: '2.0' })
      }),
      bounded,
    )
    await lives(door)
  },
  share + 3 * hang,
)

it(
  'requests of every kind, cut anywhere, leave it as it was',
  async () => {
    const door = await openDoor({ limits })
    await fc.assert(
      fc.asyncProperty(
        fc.array(wire, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 400 }),
        async (all, size) => {
          const socket = connect(door.port, '127.0.0.1')
          socket.on('error', () => {})
          // It may hang up while more is being sent.
          const closed = new Promise((resolve) => socket.once('close', resolve))
          socket.resume()
          const text = Buffer.concat(
            all.flatMap(({ head, body }) => [Buffer.from(head.replaceAll('PORT', String(door.port))), body]),
          )
          for (let at = 0; at < text.length; at += size) socket.write(text.subarray(at, at + size))
          socket.end()
          await withinTime(JSON.stringify(String(text)), closed)
        },
      ),
      bounded,
    )
    await lives(door)
    expect(JSON.stringify(door.lines)).not.toContain('MARKED')
  },
  share + 3 * hang,
)

it(
  'frames of every kind leave the others as they were',
  async () => {
    const door = await openDoor({ limits })
    const bystander = door.webSocket()
    await bystander.opened
    const frames = fc.array(
      fc.oneof(
        message.map((text) => (send: Sender) => send.text(text)),
        fc.uint8Array({ maxLength: 100 }).map((some) => (send: Sender) => send.raw(Buffer.from(some))),
        fc.tuple(fc.nat(255), fc.nat(255), bytes).map(
          ([first, second, rest]) =>
            (send: Sender) =>
              send.raw(Buffer.concat([Buffer.from([first, second]), rest])),
        ),
      ),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        const caller = door.webSocket()
        await caller.opened
        const { _socket: under } = caller.socket as never as { _socket: { write(some: Buffer): void; destroy(): void } }
        for (const send of all) send({ text: (text) => caller.send(text), raw: (some) => under.write(some) })
        await new Promise((next) => setImmediate(next))
        under.destroy()
        await withinTime('a WebSocket', caller.closed)
      }),
      bounded,
    )
    bystander.send({ jsonrpc: '2.0', method: 'subconscious.goals_list', id: 1 })
    await bystander.until(1)
    expect(bystander.said()).toMatchObject([{ result: [{ id: 'goal_1' }] }])
    await lives(door)
  },
  share + 3 * hang,
)

interface Sender {
  text(text: string): void
  raw(some: Buffer): void
}
