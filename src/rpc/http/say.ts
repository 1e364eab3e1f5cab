import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { safeHeaders } from './headers.ts'
import { bodyOf, type Refusal } from './refusals.ts'

const headersOf = ({ headers }: Refusal): Record<string, string> => ({
  ...safeHeaders,
  ...headers,
  'content-type': 'application/json',
})

export const responseOf = (refusal: Refusal): Response =>
  new Response(bodyOf(refusal), { status: refusal.status, headers: headersOf(refusal) })

/** Refuses a request that nothing else has looked at. What still comes of it is not read for long. */
export function refuse(outgoing: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal)
  outgoing.writeHead(refusal.status, { ...headersOf(refusal), 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

/** Refuses where there is no request that could be answered, only a connection. */
export function refuseSocket(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = bodyOf(refusal)
  const headers = { ...headersOf(refusal), 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
