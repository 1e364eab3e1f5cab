import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { second } from '../../domain/clock.ts'
import { largestMessage } from '../dispatch.ts'
import { type Admit, pathOf } from './admission.ts'
import { badRequest, noSuchPage, type Refusal, refusalOf } from './refusals.ts'
import { refuseSocket } from './say.ts'
import { type CallerParts, stopping, WebSocketCaller } from './web-socket-caller.ts'

const beatTime = 30 * second
/** Parts that a message may come in. */
const mostFragments = 1024

export interface WebSocketsParts extends CallerParts {
  admit: Admit
  /** Hears of every refusal. */
  refused(refusal: Refusal, port: number | undefined): void
}

/** Everybody who is connected by a WebSocket. */
export class WebSockets {
  readonly #parts: WebSocketsParts
  readonly #callers = new Set<WebSocketCaller>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    maxFragments: mostFragments,
    perMessageDeflate: false,
  })
  #stopBeat: (() => void) | null = null
  #isStopping = false

  constructor(parts: WebSocketsParts) {
    this.#parts = parts
    this.#server.on('wsClientError', (_, socket, incoming) =>
      this.#refuse(badRequest('it is no handshake of a WebSocket'), incoming, socket),
    )
  }

  /** Takes a connection that is to become a WebSocket. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    let peer: string
    try {
      peer = this.#parts.admit(incoming)
      if (pathOf(incoming) !== '/rpc') throw noSuchPage()
    } catch (error) {
      this.#refuse(error, incoming, socket)
      return
    }
    this.#server.handleUpgrade(incoming, socket, head, (webSocket) => {
      const caller = new WebSocketCaller(webSocket, socket, peer, this.#parts)
      this.#callers.add(caller)
      webSocket.on('close', () => this.#leftBy(caller))
      if (this.#isStopping) caller.leave(stopping)
      else if (!this.#stopBeat) this.#beatLater()
    })
  }

  stop(): void {
    this.#isStopping = true
    this.#stopBeat?.()
    for (const caller of this.#callers) caller.leave(stopping)
  }

  #leftBy(caller: WebSocketCaller): void {
    this.#callers.delete(caller)
    if (this.#callers.size > 0) return
    this.#stopBeat?.()
    this.#stopBeat = null
  }

  #beatLater(): void {
    const { clock } = this.#parts
    this.#stopBeat = clock.wakeAt(clock.now() + beatTime, () => {
      this.#beatLater()
      for (const caller of this.#callers) caller.beat()
    })
  }

  #refuse(error: unknown, incoming: IncomingMessage, socket: Duplex): void {
    const refusal = refusalOf(error)
    this.#parts.refused(refusal, incoming.socket.remotePort)
    refuseSocket(socket, refusal)
  }
}
