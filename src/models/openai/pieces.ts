import { Fault } from '../../domain/errors.ts'

/** What a body is made of: server-sent events, or, from servers that do not stream, one whole. */
export type Piece = { kind: 'event'; name: string; data: string } | { kind: 'whole'; text: string }

const mostBytes = 64 * 1024 * 1024

const field = /^(?:data|event|id|retry)?:|^(?:data|event|id|retry)$/

/**
 * Reads a body as it comes. Which of the two it is, its first words tell: the type that a server declares is often wrong.
 * Comments are left out, and an event counts without the blank line behind it when the body ends there. The client's own
 * reader loses that event, writes what it cannot read to the console, and takes a whole message for an empty stream.
 */
export async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let streams: boolean | undefined
  const whole: string[] = []
  let name = ''
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (streams === undefined && line.trim() === '') continue
    streams ??= field.test(line.trimStart())
    if (!streams) whole.push(line)
    else if (line === '') {
      if (data.length > 0) yield { kind: 'event', name, data: data.join('\n') }
      name = ''
      data = []
    } else {
      const colon = line.indexOf(':')
      const key = (colon < 0 ? line : line.slice(0, colon)).trim()
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      // Some servers leave out the blank line between events; a JSON value is never split over two lines of data.
      if (key === 'data' && data.length > 0 && isComplete(data)) {
        yield { kind: 'event', name, data: data.join('\n') }
        data = []
      }
      if (key === 'data') data.push(value)
      else if (key === 'event') name = value
    }
  }
  if (data.length > 0) yield { kind: 'event', name, data: data.join('\n') }
  if (!streams) yield { kind: 'whole', text: whole.join('\n') }
}

const isComplete = ([first, ...rest]: readonly string[]): boolean =>
  rest.length === 0 && first !== undefined && /^(?:\{.*\}|\[DONE\])\s*$/.test(first)

/** Lines that end in any of the three usual ways. A byte order mark is dropped. No part of the body is searched twice. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let endsInReturn = false
  let bytes = 0

  const split = function* (text: string): Generator<string> {
    const fresh = endsInReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endsInReturn = text.endsWith('\r')
    const [first = '', ...others] = fresh.split(/\r\n|\n|\r/)
    begun.push(first)
    for (const other of others) {
      yield begun.join('')
      begun = [other]
    }
  }

  for await (const piece of body) {
    bytes += piece.length
    if (bytes > mostBytes)
      throw new Fault(
        'model/runaway',
        `The model's server sent more than ${mostBytes} bytes for one answer, so it was given up. If this goes on, use another model or server.`,
        { bytes },
      )
    yield* split(decoder.decode(piece, { stream: true }))
  }
  yield* split(decoder.decode())
  yield begun.join('')
}
