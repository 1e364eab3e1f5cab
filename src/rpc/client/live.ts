import { fromWire } from '../wire-error.ts'
import type { ClientSocket } from './socket.ts'

/** Something that is heard of over the connection; asked for anew each time that it opens. */
export interface Topic {
  method: string
  params(): object
  /** What the other side answered to the asking. */
  begun?(answer: unknown, isAgain: boolean): void
  /** It will not be heard of: the other side refuses it. */
  refused(error: Error): void
  /** The notification that carries it. */
  notification: string
  hear(params: unknown): void
}

export interface LiveParts {
  open(): ClientSocket
  wait(ms: number, then: () => void): () => void
  /** Asked when it does not open: why it never will, or null where nobody is there just now. */
  refusal(): Promise<Error | null>
}

const shortestPause = 250
const longestPause = 10_000

/**
 * What a client listens to, over a WebSocket that is there while there is something to listen to. Broken off, it is opened
 * again after a pause that grows, or after what the other side asks for.
 */
export class Live {
  readonly #parts: LiveParts
  readonly #topics = new Set<Topic>()
  readonly #asked = new Map<number, Topic>()
  readonly #begun = new WeakSet<Topic>()
  #socket: ClientSocket | null = null
  #isOpen = false
  #lastId = 0
  #misses = 0
  #stopPause: (() => void) | null = null

  constructor(parts: LiveParts) {
    this.#parts = parts
  }

  /** Returns how to stop listening; `goodbye` tells the other side, where there is anything to tell. */
  listen(topic: Topic, goodbye?: { method: string; params: object }): () => void {
    this.#topics.add(topic)
    if (this.#isOpen) this.#ask(topic)
    else if (this.#socket === null && this.#stopPause === null) this.#open()
    return () => {
      if (!this.#topics.delete(topic)) return
      if (this.#topics.size === 0) this.close()
      else if (this.#isOpen && goodbye) this.#send(goodbye.method, goodbye.params)
    }
  }

  close(): void {
    this.#topics.clear()
    this.#stopPause?.()
    this.#stopPause = null
    const socket = this.#socket
    this.#leave()
    socket?.close()
  }

  #open(): void {
    const socket = this.#parts.open()
    this.#socket = socket
    socket.onopen = () => {
      this.#isOpen = true
      for (const topic of this.#topics) this.#ask(topic)
    }
    socket.onmessage = ({ data }) => {
      this.#misses = 0
      this.#take(JSON.parse(String(data)) as Record<string, unknown>)
    }
    socket.onerror = () => {} // what is wrong is told by its closing
    socket.onclose = ({ reason }) => {
      const wasOpen = this.#isOpen
      this.#leave()
      if (!wasOpen) void this.#parts.refusal().then((refusal) => refusal && this.#refuse(refusal))
      const pause = Math.min(longestPause, shortestPause * 2 ** this.#misses++)
      this.#stopPause = this.#parts.wait(Math.max(pause, askedPause(reason)), () => {
        this.#stopPause = null
        this.#open()
      })
    }
  }

  #refuse(refusal: Error): void {
    const refused = [...this.#topics]
    this.close()
    for (const topic of refused) topic.refused(refusal)
  }

  #leave(): void {
    if (this.#socket) this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null
    this.#socket = null
    this.#isOpen = false
    this.#asked.clear()
  }

  #ask(topic: Topic): void {
    this.#asked.set(this.#send(topic.method, topic.params()), topic)
  }

  #send(method: string, params: object): number {
    const id = ++this.#lastId
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', method, params, id }))
    return id
  }

  #take({ id, method, params, result, error }: Record<string, unknown>): void {
    if (typeof method === 'string') {
      for (const topic of [...this.#topics]) if (topic.notification === method) topic.hear(params)
      return
    }
    const topic = typeof id === 'number' ? this.#asked.get(id) : undefined
    if (topic === undefined) return
    this.#asked.delete(id as number)
    if (error !== undefined) {
      this.#topics.delete(topic)
      topic.refused(fromWire(error))
      return
    }
    topic.begun?.(result, this.#begun.has(topic))
    this.#begun.add(topic)
  }
}

/** The other side may say when to come back. */
function askedPause(reason: string): number {
  try {
    const { retry_ms: ms } = JSON.parse(reason) as { retry_ms?: unknown }
    return typeof ms === 'number' ? Math.min(ms, longestPause) : 0
  } catch {
    return 0
  }
}
