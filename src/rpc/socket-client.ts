import { lstatSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Fault } from '../domain/errors.ts'
import type { News } from '../domain/news.ts'
import { largestMessage } from './dispatch.ts'
import type { Door, Watching } from './door.ts'
import { gone } from './gone.ts'
import type { StepQuery, StepView } from './inspector.ts'
import { Lines } from './lines.ts'
import { newsMethod } from './methods/events.ts'
import { stepMethod } from './methods/inspector.ts'
import { camel } from './snake.ts'
import { fromWire } from './wire-error.ts'

/**
 * A door to the daemon that listens at `path`; null when nobody does. Throws `daemon/unreachable` when somebody may be
 * there and cannot be spoken to.
 */
export async function connectSocket(path: string): Promise<Door | null> {
  if (!isThere(path)) return null
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const onError = (error: Error & { code?: string }) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null)
      else reject(unreachable(path, error.code ?? error.message))
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      socket.off('error', onError)
      resolve(new SocketDoor(socket))
    })
  })
}

/** A link is none: in a stranger's folder it could lead to a socket of somebody else's. */
function isThere(path: string): boolean {
  if (path.startsWith('\\\\')) return true // a pipe of Windows
  try {
    return lstatSync(path).isSocket()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    // Where the folder may not be looked into, it is what there is to tell.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return false
    throw unreachable(path, code)
  }
}

interface Pending {
  resolve(result: unknown): void
  reject(fault: Fault): void
}

class SocketDoor implements Door {
  readonly daemon = true
  readonly #socket: Socket
  readonly #lines = new Lines()
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Set<(news: News) => void>()
  readonly #watchers = new Map<string, (step: StepView) => void>()
  readonly #closed: Promise<void>
  #lastId = 0
  /** Why there is nobody to talk to any more. */
  #gone: Fault | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#lines.push(chunk)
      for (let line = this.#lines.next(); line && !this.#gone; line = this.#lines.next()) this.#hear(line.toString())
    })
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    this.#closed = new Promise((resolve) =>
      socket.once('close', () => {
        const wasThere = this.#gone === null
        this.#give(gone('The daemon ended the connection'))
        if (wasThere) this.#tell({ type: 'store', state: 'lost', reason: 'The daemon ended the connection.' })
        resolve()
      }),
    )
  }

  async call(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    if (this.#gone) throw this.#gone
    const id = ++this.#lastId
    const text = JSON.stringify({ jsonrpc: '2.0', method, params, id })
    if (Buffer.byteLength(text) > largestMessage) {
      throw Fault.use('rpc/too-large', `A request has at most ${largestMessage} bytes. Send less at a time.`, {
        method,
      })
    }
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#socket.write(`${text}\n`)
    })
  }

  async subscribe(listener: (news: News) => void): Promise<() => void> {
    // One wrapper a call, so that the same function can listen twice and stop once.
    const own = (news: News) => listener(news)
    this.#listeners.add(own)
    const stop = () => void this.#listeners.delete(own)
    try {
      await this.call('events.subscribe')
    } catch (error) {
      stop()
      throw error
    }
    return stop
  }

  async watch({ actor, kind, sinceSeq }: StepQuery, listener: (step: StepView) => void): Promise<Watching> {
    const subscription = `watch-${++this.#lastId}`
    this.#watchers.set(subscription, listener)
    const stop = () => {
      if (this.#watchers.delete(subscription)) this.call('inspector.unsubscribe', { subscription }).catch(() => {})
    }
    try {
      const params = { subscription, ...(actor && { actor }), ...(kind && { kind }) }
      const since = sinceSeq === undefined ? {} : { since_seq: sinceSeq }
      const begun = await this.call('inspector.subscribe', { ...params, ...since })
      const { from, head } = begun as { from: number; head: number }
      return { from, head, stop }
    } catch (error) {
      this.#watchers.delete(subscription)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#give(gone('The connection was closed here'))
    this.#socket.destroy()
    await this.#closed
  }

  #hear(line: string): void {
    const message = parsed(line)
    if (message === null) this.#breakOff(gone('The daemon sent something that is no JSON-RPC'))
    else if (message.method === newsMethod) this.#tell(camel(message.params) as News)
    else if (message.method === stepMethod) this.#tellStep(message.params as StepView & { subscription: string })
    else this.#settle(message)
  }

  #settle(message: Record<string, unknown>): void {
    const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined
    if (pending) {
      this.#pending.delete(message.id as number)
      if ('error' in message) pending.reject(fromWire(message.error))
      else pending.resolve(message.result)
    } else if (message.id === null && 'error' in message) {
      // It could not tell what it was asked, so no answer of its can be trusted to be the right one.
      this.#breakOff(fromWire(message.error))
    }
  }

  #tellStep({ subscription, ...step }: StepView & { subscription: string }): void {
    try {
      this.#watchers.get(subscription)?.(step)
    } catch {}
  }

  /** What a listener throws must not cost the others their news. */
  #tell(news: News): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(news)
      } catch {}
    }
  }

  #breakOff(fault: Fault): void {
    this.#give(fault)
    this.#socket.destroy()
  }

  #give(fault: Fault): void {
    this.#gone ??= fault
    for (const { reject } of this.#pending.values()) reject(this.#gone)
    this.#pending.clear()
  }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const unreachable = (path: string, error: string): Fault =>
  new Fault(
    'daemon/unreachable',
    `Cannot reach the daemon at ${path}: the system says ${error}. See that the socket is yours, or start the daemon anew.`,
    { path, error },
    'unreachable',
  )
