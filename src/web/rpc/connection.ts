import { type Clock, second } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import { gone } from '../../rpc/gone.ts'
import { fromWire } from '../../rpc/wire-error.ts'

/** As much of a WebSocket as is used here. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((data: unknown) => void) | null
  onclose: ((reason: string) => void) | null
}

/** `lost`: it was there and is being sought again. `refused`: the browser has no key any more, or never had one. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused'

export interface ConnectionParts {
  open(): Socket
  /** Whether the door would let us in; asked when it does not open. Rejects when nobody is there. */
  isLetIn(): Promise<boolean>
  clock: Clock
}

export interface CallOptions {
  /**
   * The same request may be sent again when nobody knows whether it arrived: it only reads, or names its answer, so that
   * it counts once.
   */
  repeatable?: boolean
}

interface Waiting {
  text: string
  repeatable: boolean
  sent: boolean
  resolve(result: unknown): void
  reject(fault: Fault): void
}

const shortestWait = second / 4
const longestWait = 5 * second
const probeTime = 5 * second

/** The connection to the runtime. It is sought again whenever it breaks; what was asked meanwhile waits and is then sent. */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #waiting = new Map<number, Waiting>()
  readonly #watchers = new Set<() => void>()
  readonly #heard = new Set<(method: string, params: unknown) => void>()
  readonly #reopened = new Set<() => void>()
  #state: LinkState = 'connecting'
  #socket: Socket | null = null
  #lastId = 0
  #misses = 0
  #hasBeenOpen = false
  #stopWait: (() => void) | null = null

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#connect()
  }

  get state(): LinkState {
    return this.#state
  }

  /** Calls back whenever the state changes. */
  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Hears notifications. */
  hear(hear: (method: string, params: unknown) => void): () => void {
    this.#heard.add(hear)
    return () => void this.#heard.delete(hear)
  }

  /** Calls back each time the connection has opened after it was lost: what is known may be out of date then. */
  onReopened(reopened: () => void): () => void {
    this.#reopened.add(reopened)
    return () => void this.#reopened.delete(reopened)
  }

  /** Rejects with the Fault that the other side answers, or `daemon/gone` where nobody knows what became of it. */
  call(method: string, params: object, { repeatable = false }: CallOptions = {}): Promise<unknown> {
    const id = ++this.#lastId
    const text = JSON.stringify({ jsonrpc: '2.0', method, params, id })
    return new Promise((resolve, reject) => {
      const waiting = { text, repeatable, sent: false, resolve, reject }
      this.#waiting.set(id, waiting)
      if (this.#state === 'open') this.#send(waiting)
    })
  }

  /** The user looks at the page again, or the machine woke up: finds out whether the other side is still there. */
  probe(): void {
    if (this.#state === 'refused') {
      // Another tab may have opened a new link meanwhile.
      this.#parts.isLetIn().then(
        (isIn) => {
          if (isIn && this.#state === 'refused') this.#connect()
        },
        () => {},
      )
      return
    }
    if (this.#state !== 'open') {
      this.#connect()
      return
    }
    const socket = this.#socket
    const stop = this.#parts.clock.wakeAt(this.#parts.clock.now() + probeTime, () => {
      if (this.#socket === socket) this.#drop('')
    })
    this.call('events.subscribe', {}).then(stop, stop)
  }

  #connect(): void {
    this.#stopWait?.()
    this.#stopWait = null
    this.#forget()
    const socket = this.#parts.open()
    this.#socket = socket
    socket.onopen = () => this.#begin()
    socket.onmessage = (data) => this.#take(data)
    socket.onclose = (reason) => this.#drop(reason)
  }

  #begin(): void {
    this.#misses = 0
    // It is for this line alone: should that break, the next one begins with its own.
    this.call('events.subscribe', {}).catch(() => {})
    this.#become('open')
    for (const waiting of this.#waiting.values()) this.#send(waiting)
    if (this.#hasBeenOpen) for (const reopened of this.#reopened) reopened()
    this.#hasBeenOpen = true
  }

  #send(waiting: Waiting): void {
    waiting.sent = true
    this.#socket?.send(waiting.text)
  }

  #take(data: unknown): void {
    const message = read(data)
    if (typeof message !== 'object' || message === null) return
    const { id, method, params, result, error } = message as Record<string, unknown>
    if (typeof method === 'string') {
      for (const hear of this.#heard) hear(method, params)
      return
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (typeof id !== 'number' || waiting === undefined) return
    this.#waiting.delete(id)
    if (error === undefined) waiting.resolve(result)
    else waiting.reject(fromWire(error))
  }

  #drop(reason: string): void {
    const wasOpen = this.#state === 'open'
    this.#forget()
    for (const [id, { sent, repeatable, reject }] of this.#waiting) {
      if (!sent || repeatable) continue
      this.#waiting.delete(id)
      reject(gone('The connection was lost before the answer came'))
    }
    const wait = Math.max(Math.min(shortestWait * 2 ** this.#misses++, longestWait), retryOf(reason))
    if (this.#state !== 'refused') this.#become(wasOpen || this.#state === 'lost' ? 'lost' : 'connecting')
    this.#connectAfter(wait)
    // A handshake that is refused looks like nobody being there.
    if (!wasOpen) this.#askWhetherLetIn()
  }

  #connectAfter(ms: number): void {
    const { clock } = this.#parts
    this.#stopWait?.()
    this.#stopWait = clock.wakeAt(clock.now() + ms, () => this.#connect())
  }

  #askWhetherLetIn(): void {
    this.#parts.isLetIn().then(
      (isIn) => {
        if (!isIn && this.#state !== 'open') this.#refuse()
      },
      () => {
        if (this.#state === 'connecting') this.#become('lost')
      },
    )
  }

  #refuse(): void {
    this.#stopWait?.()
    this.#forget()
    this.#become('refused')
    for (const { reject } of this.#waiting.values()) {
      reject(Fault.use('door/wrong-token', 'This page was opened long ago. Run undermind dashboard for a new link.'))
    }
    this.#waiting.clear()
  }

  #forget(): void {
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }

  #become(state: LinkState): void {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}

/** What a close reason says about coming back, in milliseconds. */
function retryOf(reason: string): number {
  const said = read(reason)
  const ms = typeof said === 'object' && said !== null && 'retry_ms' in said ? said.retry_ms : 0
  return typeof ms === 'number' ? Math.min(ms, longestWait) : 0
}

/** What JSON says; null where it is none. */
function read(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
