import type { Draft } from './draft.ts'
import type { Endpoint } from './endpoint.ts'
import { piecesOf } from './pieces.ts'
import { Broken, Refusal } from './refusal.ts'
import { notAnAnswer } from './unreachable.ts'
import { brokeOff } from './verdict.ts'

interface Ears {
  heard(text: string): void
  /** Called when the answer is complete while its stream may go on. */
  complete(): void
}

/**
 * Takes an answer to its end into `draft`. Throws `Broken` when it ended before, a `Refusal` when the server says so in the
 * middle of it, and a fault when it is no answer at all.
 */
export const listen = async (
  body: AsyncIterable<Uint8Array>,
  draft: Draft,
  endpoint: Endpoint,
  ears: Ears,
): Promise<void> => {
  for await (const piece of piecesOf(body)) {
    if (piece.kind === 'whole') {
      if (/^\s*</.test(piece.text)) throw notAnAnswer(endpoint)
      hear(draft, jsonIn(piece.text, endpoint), ears)
      draft.end()
      break
    }
    if (piece.data.trim() === '') continue
    if (piece.data.startsWith('[DONE]')) {
      draft.end()
      break
    }
    // What an `error` event holds is the error itself, in no envelope.
    if (piece.name === 'error') throw new Refusal(0, new Map(), piece.data)
    hear(draft, jsonIn(piece.data, endpoint), ears)
    if (draft.finished) ears.complete()
  }
  if (!draft.finished) throw new Broken('it ended in the middle')
}

const hear = (draft: Draft, value: unknown, { heard }: Ears): void => {
  const text = draft.add(value)
  // An empty piece is no sign that the model is at work: many servers send one before it has read its prompt.
  if (text !== '') heard(text)
}

const jsonIn = (text: string, endpoint: Endpoint): unknown => {
  if (text.trim() === '') throw new Broken('it was empty')
  try {
    return JSON.parse(text)
  } catch {
    throw brokeOff(text, endpoint)
  }
}
