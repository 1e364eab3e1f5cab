import type { Ollama } from 'ollama'
import { Fault } from '../../domain/errors.ts'
import { patientFetch } from '../patient-fetch.ts'
import { badAnswer, connectionFault, notOllama, Refusal, unreachable } from './faults.ts'

/** No line of an answer, and no answer in one piece, is longer. */
const longestLine = 16 * 1024 * 1024
const longestError = 64 * 1024

interface Connection {
  address: string
  /** Closes the connection, whatever it is doing. */
  signal: AbortSignal
  fetch?: typeof fetch
}

/**
 * The official client, with a connection that can be closed at any moment: by itself it can be aborted only once the
 * answer has begun. It is handed nothing but answers of the right form, since it writes to the console about others.
 * Throws a Fault where no answer came, and a `Refusal` where the server answered with an error.
 */
export const ollamaClient = async ({ address, signal, fetch = patientFetch }: Connection): Promise<Ollama> => {
  if (!URL.canParse(address)) throw unreachable(address, 'this is no address')
  const { Ollama } = await import('ollama')
  return new Ollama({
    host: address,
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, signal }).catch((error: unknown) => {
        throw error instanceof Fault ? error : connectionFault(error, address)
      })
      if (!response.ok) throw new Refusal(response.status, await errorIn(response))
      if (response.body === null) throw notOllama(address, 'an empty answer')
      if (/html/i.test(response.headers.get('content-type') ?? '')) throw notOllama(address, 'a web page')
      const { status, headers } = response
      const isStream = new URL(input instanceof Request ? input.url : input).pathname.endsWith('/api/chat')
      const body = isStream ? response.body.pipeThrough(jsonLines(address)) : await textOf(response, longestLine)
      return new Response(body, { status, headers })
    },
  })
}

/** Ollama's own words on what went wrong, or null when it is not Ollama that speaks. */
const errorIn = async (response: Response): Promise<string | null> => {
  try {
    const value: unknown = JSON.parse(await textOf(response, longestError))
    return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
      ? value.error
      : null
  } catch {
    return null
  }
}

/** The text of a body that may be endless; what is beyond the limit is left. */
const textOf = async (response: Response, limit: number): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > limit) break
  }
  return text.slice(0, limit)
}

/** Lets lines pass that hold a JSON object, each whole, and fails at the first that does not. */
const jsonLines = (address: string): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let parts: string[] = []
  let held = 0
  const passLine = (controller: TransformStreamDefaultController<Uint8Array>) => {
    const line = parts.join('').trim()
    parts = []
    held = 0
    if (line === '') return
    if (!isObject(line)) throw notOllama(address, 'a line that is no JSON object')
    controller.enqueue(encoder.encode(`${line}\n`))
  }
  const take = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    const [first = '', ...further] = text.split('\n')
    for (const [index, piece] of [first, ...further].entries()) {
      if (index > 0) passLine(controller)
      parts.push(piece)
      held += piece.length
      if (held > longestLine) throw badAnswer('The answer has a line without an end')
    }
  }
  return new TransformStream({
    transform: (chunk, controller) => take(decoder.decode(chunk, { stream: true }), controller),
    flush(controller) {
      take(decoder.decode(), controller)
      passLine(controller)
    },
  })
}

const isObject = (line: string): boolean => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
