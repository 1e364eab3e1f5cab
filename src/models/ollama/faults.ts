import { Fault } from '../../domain/errors.ts'
import { shownAddress } from './address.ts'

/** Which server and model a fault is about. */
export interface Subject {
  address: string
  model: string
}

/** What Ollama answered instead of an answer: not a Fault yet, since some refusals have a way round them. */
export class Refusal extends Error {
  readonly status: number
  /** Ollama's own words; null when it was not Ollama's kind of error. */
  readonly said: string | null

  constructor(status: number, said: string | null) {
    super(said ?? `HTTP ${status}`)
    this.status = status
    this.said = said
  }
}

/** A server before 0.5 knows no schema, and some schemas are more than a later one can hold a model to. */
export const refusesFormat = ({ status, said }: Refusal): boolean =>
  (status === 400 || status === 500) && said !== null && /\bformat\b|grammar|schema/i.test(said)

/** A name that Ollama cannot read names no model either. */
export const saysMissing = ({ status, said }: Refusal): boolean =>
  said !== null &&
  ((status === 404 && /model|not found/i.test(said)) || (status === 400 && /invalid model name/i.test(said)))

export const faultOf = (refusal: Refusal, { address, model }: Subject): Fault => {
  const { status, said } = refusal
  const data = { address: shownAddress(address), model, status, said: plain(said ?? '') }
  const words = said === null ? `HTTP ${status}` : quoted(said)
  if (said !== null && /does not support (chat|generate|completion)/i.test(said)) return noChat(model)
  if (said !== null && /does not support tools/i.test(said))
    return new Fault(
      'model/no-tools',
      `${model} cannot use tools. Choose a model that can, or route work with tools to another one.`,
      data,
    )
  if (status === 413 || (said !== null && /context (length|window|size)|prompt (is )?too long/i.test(said)))
    return new Fault(
      'model/too-large',
      `The prompt is larger than ${model} can take: ${words}. Lower heartbeat.context_budget_tokens, or use a model with a longer context.`,
      data,
    )
  if (saysMissing(refusal)) return missing({ address, model })
  if (status === 401 || status === 403)
    return new Fault(
      'model/key-refused',
      `Ollama may not use ${model}: ${words}. Sign in with \`ollama signin\`, or choose a model that runs on this machine.`,
      data,
    )
  if (status === 402)
    return new Fault(
      'model/quota',
      `Ollama's account has no credit left for ${model}: ${words}. Choose a model that runs on this machine.`,
      data,
    )
  if (status === 429)
    return new Fault(
      'model/rate-limited',
      `Ollama limits how often ${model} may be asked: ${words}. It is asked again later.`,
      data,
    )
  if (status >= 500 || status === 499)
    return new Fault(
      'model/busy',
      `Ollama could not answer with ${model} just now: ${words}. It is asked again later; if this goes on, look at Ollama's log, or use a smaller model.`,
      data,
    )
  return said === null || status === 404
    ? notOllama(address, words)
    : badAnswer(`Ollama refused the request: ${words}`, data)
}

export const missing = ({ address, model }: Subject, present: readonly string[] = []): Fault =>
  new Fault(
    'model/missing',
    `Ollama does not have ${model}. Get it with: ollama pull ${shellWord(model)}${present.length === 0 ? '' : ` (or choose one that is there: ${present.slice(0, 5).map(plain).join(', ')})`}`,
    { address: shownAddress(address), model, present },
  )

export const noModel = (address: string): Fault =>
  new Fault(
    'model/missing',
    'Ollama is there, but has no model to talk to. Get one, for example with: ollama pull qwen3',
    { address: shownAddress(address) },
  )

export const noChat = (model: string): Fault =>
  new Fault('model/missing', `${model} is no model to talk to. Choose another one in models.local.model.`, { model })

export const unreachable = (address: string, why: string): Fault =>
  new Fault(
    'model/unreachable',
    `Ollama cannot be reached at ${shownAddress(address)}: ${why}. Start it with \`ollama serve\`, or correct models.local.base_url or OLLAMA_HOST.`,
    { address: shownAddress(address), why },
    'unreachable',
  )

export const notOllama = (address: string, what: string): Fault =>
  new Fault(
    'model/bad-answer',
    `What answers at ${shownAddress(address)} does not answer like Ollama (${what}). Correct models.local.base_url or OLLAMA_HOST.`,
    { address: shownAddress(address), what },
  )

/** About one answer; the sentence comes without its full stop. */
export const badAnswer = (sentence: string, data: Record<string, unknown> = {}): Fault =>
  new Fault('model/bad-answer', `${sentence}. If this goes on, update Ollama or use another model.`, data)

export const tooLarge = ({ model }: Subject, need: number, contextTokens: number): Fault =>
  new Fault(
    'model/too-large',
    `Prompt and answer need ${need} tokens, and ${model} holds ${contextTokens}. Raise models.local.context_tokens if the model can hold more, or lower heartbeat.context_budget_tokens.`,
    { model, need, contextTokens },
  )

export const truncated = ({ model }: Subject, data: Record<string, unknown>): Fault =>
  new Fault(
    'model/truncated',
    `Ollama cut the prompt for ${model} to fit its context, so the answer is about a part of it only and was not used. Raise models.local.context_tokens, or lower heartbeat.context_budget_tokens.`,
    { model, ...data },
  )

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'the host does not respond',
}

/** What became of a request that got no answer at all. */
export const connectionFault = (error: unknown, address: string): Fault => {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? ''
  if (code.startsWith('HPE_')) return notOllama(address, 'it is no HTTP')
  const said = error instanceof Error ? error.message : String(error)
  return unreachable(address, reasons[code] ?? (plain(said) || 'the connection failed'))
}

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Words from outside, on one line and short enough for a sentence. */
export const plain = (text: string): string => {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
  return line.length <= 300 ? line : `${line.slice(0, 299)}…`
}

const quoted = (said: string): string => `"${plain(said)}"`

/** A word of a command line as a shell takes it. */
const shellWord = (word: string): string =>
  /^[\w./:@][\w./:@-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
