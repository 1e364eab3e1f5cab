/** What the model says, as pieces of the protocol. */
interface Said {
  text?: string
  /** In the field of that name; thinking in the text is just text. */
  thinking?: string
  calls?: Array<{ tool: string; arguments: unknown }>
  cutOff?: boolean
  /** Null leaves the count out, as when all was known before. */
  promptTokens?: number | null
  completionTokens?: number | null
  loadMs?: number
}

/** Bytes of an answer, whatever they are, and what comes behind them: its end, nothing ever, or a broken connection. */
interface Written {
  status?: number
  contentType?: string
  /** Null: not even headers. */
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | null
  end?: 'end' | 'never' | 'break'
}

export type OllamaReply = Said | Written | { status?: number; json: unknown }

/** One line of an answer. */
export const line = (model: string, message: object, rest: object = { done: false }): string =>
  `${JSON.stringify({ model, created_at: '2026-04-01T16:00:00.000Z', message: { role: 'assistant', content: '', ...message }, ...rest })}\n`

export function* piecesOf(model: string, said: Said): Generator<string> {
  const {
    text = '',
    thinking = '',
    calls = [],
    cutOff = false,
    promptTokens = 100,
    completionTokens,
    loadMs = 20,
  } = said
  for (const piece of split(thinking)) yield line(model, { thinking: piece })
  for (const piece of split(text)) yield line(model, { content: piece })
  for (const { tool, arguments: given } of calls)
    yield line(model, { tool_calls: [{ function: { name: tool, arguments: given } }] })
  yield line(
    model,
    {},
    {
      done: true,
      done_reason: cutOff ? 'length' : 'stop',
      total_duration: 1_000_000_000,
      load_duration: loadMs * 1e6,
      ...(promptTokens !== null && { prompt_eval_count: promptTokens }),
      ...(completionTokens !== null && {
        eval_count: completionTokens ?? Math.ceil(text.length / 4) + calls.length * 10,
      }),
    },
  )
}

const split = (text: string): string[] => text.match(/[\s\S]{1,7}/gu) ?? []

/** The whole of an answer as bytes, to be cut anywhere. */
export const bytesOf = (said: Said, model = 'qwen3'): Uint8Array => Buffer.from([...piecesOf(model, said)].join(''))

/** Everything a server can do wrong. */
export const misbehaving = {
  neverAnswers: { pieces: null },
  headersThenSilence: { pieces: [], end: 'never' },
  fallsSilent: { pieces: [line('qwen3', { content: 'It is ' })], end: 'never' },
  endsInTheMiddle: { pieces: [line('qwen3', { content: 'It is ' })] },
  breaksInTheMiddle: { pieces: [line('qwen3', { content: 'It is ' })], end: 'break' },
  breaksInsideALine: { pieces: [line('qwen3', { content: 'It is ' }), '{"model":"qw'], end: 'break' },
  halfALine: { pieces: [line('qwen3', { content: 'It is ' }).slice(0, 40)] },
  garbage: { pieces: [new Uint8Array([0, 255, 13, 10, 200, 7, 10, 123])] },
  emptyBody: { pieces: [] },
  linesWithoutObjects: { pieces: ['42\n', 'null\n', '[]\n'] },
  piecesOfAnotherForm: { pieces: ['{"message":{"content":42}}\n'] },
  errorInTheMiddle: {
    pieces: [
      line('qwen3', { content: 'It is ' }),
      '{"error":"an error was encountered while running the model: unexpected EOF"}\n',
    ],
  },
  htmlPage: { pieces: ['<!doctype html><title>Router</title>'], contentType: 'text/html; charset=utf-8' },
  htmlError: { pieces: ['<h1>502 Bad Gateway</h1>'], contentType: 'text/html', status: 502 },
  noTools: { status: 400, json: { error: 'registry.ollama.ai/library/qwen3:latest does not support tools' } },
  noFormat: {
    status: 400,
    json: { error: 'json: cannot unmarshal object into Go struct field ChatRequest.format of type string' },
  },
  noSuchSchema: { status: 500, json: { error: 'invalid JSON schema in format' } },
  noMemory: { status: 500, json: { error: 'model requires more system memory (5.6 GiB) than is available (3.4 GiB)' } },
  fullQueue: { status: 503, json: { error: 'server busy, please try again.  maximum pending requests exceeded' } },
  goneModel: { status: 404, json: { error: "model 'qwen3' not found" } },
  noChat: { status: 400, json: { error: '"nomic-embed-text" does not support chat' } },
  notSignedIn: { status: 401, json: { error: 'unauthorized' } },
  tooOften: { status: 429, json: { error: 'you have reached your hourly usage limit' } },
  promptTooLong: { status: 400, json: { error: 'the input length exceeds the context length' } },
} as const satisfies Record<string, OllamaReply>

/** Never ends: the same piece of text, again and again. */
export const endless = (text: string): OllamaReply => ({
  pieces: (async function* () {
    for (;;) {
      await new Promise(setImmediate)
      yield line('qwen3', { content: text })
    }
  })(),
})
