/** What the model says, as pieces of the protocol. */
interface Said {
  text?: string
  /** In the field `reasoning_content`; thinking in the text is just text. */
  thinking?: string
  calls?: Array<{ id?: string; tool: string; arguments: string }>
  cutOff?: boolean
  /** Null leaves the counts out. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null
}

/** Bytes of an answer, whatever they are, and what comes behind them: its end, nothing ever, or a broken connection. */
interface Written {
  status?: number
  headers?: Record<string, string>
  /** Not given, together with an end that never comes: not even headers. */
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | undefined
  end?: 'end' | 'never' | 'break'
}

interface Told {
  status?: number
  headers?: Record<string, string>
  json: unknown
}

export type OpenAIReply = Said | Written | Told

/** One event of a stream. */
export const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** One chunk of an answer. */
export const chunk = (delta: object, finish: string | null = null, rest: object = {}): string =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1775059200,
    model: 'served',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest,
  })

export const done = event('[DONE]')

export function* piecesOf(said: Said): Generator<string> {
  const { text = '', thinking = '', calls = [], cutOff = false } = said
  yield chunk({ role: 'assistant', content: '' })
  for (const piece of split(thinking)) yield chunk({ reasoning_content: piece })
  for (const piece of split(text)) yield chunk({ content: piece })
  for (const [index, { id, tool, arguments: given }] of calls.entries()) {
    yield chunk({
      tool_calls: [{ index, id: id ?? `call_s${index}`, type: 'function', function: { name: tool, arguments: '' } }],
    })
    for (const piece of split(given)) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  yield chunk({}, cutOff ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop')
  const usage = said.usage ?? { prompt_tokens: 100, completion_tokens: Math.ceil(text.length / 4) + calls.length * 10 }
  if (said.usage !== null) yield event({ object: 'chat.completion.chunk', choices: [], usage })
  yield done
}

const split = (text: string): string[] => text.match(/[\s\S]{1,7}/gu) ?? []

/** The whole of an answer as bytes, to be cut anywhere. */
export const bytesOf = (said: Said): Uint8Array => Buffer.from([...piecesOf(said)].join(''))

/** A message that is not streamed. */
export const whole = (message: object, finish: string | null = 'stop', rest: object = {}): OpenAIReply => ({
  json: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...rest,
  },
})

export const refusal = (
  status: number,
  error: string | object,
  headers: Record<string, string> = {},
): { status: number; headers: Record<string, string>; json: unknown } => ({
  status,
  headers,
  json: { error: typeof error === 'string' ? { message: error, type: 'invalid_request_error', code: null } : error },
})

/** Everything a server can do wrong with an answer it has begun, or says to have begun. */
export const misbehaving = {
  emptyBody: { pieces: [] },
  garbage: { pieces: [new Uint8Array([0, 255, 13, 10, 200, 7, 10, 123])] },
  halfAnEvent: { pieces: [chunk({ content: 'It is ' }), 'data: {"choices":[{"index":0,"del'] },
  endsInTheMiddle: { pieces: [chunk({ content: 'It is ' })] },
  breaksInTheMiddle: { pieces: [chunk({ content: 'It is ' })], end: 'break' },
  breaksBeforeText: { pieces: [chunk({ role: 'assistant', content: '' })], end: 'break' },
  errorInTheMiddle: {
    pieces: [chunk({ content: 'It is ' }), event({ error: { code: 502, message: 'Upstream went away' } })],
  },
  eventsWithoutObjects: { pieces: [event('42'), event('null'), event('[]'), done] },
  fieldsOfAnotherForm: {
    pieces: [
      event({ choices: [{ index: 0, delta: { content: 42, tool_calls: [null, 7, { function: 3 }] } }] }),
      event({ choices: {} }),
      event({ choices: [null], usage: 'many' }),
      done,
    ],
  },
  noChoices: { pieces: [event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 0 } }), done] },
  noChoicesAtOnce: { json: { object: 'chat.completion', choices: [] } },
  htmlPage: { pieces: ['<!doctype html><title>Router</title>'], headers: { 'content-type': 'text/html' } },
  htmlGateway: { status: 502, pieces: ['<h1>502 Bad Gateway</h1>'], headers: { 'content-type': 'text/html' } },
  redirect: { status: 308, pieces: [], headers: { location: 'https://models.example/v1/chat/completions' } },
  noContent: { status: 204, pieces: [] },
  strangeStatus: { status: 799, pieces: ['?'] },
} as const satisfies Record<string, OpenAIReply>

export const silent = {
  neverAnswers: { pieces: undefined, end: 'never' },
  headersThenSilence: { pieces: [], end: 'never' },
  commentsThenSilence: { pieces: [': OPENROUTER PROCESSING\n\n'], end: 'never' },
  fallsSilent: { pieces: [chunk({ content: 'It is ' })], end: 'never' },
  silentRefusal: { status: 500, pieces: ['{"error":'], end: 'never' },
} as const satisfies Record<string, OpenAIReply>

/** Never ends: a piece of text, again and again. */
export const endless = (delta: () => object): OpenAIReply => ({
  pieces: (async function* () {
    for (;;) {
      await new Promise(setImmediate)
      yield chunk(delta())
    }
  })(),
})
