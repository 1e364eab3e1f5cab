import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { second } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import type { ConnectionParts } from '../connection.ts'
import { admission } from './admission.ts'
import { type AppParts, webApp } from './app.ts'
import { Broadcast } from './broadcast.ts'
import { onBrokenRequest } from './broken-request.ts'
import { type DoorLine, doorLog } from './door-log.ts'
import { inUrl, isLoopback } from './hosts.ts'
import { Keys } from './keys.ts'
import { listen } from './listen.ts'
import { type Pace, Rate } from './rate.ts'
import { type Refusal, refusalOf } from './refusals.ts'
import { refuse } from './say.ts'
import { WebSockets } from './web-sockets.ts'

/** How much the server takes at a time. */
export interface Limits {
  connections: number
  /** Milliseconds in which the headers of a request must have come. */
  headersMs: number
  /** Milliseconds in which all of a request must have come. */
  requestMs: number
  /** Of one who may ask, and of all others at one address. */
  known: Pace
  strangers: Pace
}

const usualLimits: Limits = {
  connections: 256,
  headersMs: 10 * second,
  requestMs: 30 * second,
  known: { perSecond: 500, burst: 2000 },
  strangers: { perSecond: 20, burst: 100 },
}

export interface HttpServerOptions extends ConnectionParts {
  /** Address to bind to: 127.0.0.1 unless given. */
  host?: string
  /** Port that is wanted; a free one when it is taken or 0. */
  port?: number
  /** Whether the address may be one that other machines can reach. */
  beyondLoopback?: boolean
  token: string
  /** Hears of everybody who was not let in. */
  log?: (line: DoorLine) => void
  /** The dashboard's files by path; null for what is none. */
  page?: AppParts['page']
  limits?: Partial<Limits>
}

export interface HttpServer extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** An address that opens the dashboard: once, within five minutes. */
  oneTimeLink(): string
}

const shortestToken = 32
const farewellTime = second
const largestHeaders = 16 * 1024

/**
 * Serves JSON-RPC over HTTP and WebSocket at /rpc, and pages, to whoever holds the token. Throws `door/not-loopback` for
 * an address that other machines can reach when that was not asked for, `door/weak-token`, `door/cannot-listen`.
 */
export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port: wanted = 0, token, dispatch, subscribe, clock, page = () => null } = options
  assertSafe(host, options.beyondLoopback ?? false, token)
  const limits = { ...usualLimits, ...options.limits }
  const keys = new Keys(token, clock)
  const log = doorLog(clock, options.log ?? (() => {}))
  const refused = ({ fault }: Refusal, port: number | undefined) => log(fault.code, port)
  const known = new Rate(clock, limits.known)
  const admit = admission({ keys, known, strangers: new Rate(clock, limits.strangers), host })
  const news = new Broadcast(subscribe)
  const webSockets = new WebSockets({ admit, refused, dispatch, news, rate: known, clock })
  const answer = getRequestListener(webApp({ dispatch, keys, page, refused }).fetch, { overrideGlobalObjects: false })

  const answers = new WeakMap<Duplex, ServerResponse>()
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answers.set(incoming.socket, outgoing)
    // Whoever goes in the middle of things is nobody's trouble.
    incoming.on('error', () => {})
    // Asked whether it may go on and refused, a client may or may not send its body: what follows could be either.
    if (incoming.headers.expect !== undefined) outgoing.shouldKeepAlive = false
    try {
      admit(incoming)
    } catch (error) {
      const refusal = refusalOf(error)
      refused(refusal, incoming.socket.remotePort)
      refuse(outgoing, refusal)
      return
    }
    void answer(incoming, outgoing)
  }
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(second, limits.headersMs),
      maxHeaderSize: largestHeaders,
      // A request without one is refused here like any other that names another host.
      requireHostHeader: false,
    },
    onRequest,
  )
  server.maxConnections = limits.connections
  // Only somebody who was let in is told to go on.
  server.on('checkContinue', onRequest)
  server.on('upgrade', (incoming, socket, head) => webSockets.upgrade(incoming, socket, head))
  server.on('clientError', onBrokenRequest(answers, refused))
  server.on('drop', (peer) => log('door/too-many-connections', peer?.remotePort))
  const port = await listen(server, host, wanted)
  // Accepting may fail for want of file handles; whoever is connected already goes on.
  server.on('error', () => {})

  const url = `http://${inUrl(reachable(host))}:${port}`
  let ended: Promise<void> | null = null
  return {
    url,
    port,
    oneTimeLink: () => `${url}/open?once=${keys.newLink()}`,
    [Symbol.asyncDispose]() {
      ended ??= end(server, webSockets, clock)
      return ended
    },
  }
}

function assertSafe(host: string, beyondLoopback: boolean, token: string): void {
  if (!isLoopback(host) && !beyondLoopback) {
    const sentence = `Will not listen at ${host}: other machines can reach it. Set server.beyond_loopback to true if that is meant, or server.host to 127.0.0.1.`
    throw Fault.use('door/not-loopback', sentence, { host })
  }
  if (token.length < shortestToken) {
    const sentence = `Will not listen: the token has fewer than ${shortestToken} characters. Remove .undermind/token; a good one is made at the next start.`
    throw Fault.use('door/weak-token', sentence, { least: shortestToken })
  }
}

/** An address to open, for one that stands for all of the machine's. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

/** Says goodbye to everybody, lets answers that are on their way arrive for a moment, and ends. */
async function end(server: Server, webSockets: WebSockets, clock: ConnectionParts['clock']): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  server.close()
  webSockets.stop()
  const stop = clock.wakeAt(clock.now() + farewellTime, () => server.closeAllConnections())
  await closed
  stop()
}
