import type { ChatReply, ChatRequest } from '../../domain/chat.ts'
import { Fault } from '../../domain/errors.ts'
import { withoutThinking } from '../thinking.ts'
import { DraftCalls } from './calls.ts'
import { type Endpoint, quoted } from './endpoint.ts'
import { Broken, Refusal } from './refusal.ts'
import type { ToolNames } from './tool-names.ts'
import { countedUsage, type PartUsage, usageOf } from './usage.ts'

/** An answer while it comes. */
export class Draft {
  readonly #endpoint: Endpoint
  readonly #calls: DraftCalls
  #text: string[] = []
  #refusal = ''
  #thoughtChars = 0
  #callChars = 0
  #finish: string | null = null
  #choices = 0
  #usage: PartUsage = {}

  constructor(names: ToolNames, endpoint: Endpoint) {
    this.#endpoint = endpoint
    this.#calls = new DraftCalls(names)
  }

  /** Whether anything of the answer came. */
  get begun(): boolean {
    return this.#text.length > 0 || this.#calls.size > 0 || this.#thoughtChars > 0
  }

  /** Whether the server said that the answer is complete. */
  get finished(): boolean {
    return this.#finish !== null
  }

  /** Takes a piece of a stream, or a whole message, and returns what was said in it, thoughts too. */
  add(chunk: unknown): string {
    if (!isRecord(chunk)) throw new Broken(`it sent ${JSON.stringify(chunk)}`)
    if (chunk.error || (chunk.object === 'error' && chunk.choices === undefined))
      throw new Refusal(0, new Map(), JSON.stringify(chunk))
    this.#usage = { ...this.#usage, ...usageOf(chunk) }
    const choice: unknown = (Array.isArray(chunk.choices) ? chunk.choices : []).find(
      (one: unknown) => isRecord(one) && (one.index ?? 0) === 0,
    )
    if (!isRecord(choice)) return ''
    this.#choices++
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '')
      this.#finish = choice.finish_reason.toLowerCase()
    if (isRecord(choice.delta)) return this.#addMessage(choice.delta)
    if (!isRecord(choice.message)) return ''
    // A whole message says again what came in pieces before.
    if (this.#text.length > 0 && textIn(choice.message.content) !== '') this.#text = []
    this.#finish ??= 'stop'
    return this.#addMessage(choice.message)
  }

  /** What the server says when it is done. A choice in which nothing could be read is not done by that. */
  end(): void {
    if (this.begun || this.#choices === 0) this.#finish ??= 'stop'
  }

  reply(request: ChatRequest, sentChars: number): ChatReply {
    if (this.#choices === 0)
      throw new Fault(
        'model/bad-answer',
        "The model's server sent an answer with nothing in it. It is asked again later; if this goes on, look at the server's log.",
      )
    if (this.#refusal !== '' || /^(?:content_filter|safety|refusal)$/.test(this.#finish ?? ''))
      throw refused(this.#refusal, this.#endpoint)
    if (this.#finish === 'error')
      throw new Fault(
        'model/bad-answer',
        "The model's server broke its answer off because of an error of its own. It is asked again later; if this goes on, look at the server's log.",
      )
    const text = this.#text.join('')
    return {
      text: withoutThinking(text),
      calls: this.#calls.finish(request.messages),
      usage: countedUsage(this.#usage, {
        prompt: sentChars,
        answer: text.length + this.#callChars + this.#thoughtChars,
      }),
      cutOff: this.#finish === 'length' || this.#finish === 'max_tokens',
    }
  }

  #addMessage(message: Record<string, unknown>): string {
    const text = textIn(message.content)
    if (text !== '') this.#text.push(text)
    if (typeof message.refusal === 'string') this.#refusal += message.refusal
    // The same thought under two names is one thought.
    const thought = [message.reasoning_content, message.reasoning].map(textIn).find((one) => one !== '') ?? ''
    const thoughtPart = thought + thoughtIn(message.content)
    this.#thoughtChars += thoughtPart.length
    const pieces: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
    const calls = pieces.map((piece) => this.#calls.add(piece)).join('')
    this.#callChars += calls.length
    return thoughtPart + text + calls
  }
}

const refused = (words: string, endpoint: Endpoint): Fault =>
  new Fault(
    'model/refused',
    `The model, or a filter in front of it, refused to answer${quoted(words, endpoint, ' and said: ') || '.'} Change the task's words, or use another model.`,
    { address: endpoint.address, model: endpoint.model },
  )

/** Content is text, or a list of parts, of which some are thoughts. */
const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : partsIn(content, (type) => type === 'text' || type === 'output_text')

const thoughtIn = (content: unknown): string =>
  typeof content === 'string' ? '' : partsIn(content, (type) => type === 'thinking' || type === 'reasoning')

const partsIn = (content: unknown, wanted: (type: unknown) => boolean): string =>
  (Array.isArray(content) ? content : [])
    .map((part: unknown) => (isRecord(part) && wanted(part.type) ? (part.text ?? part.thinking) : ''))
    .map((text: unknown) => (typeof text === 'string' ? text : Array.isArray(text) ? partsIn(text, () => true) : ''))
    .join('')

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
