// The door under load: `node bench/door.mjs [--json] [--tasks 10000] [--subscribers 100]`, after a build. While ticks of so many
// tasks run and so many subscribers listen on WebSockets, how long a status takes over HTTP and how long news is on its way;
// and what it costs when somebody watches every step. Clients live in a process of their own.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { servicesOf } from '../dist/house/services.js'
import { systemClock } from '../dist/house/system-clock.js'
import { dispatcher } from '../dist/rpc/dispatch.js'
import { serveHttp } from '../dist/rpc/http/server.js'
import { methods } from '../dist/rpc/methods/index.js'
import create from './peers/undermind.mjs'

const token = 'a-token-of-this-benchmark-0123456789-abcdefgh'
/** Milliseconds that are the same in every process of this machine. */
const now = () => performance.timeOrigin + performance.now()
const percentile = (numbers, share) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]
const keyOf = ({ type, id, state, phase }) => `${type} ${id} ${state} ${phase ?? ''}`

const roles = { listeners, probe }
if (process.send) await roles[process.argv[2]](...process.argv.slice(3))
else await measure()

/** Subscribers that take what comes and look at none of it, so that they are no load of their own. */
async function listeners(url, amount) {
  const { hostname, port } = new URL(url)
  let bytes = 0
  const open = () =>
    new Promise((ready) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /rpc HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
        ),
      )
      socket.once('data', () => {
        socket.on('data', (some) => {
          bytes += some.length
          ready()
        })
        const text = Buffer.from('{"jsonrpc":"2.0","method":"events.subscribe","id":1}')
        // A whole text frame under a mask of zeros, which changes nothing.
        socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
      })
    })
  await Promise.all(Array.from({ length: Number(amount) }, open))
  process.once('message', () => process.send({ bytes }, () => process.exit()))
  process.send('ready')
}

/** One who asks for the status every 25 ms, and writes down when each piece of news came. */
async function probe(url) {
  const arrivals = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`, { headers: { authorization: `Bearer ${token}` } })
  socket.on('open', () => socket.send('{"jsonrpc":"2.0","method":"events.subscribe","id":1}'))
  await new Promise((ready) => socket.once('message', ready))
  let take = () => {}
  socket.on('message', (data) => {
    if (data.subarray(0, 60).includes('"result"')) take()
    else arrivals.push([data, now()])
  })
  const late = []
  const answered = []
  let isRunning = true
  process.once('message', () => {
    isRunning = false
  })
  process.send('ready')
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'subconscious.status', id: 1 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  while (isRunning) {
    await new Promise((next) => setTimeout(next, 25))
    const asked = performance.now()
    await (await fetch(`${url}/rpc`, { method: 'POST', headers, body })).arrayBuffer()
    late.push(performance.now() - asked)
    await new Promise((next) => setTimeout(next, 25))
    const sent = performance.now()
    await new Promise((answer) => {
      take = answer
      socket.send(body)
    })
    answered.push(performance.now() - sent)
  }
  const heard = arrivals.map(([data, at]) => [keyOf(JSON.parse(String(data)).params), at])
  process.send({ late, answered, heard }, () => process.exit())
}

async function measure() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      tasks: { type: 'string', default: '10000' },
      subscribers: { type: 'string', default: '100' },
    },
  })
  const n = Number(values.tasks)
  const folder = mkdtempSync(join(tmpdir(), 'undermind-door-'))
  const peer = create({ sync: 'normal' })
  await peer.setup(folder)
  const runtime = peer.runtime()
  const services = servicesOf(runtime, {
    version: '0',
    tools: new Map(),
    ignored: [],
    assertSound: () => {},
    assertWritable: async () => {},
  })
  const dispatch = dispatcher({ methods, services })
  const subscribe = (listener) => runtime.subscribe(listener)
  const server = await serveHttp({ token, dispatch, subscribe, clock: systemClock })
  await peer.prepare(n)
  await peer.runTick(n, { tag: 'warm', mix: 'std' })

  const committed = new Map()
  const stop = runtime.subscribe((news) => committed.set(keyOf(news), now()))
  const crowd = await begun('listeners', server.url, String(Number(values.subscribers) - 1))
  const one = await begun('probe', server.url)
  const turns = turnsOfProcess()
  const start = performance.now()
  for (let tick = 0; performance.now() - start < 6000; tick++) await peer.runTick(n, { tag: `t${tick}`, mix: 'std' })
  const turnsTaken = turns.end()
  const { late, heard, answered } = await ended(one)
  const { bytes } = await ended(crowd)
  stop()
  const onTheWay = heard.flatMap(([key, at]) => (committed.has(key) ? [at - committed.get(key)] : []))

  const [plain, watched] = [[], []]
  for (let round = 0; round < 5; round++) {
    plain.push(await timed(peer))
    watched.push(await timed(peer, services))
  }
  await server[Symbol.asyncDispose]()
  await peer.close()
  rmSync(folder, { recursive: true, force: true })

  say(values.json, `door-status-p99-during-tick-${n}`, percentile(late, 0.99), 'ms', 10, false, {
    asked: late.length,
    overWebSocket: Number(percentile(answered, 0.99).toPrecision(4)),
    // What the tick itself holds the process up: nothing that is asked can be answered sooner.
    turnOfProcess: Number(percentile(turnsTaken, 0.99).toPrecision(4)),
  })
  say(values.json, `door-news-p99-${values.subscribers}-subscribers`, percentile(onTheWay, 0.99), 'ms', 100, false, {
    heard: heard.length,
    megabytes: Math.round(bytes / 2 ** 20),
    longest: Math.max(...onTheWay),
  })
  const ratio = percentile(plain, 0.5) / percentile(watched, 0.5)
  say(values.json, 'door-every-step-watched', ratio, '× the throughput without', 0.9, true, {})
}

/** How long each turn of this process takes. */
function turnsOfProcess() {
  const turns = []
  let last = performance.now()
  let isOn = true
  const turn = () => {
    const at = performance.now()
    turns.push(at - last)
    last = at
    if (isOn) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    end() {
      isOn = false
      return turns
    },
  }
}

async function begun(...role) {
  const child = fork(fileURLToPath(import.meta.url), role)
  await new Promise((ready) => child.once('message', ready))
  return child
}

async function ended(child) {
  const told = new Promise((resolve) => child.once('message', resolve))
  child.send('enough')
  return await told
}

/** Milliseconds of a tick of 1000; with services, while all its steps are taken by a watcher. */
async function timed(peer, services) {
  const watch = services?.inspector.steps({})
  const take = () => {
    while (JSON.stringify(watch.feed.take()) !== '[]');
  }
  const stop = watch?.feed.wake(take)
  await peer.prepare(1000)
  const start = performance.now()
  await peer.runTick(1000, { tag: `w${start}`, mix: 'std' })
  const ms = performance.now() - start
  stop?.()
  return ms
}

function say(json, name, value, unit, bar, atLeast, more) {
  const ok = atLeast ? value >= bar : value <= bar
  const rounded = Number(value.toPrecision(4))
  if (json) console.log(JSON.stringify({ case: name, value: rounded, unit, bar, ok, ...more }))
  else console.log(`${ok ? '✓' : '✗'} ${name}: ${rounded} ${unit} (bar: ${atLeast ? 'at least' : 'at most'} ${bar})`)
  if (!ok) process.exitCode = 1
}
