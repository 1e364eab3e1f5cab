import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { badRequest, headersTooLarge, type Refusal, refusalOf, tooSlow } from './refusals.ts'
import { refuseSocket } from './say.ts'

type Broken = Error & { code?: string }

/**
 * What is done about bytes that are no request, or no whole one in its time. `answers` holds the last answer that was
 * begun on each connection.
 */
export const onBrokenRequest =
  (answers: WeakMap<Duplex, ServerResponse>, refused: (refusal: Refusal, port: number | undefined) => void) =>
  (error: Broken, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
      socket.destroy()
      return
    }
    const refusal = refusalOf(faultOf(error))
    refused(refusal, (socket as Socket).remotePort)
    // In the middle of an answer, a second one would be taken for part of it.
    const answer = answers.get(socket)
    if (answer?.headersSent && !answer.writableFinished) socket.destroy()
    else refuseSocket(socket, refusal)
  }

const faultOf = ({ code }: Broken) => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  return code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : badRequest('it is not HTTP')
}
