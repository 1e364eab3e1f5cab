import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hour, minute } from '../../../src/domain/clock.ts'
import { Fault } from '../../../src/domain/errors.ts'
import { openaiChat } from '../../../src/models/openai/chat.ts'
import { HandClock } from '../../support/clock.ts'
import { bytesOf, chunk, endless, misbehaving, silent } from '../../support/openai-replies.ts'
import { faultOf, hurried, longestPause, question, talk } from './talk.ts'

describe('an answer that is none', () => {
  it.each(Object.entries(misbehaving))('%s ends in a fault that says what to do', async (name, reply) => {
    await using it = await talk()
    it.server.reply(() => reply)
    const fault = await it.hurry(it.fault())
    const expected = { redirect: 'model/unreachable', htmlGateway: 'model/busy' }
    const codes = name in expected ? expected[name as keyof typeof expected] : /^model\/bad-(?:answer|request)$/
    expect(fault.code).toMatch(codes)
    expect(fault.message).toMatch(/\.$/)
  })

  it('that never ends is given up', async () => {
    await using it = await talk()
    it.server.reply(() => endless(() => ({ content: ' \n' })))
    expect((await it.fault()).code).toBe('model/runaway')
    it.server.reply(() => endless(() => ({ reasoning_content: 'Wait, no. ' })))
    expect((await it.fault()).code).toBe('model/runaway')
    it.server.reply(() => endless(() => ({ tool_calls: [{ index: 0, function: { name: 'look', arguments: '[[' } }] })))
    expect((await it.fault()).code).toBe('model/runaway')
    for (const request of it.server.requests) expect(await request.closed).toBe('broken')
  })

  it('that grows without repeating itself is given up too', async () => {
    await using it = await talk()
    let number = 0
    it.server.reply(() => endless(() => ({ content: Array.from({ length: 2000 }, () => number++ * 7919).join(' ') })))
    expect((await it.fault()).code).toBe('model/runaway')
  })
})

describe('a server that is silent', () => {
  it.each(Object.entries(silent))('%s is given up when the time is over', async (name, reply) => {
    await using it = await talk({ timeoutMs: hour })
    it.server.reply(() => reply)
    const fault = it.fault()
    const request = await it.server.next()
    if (name === 'fallsSilent')
      while (it.clock.nextWakeAt !== it.clock.now() + longestPause) await new Promise(setImmediate)
    const waits = it.clock.nextWakeAt! - it.clock.now()
    expect(waits).toBe(name === 'fallsSilent' ? longestPause : hour)
    it.clock.set(it.clock.now() + waits)
    expect((await fault).code).toBe('model/timeout')
    expect(await request.closed).toBe('broken')
  })

  it('and then speaks is heard, however long it took to begin', async () => {
    await using it = await talk({ timeoutMs: hour })
    let speak = () => {}
    const spoke = new Promise<void>((resolve) => {
      speak = resolve
    })
    it.server.reply(async () => {
      await spoke
      return { text: 'Yes.' }
    })
    const reply = it.ask()
    await it.server.next()
    it.clock.set(it.clock.now() + 50 * minute)
    speak()
    expect((await reply).text).toBe('Yes.')
  })
})

describe('an abort', () => {
  it.each(Object.entries(silent))('is seen by the server within a tenth of a second: %s', async (name, reply) => {
    await using it = await talk()
    it.server.reply(() => reply)
    const abort = new AbortController()
    const asked = faultOf(it.ask({}, abort.signal))
    const request = await it.server.next()
    // The first piece has arrived once the guard waits for the next one.
    if (name === 'fallsSilent')
      while (it.clock.nextWakeAt !== it.clock.now() + longestPause) await new Promise(setImmediate)
    const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
    const began = performance.now()
    abort.abort(reason)
    expect(await request.closed).toBe('broken')
    expect(performance.now() - began).toBeLessThan(100)
    expect(await asked).toBe(reason)
    expect(it.clock.nextWakeAt).toBeNull()
  })

  it('before the call lets nothing be sent', async () => {
    await using it = await talk()
    await expect(it.ask({}, AbortSignal.abort())).rejects.toThrow(Fault)
    await expect(it.model.facts(AbortSignal.abort())).rejects.toThrow(Fault)
    expect(it.server.requests).toHaveLength(0)
  })

  it('of one call leaves others alone', async () => {
    await using it = await talk()
    it.server.reply((_body, turn) => (turn === 0 ? silent.neverAnswers : { text: 'Yes.' }))
    const abort = new AbortController()
    const first = faultOf(it.ask({}, abort.signal))
    await it.server.next()
    const second = it.ask()
    abort.abort()
    await first
    expect((await second).text).toBe('Yes.')
  })
})

/** Answers every connection with these bytes, whatever was asked. */
const rawServer = async (bytes: string | Uint8Array) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a server that does not speak the protocol at all', () => {
  it.each([
    ['nothing', '', 'model/unreachable'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'model/bad-answer'],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-Ty', 'model/unreachable'],
    ['an impossible status', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', 'model/bad-answer'],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'model/bad-answer'],
  ])('but sends %s ends in a fault', async (_name, bytes, code) => {
    await using server = await rawServer(bytes)
    const clock = new HandClock()
    const options = { model: 'served', contextTokens: 8192, timeoutMs: 5 * minute, clock, random: () => 0.5 }
    const model = openaiChat({ ...options, address: server.address })
    const fault = await hurried(clock, faultOf(model.chat(question, new AbortController().signal)))
    expect(fault.code).toBe(code)
  })
})

it('does not wait for a server that changes to another protocol', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
  await using server = await rawServer(upgrade)
  const clock = new HandClock()
  const options = { model: 'served', contextTokens: 8192, timeoutMs: 5 * minute, clock, random: () => 0.5 }
  const model = openaiChat({ ...options, address: server.address })
  const began = clock.now()
  const fault = await hurried(clock, faultOf(model.chat(question, new AbortController().signal)))
  expect(fault.code).toBe('model/bad-answer')
  expect(clock.now() - began).toBeLessThan(5 * minute)
})

describe('any bytes', () => {
  const fragments = fc.oneof(
    fc.constantFrom(
      'data: ',
      'data:',
      '\n',
      '\n\n',
      '\r',
      '\r\n\r\n',
      '{',
      '}',
      '[DONE]',
      ': x',
      'event: error\n',
      '\ufeff',
    ),
    fc.constantFrom(chunk({ content: 'A' }), chunk({}, 'stop'), chunk({ tool_calls: [{ index: 0 }] })),
    fc.json().map((json) => `data: ${json}\n\n`),
    fc.json(),
    fc.string(),
  )
  const bodies = fc.oneof(
    fc.array(fragments, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 200 }),
  )

  it('as a body end in an answer or a fault, never in anything else', async () => {
    await using it = await talk()
    const statuses = fc.constantFrom(200, 200, 200, 400, 404, 418, 429, 500)
    await fc.assert(
      fc.asyncProperty(bodies, statuses, async (bytes, status) => {
        it.server.reply(() => ({ pieces: [bytes], status }))
        const asked = it.ask().then(
          (reply) => expect(typeof reply.text).toBe('string'),
          (error: unknown) => expect(error).toBeInstanceOf(Fault),
        )
        await it.hurry(asked)
      }),
      { numRuns: 100 },
    )
  })

  it('of a good answer may be cut into pieces anywhere', async () => {
    await using it = await talk()
    const said = { text: '一件 🙂', thinking: 'Hm', calls: [{ tool: 'look', arguments: '{"a":"é"}' }] }
    const bytes = bytesOf(said)
    it.server.reply(() => said)
    const expected = await it.ask()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        it.server.reply(() => ({
          pieces: (async function* () {
            for (const [at, place] of places.entries()) {
              await new Promise(setImmediate)
              yield bytes.subarray(places[at - 1] ?? 0, place)
            }
          })(),
        }))
        expect(await it.ask()).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})
