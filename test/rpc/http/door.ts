import { request as ask, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { News } from '../../../src/domain/news.ts'
import { systemClock } from '../../../src/house/system-clock.ts'
import { dispatcher } from '../../../src/rpc/dispatch.ts'
import type { DoorLine } from '../../../src/rpc/http/door-log.ts'
import { type HttpServerOptions, serveHttp } from '../../../src/rpc/http/server.ts'
import { methods } from '../../../src/rpc/methods/index.ts'
import type { Services } from '../../../src/rpc/services.ts'
import { services } from '../samples.ts'

export const token = 'MARKED-token-0123456789-abcdefghijklmnopqrs'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json(): unknown
}

export type Asked = Omit<RequestOptions, 'headers'> & {
  headers?: Record<string, string | string[] | undefined>
  body?: string | Uint8Array
}

/** A door that is open for the length of a test, with what stands behind it. */
export async function openDoor(options: Partial<HttpServerOptions> & { given?: Parameters<typeof services>[0] } = {}) {
  const listeners = new Set<(news: News) => void>()
  const subscribe: Services['subscribe'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const lines: DoorLine[] = []
  const { given, ...rest } = options
  const behind = services({ subscribe, ...given })
  const server = await serveHttp({
    token,
    dispatch: dispatcher({ methods, services: behind }),
    subscribe: behind.subscribe,
    clock: systemClock,
    log: (line) => lines.push(line),
    ...rest,
  })
  const sockets = new Set<WebSocket>()
  onTestFinished(async () => {
    for (const socket of sockets) socket.terminate()
    await server[Symbol.asyncDispose]()
  })

  /** A request that is right in every way, but for what the test says of it. */
  const send = (path: string, { body, headers = {}, ...how }: Asked = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const usual = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined)
      const asked = ask(
        {
          host: '127.0.0.1',
          port: server.port,
          path,
          agent: false,
          method: body === undefined ? 'GET' : 'POST',
          headers: Object.fromEntries(all) as Record<string, string | string[]>,
          ...how,
        },
        (incoming) => {
          const parts: Buffer[] = []
          incoming.on('data', (part: Buffer) => parts.push(part))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(parts).toString()
            const { statusCode: status = 0, headers: given } = incoming
            resolve({ status, headers: given, text, json: () => JSON.parse(text) as unknown })
          })
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })

  return {
    server,
    port: server.port,
    lines,
    listeners,
    tell: (news: News) => {
      for (const listener of [...listeners]) listener(news)
    },
    send,
    rpc: (body: string | Uint8Array, how: Asked = {}) => send('/rpc', { body, ...how }),
    call: (method: string, params: object = {}, how: Asked = {}) =>
      send('/rpc', { body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }), ...how }),
    /** The cookie that a browser gets for a link, as it sends it back. */
    async cookie(): Promise<string> {
      const { pathname, search } = new URL(server.oneTimeLink())
      const { headers } = await send(pathname + search, { headers: { authorization: undefined } })
      return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    },
    webSocket(headers: Record<string, string> = { authorization: `Bearer ${token}` }, path = '/rpc') {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers, perMessageDeflate: false })
      sockets.add(socket)
      return heard(socket)
    },
  }
}

export type OpenDoor = Awaited<ReturnType<typeof openDoor>>

/** A WebSocket with what it has heard. */
function heard(socket: WebSocket) {
  const said: string[] = []
  let hear = () => {}
  socket.on('message', (data) => {
    said.push(String(data))
    hear()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      hear()
    }),
  )
  return {
    socket,
    said: () => said.map((one) => JSON.parse(one) as Record<string, unknown>),
    closed,
    /** Resolves with the status that a handshake was refused with; 101 when it was not. */
    opened: new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (asked, incoming) => {
        resolve(incoming.statusCode ?? 0)
        asked.destroy()
      })
      socket.on('error', () => {})
    }),
    async until(count: number): Promise<void> {
      while (said.length < count && socket.readyState <= socket.OPEN) {
        await new Promise<void>((resolve) => {
          hear = resolve
        })
      }
    },
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

/** Lets everything that is on its way arrive. */
export const settle = async (turns = 20): Promise<void> => {
  for (let i = 0; i < turns; i++) await new Promise((next) => setImmediate(next))
}
