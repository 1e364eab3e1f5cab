import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'

/**
 * `fetch` without a limit of its own to how long an answer may take to begin or to go on: the caller's signal is the
 * only one. Node's own gives up when headers, or the next piece of a body, take longer than 300 s, and no public door
 * leads to that setting. Ollama sends its headers together with the first piece of the answer, that is after the model
 * was loaded and the prompt was read, which on a slow machine does take longer.
 *
 * Every request has a connection of its own, so that an abort closes it at once, at any moment, and none is used that the
 * server has closed meanwhile. Redirects are not followed. Bodies are text or bytes.
 */
export const patientFetch: typeof fetch = (input, init = {}) =>
  new Promise<Response>((answer, fail) => {
    const { method = 'GET', body, signal } = init
    if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('Only text and bytes can be sent')
    signal?.throwIfAborted()
    const url = new URL(input instanceof Request ? input.url : input)
    const open = url.protocol === 'https:' ? secureRequest : plainRequest
    const headers = Object.fromEntries(new Headers(init.headers))
    const sent = open(url, { method, headers, agent: false })
    const stop = () =>
      sent.destroy(signal?.reason instanceof Error ? signal.reason : new Error('The request was stopped'))
    signal?.addEventListener('abort', stop, { once: true })
    sent.once('close', () => {
      signal?.removeEventListener('abort', stop)
      fail(new Error('The connection was closed before an answer began'))
    })
    sent.on('error', fail)
    // The connection is no longer the request's then: neither its end nor an abort would be told of.
    sent.once('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('The server changed to another protocol'))
    })
    sent.once('response', (message) => {
      try {
        answer(responseOf(message))
      } catch (error) {
        sent.destroy()
        fail(error)
      }
    })
    sent.end(body ?? undefined)
  })

const withoutBody = [204, 205, 304]

const responseOf = (message: IncomingMessage): Response => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  const status = message.statusCode ?? 0
  if (withoutBody.includes(status)) message.resume()
  return new Response(withoutBody.includes(status) ? null : streamOf(message), { status, headers })
}

const streamOf = (message: IncomingMessage): ReadableStream<Uint8Array> => {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      message.destroy()
    },
  })
}
