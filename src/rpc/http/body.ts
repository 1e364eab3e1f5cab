import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageTooLarge } from '../dispatch.ts'
import { badRequest, notJson } from './refusals.ts'

/**
 * Throws unless a body is said to be plain JSON. A page of another site can send a form or plain text anywhere without
 * being asked whether it may; JSON it cannot.
 */
export function assertJson({ headers, headersDistinct }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  const isUtf8 = parameters.every((one) => one === '' || /^charset="?utf-?8"?$/.test(one))
  const isPlain = (headersDistinct['content-encoding'] ?? []).every((one) => one.toLowerCase() === 'identity')
  if (type !== 'application/json' || !isUtf8 || !isPlain) throw notJson()
}

/** The whole of a body. Throws `rpc/too-large` as soon as it is seen to be longer than it may be. */
export function readBody(incoming: IncomingMessage, outgoing: ServerResponse, most: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.reject(messageTooLarge())
  if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    const onData = (part: Buffer) => {
      bytes += part.length
      if (bytes > most) end(() => reject(messageTooLarge()))
      else parts.push(part)
    }
    const onEnd = () => end(() => resolve(Buffer.concat(parts)))
    const onGone = () => end(() => reject(badRequest('it broke off')))
    const end = (settle: () => void) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      settle()
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}
