import type { ChatCall, ChatRequest } from '../../domain/chat.ts'
import { Fault } from '../../domain/errors.ts'
import type { ToolNames } from './tool-names.ts'

interface Draft {
  /** As the server counts them; null when it does not. */
  place: number | null
  id: string
  name: string
  arguments: string[]
}

/** No answer needs more. */
const mostCalls = 500

/** Uses of tools, put together from the pieces in which they come. */
export class DraftCalls {
  readonly #names: ToolNames
  readonly #drafts: Draft[] = []

  constructor(names: ToolNames) {
    this.#names = names
  }

  get size(): number {
    return this.#drafts.filter(isSaid).length
  }

  /** Takes one piece and returns what is new in it. */
  add(piece: unknown): string {
    if (!isRecord(piece)) return ''
    const made = isRecord(piece.function) ? piece.function : piece
    const id = typeof piece.id === 'string' ? piece.id : ''
    const name = typeof made.name === 'string' ? made.name : ''
    const place = typeof piece.index === 'number' ? piece.index : null
    const draft = this.#draftOf(place, id, name)
    if (draft.id === '') draft.id = id
    this.#addName(draft, name)
    const text = argumentsText(made.arguments)
    if (text !== '') draft.arguments.push(text)
    return name + text
  }

  /** Missing and repeated ids are made up, the same ones each time, and none that the conversation has had. */
  finish(messages: ChatRequest['messages']): ChatCall[] {
    const taken = new Set(
      messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
    )
    let number = taken.size
    const freshId = (id: string): string => {
      let fresh = id
      while (fresh === '' || taken.has(fresh)) fresh = `call_${++number}`
      taken.add(fresh)
      return fresh
    }
    return this.#drafts.filter(isSaid).map((draft) => ({
      id: freshId(draft.id),
      tool: this.#names.own(draft.name),
      arguments: unwrapped(draft.arguments.join('')),
    }))
  }

  #draftOf(place: number | null, id: string, name: string): Draft {
    const last = this.#drafts.at(-1)
    const same = place === null ? last : this.#drafts.findLast((draft) => draft.place === place)
    // Some servers give every call the place 0, or none, and only the ids tell them apart, or that a name comes again.
    const isOther =
      same === undefined ||
      (id !== '' && same.id !== '' && id !== same.id) ||
      (place === null && id === '' && name !== '' && same.arguments.length > 0)
    if (same !== undefined && !isOther) return same
    if (this.#drafts.length === mostCalls) throw tooMany()
    const draft: Draft = { place, id, name: '', arguments: [] }
    this.#drafts.push(draft)
    return draft
  }

  /** A name may come in pieces; some servers send the whole of it with every piece of the arguments. */
  #addName(draft: Draft, piece: string): void {
    if (piece === '') return
    const longer = draft.name + piece
    if (this.#names.has(draft.name) && !this.#names.begins(longer)) return
    if (draft.name === piece && !this.#names.begins(longer)) return
    draft.name = longer
  }
}

const tooMany = (): Fault =>
  new Fault(
    'model/runaway',
    `The model wanted to use tools more than ${mostCalls} times in one answer, so it was given up. If this goes on, use another model.`,
  )

/** One without a name, yet with arguments, is for whoever runs tools to refuse, so that the model learns of it. */
const isSaid = (draft: Draft): boolean => draft.name !== '' || draft.arguments.length > 0

const argumentsText = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** No arguments are an empty object; a JSON text that holds the JSON text is unwrapped, once. */
const unwrapped = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'null') return '{}'
  if (!trimmed.startsWith('"')) return text
  try {
    const inner: unknown = JSON.parse(trimmed)
    if (typeof inner !== 'string') return text
    if (inner.trim() === '') return '{}'
    const value: unknown = JSON.parse(inner)
    return typeof value === 'object' && value !== null ? inner : text
  } catch {
    return text
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
