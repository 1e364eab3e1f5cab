// How each figure is taken. Every measure gets a folder of its own and returns one number.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counters, pool, yieldLoop } from './lib/work.mjs'

const bin = fileURLToPath(new URL('../bin/undermind.mjs', import.meta.url))

async function open({ peer, sync, folder, ...options }) {
  const { default: create } = await import(`./peers/${peer}.mjs`)
  const opened = create({ sync, tx: 'change', ...options })
  await opened.setup(folder)
  return opened
}

async function warmUp(peer, n, ticks) {
  for (let tick = 0; tick < ticks; tick++) {
    await peer.runTick(n, { tag: `w${tick}`, mix: 'std' })
    await approveAll(peer, 1)
  }
}

async function approveAll(peer, inFlight) {
  const waiting = await peer.listAwaiting()
  await pool(waiting, inFlight, async (id) => {
    const state = await peer.approve(id)
    if (state !== 'acted') throw new Error(`approving ${id} ended ${state}`)
  })
  return waiting.length
}

const since = (start) => performance.now() - start
const percentile = (numbers, share) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]

export const measures = {
  async tick({ n, warm = 5, ticks = 3, ...task }) {
    const peer = await open(task)
    await peer.prepare?.(n)
    await warmUp(peer, n, warm)
    let ms = 0
    for (let tick = 0; tick < ticks; tick++) {
      const start = performance.now()
      await peer.runTick(n, { tag: `m${tick}`, mix: 'std' })
      ms += since(start)
      await approveAll(peer, 1)
    }
    if ([...counters.actions.values()].some((times) => times !== 1))
      throw new Error('an action did not run exactly once')
    await peer.close()
    return (n * ticks * 1000) / ms
  },

  async approve({ n, inFlight, ...task }) {
    const peer = await open(task)
    await peer.prepare?.(n)
    await warmUp(peer, n, 5)
    let ms = 0
    let approved = 0
    for (let tick = 0; tick < 3; tick++) {
      await peer.runTick(n, { tag: `m${tick}`, mix: 'std' })
      const start = performance.now()
      approved += await approveAll(peer, inFlight)
      ms += since(start)
    }
    await peer.close()
    return (approved * 1000) / ms
  },

  /** Leaves evaluations waiting in one process, then times a fresh one from its start to the first that was resumed. */
  async restart({ waiting, ...task }) {
    const script = fileURLToPath(new URL('./restart.mjs', import.meta.url))
    const run = (phase) =>
      spawnSync(process.execPath, [script, phase, JSON.stringify({ waiting, ...task })], {
        encoding: 'utf8',
        timeout: 500_000,
      })
    const left = run('leave')
    if (left.signal !== 'SIGKILL') throw new Error(`leaving ended ${left.status}: ${left.stderr.slice(-500)}`)
    const times = Array.from({ length: waiting > 10_000 ? 3 : 1 }, () => {
      const start = performance.now()
      const resumed = run('resume')
      if (resumed.status !== 0) throw new Error(resumed.stderr.slice(-500))
      return since(start)
    })
    return percentile(times, 0.5)
  },

  async status({ n, ...task }) {
    const started = []
    const peer = await open({ ...task, report: (id, state) => state === 'inProgress' && started.push(id) })
    await peer.prepare?.(n)
    await peer.runTick(n, { tag: 'w0', mix: 'std' })
    const late = []
    let running = true
    const every = 25
    const probing = (async () => {
      for (let due = performance.now() + every; running; due += every) {
        await new Promise((next) => setTimeout(next, Math.max(0, due - performance.now())))
        const id = started[Math.floor(Math.random() * started.length)] ?? 'w0-000000'
        await peer.status(id)
        late.push(performance.now() - due)
      }
    })()
    const start = performance.now()
    for (let tick = 0; since(start) < 6000; tick++) await peer.runTick(n, { tag: `p${tick}`, mix: 'std' })
    running = false
    await probing
    await peer.close()
    return percentile(late, 0.99)
  },

  async growth(task) {
    const times = {}
    for (const n of [1000, 10_000]) {
      const peer = await open({ ...task, folder: join(task.folder, String(n)) })
      await peer.prepare(n)
      await warmUp(peer, n, n === 1000 ? 5 : 2)
      const start = performance.now()
      const ticks = n === 1000 ? 5 : 1
      for (let tick = 0; tick < ticks; tick++) await peer.runTick(n, { tag: `m${tick}`, mix: 'std' })
      times[n] = since(start) / (n * ticks)
      await peer.close()
    }
    return times[10_000] / times[1000]
  },

  /** Heap held by evaluations that are being judged, the model not answering until they have been counted. */
  async 'live-heap'(task) {
    const n = 10_000
    let heap = 0
    let live = 0
    let base = 0
    const peer = await open({
      ...task,
      beforeJudging: async (runtime) => {
        await yieldLoop()
        globalThis.gc()
        heap = process.memoryUsage().heapUsed
        live = runtime.host.liveActors
      },
    })
    await peer.prepare(n)
    globalThis.gc()
    base = process.memoryUsage().heapUsed
    await peer.runTick(n, { tag: 'm', mix: 'std' })
    await peer.close()
    return (heap - base) / Math.max(live, 1)
  },

  async 'finished-heap'(task) {
    const peer = await open(task)
    await peer.prepare(1000)
    await warmUp(peer, 1000, 5)
    const settled = async () => {
      // What the harness itself remembers of each evaluation and action is none of the runtime's.
      peer.forget()
      counters.actions.clear()
      await yieldLoop()
      globalThis.gc()
    }
    await settled()
    const before = process.memoryUsage().heapUsed
    await warmUp(peer, 1000, 100)
    await settled()
    const after = process.memoryUsage().heapUsed
    await peer.close()
    return after / before
  },

  async disk(task) {
    const { size, close } = await import('./disk.mjs').then(({ measure }) => measure(task, open, warmUp))
    await close()
    return size
  },

  async beat({ folder, sync }) {
    const { beatWithMany } = await import('./beat.mjs')
    return beatWithMany(folder, sync)
  },

  async idle({ folder, sync }) {
    const { idleDay } = await import('./idle.mjs')
    return idleDay(folder, sync)
  },

  async 'many-files'({ folder, sync }) {
    const { quietTick } = await import('./many-files.mjs')
    return quietTick(folder, sync)
  },

  async 'model-calls'(task) {
    let tokens = 0
    const context = 16_000
    const peer = await open({
      ...task,
      contextTokens: context,
      settings: { 'heartbeat.context_budget_tokens': context },
      onReport: (report) => (tokens += report.tokens),
    })
    await peer.prepare(1000)
    const before = counters.modelCalls
    await peer.runTick(1000, { tag: 'm', mix: 'std' })
    const calls = counters.modelCalls - before
    await peer.close()
    return calls / Math.ceil(tokens / context)
  },

  async inspected(task) {
    const rates = []
    let steps = 0
    for (const inspector of [undefined, () => steps++, undefined, () => steps++]) {
      const peer = await open({ ...task, folder: join(task.folder, String(rates.length)), inspector })
      await peer.prepare(1000)
      await warmUp(peer, 1000, 5)
      const start = performance.now()
      for (let tick = 0; tick < 3; tick++) await peer.runTick(1000, { tag: `m${tick}`, mix: 'std' })
      rates.push(3000 / since(start))
      await peer.close()
    }
    if (steps === 0) throw new Error('the inspector saw nothing')
    return (rates[1] + rates[3]) / (rates[0] + rates[2])
  },

  /** From the start of the daemon's process to the first line it answers on its socket, less the start of a bare node. */
  async 'cold-start'({ folder }) {
    const workspace = join(folder, 'workspace')
    mkdirSync(workspace, { recursive: true })
    const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') }
    const init = spawnSync(process.execPath, [bin, 'init', workspace], { env, encoding: 'utf8' })
    if (init.status !== 0) throw new Error(init.stderr)
    const bareStart = performance.now()
    spawnSync(process.execPath, ['-e', ''])
    const bare = since(bareStart)
    const start = performance.now()
    const daemon = spawn(process.execPath, [bin, '--workspace', workspace, 'start', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const answered = await firstAnswer(join(workspace, '.undermind'), start)
    daemon.kill('SIGTERM')
    await new Promise((ended) => daemon.on('exit', ended))
    return answered - bare
  },
}

async function firstAnswer(stateDir, start) {
  const { connect } = await import('node:net')
  const { readdirSync } = await import('node:fs')
  for (;;) {
    const name = readdirSync(stateDir).find((file) => file === 'socket')
    const answer =
      name &&
      (await new Promise((resolve) => {
        const socket = connect(join(stateDir, name), () =>
          socket.write('{"jsonrpc":"2.0","id":1,"method":"subconscious.status"}\n'),
        )
        socket.once('data', () => {
          socket.destroy()
          resolve(true)
        })
        socket.once('error', () => resolve(false))
      }))
    if (answer) return since(start)
    if (since(start) > 20_000) throw new Error('the daemon did not answer within 20 s')
    await new Promise((next) => setTimeout(next, 2))
  }
}
