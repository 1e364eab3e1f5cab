import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OllamaReply, piecesOf } from './ollama-replies.ts'

/** A model the server has; what is left out is not told, as by an old server. */
export interface ServedModel {
  name: string
  capabilities?: string[]
  contextLength?: number
  family?: string
  template?: string
}

/** The body of /api/chat as a client sent it. */
export interface ChatBody {
  model: string
  messages: Array<{
    role: string
    content: string
    tool_name?: string
    tool_calls?: Array<{ function: { name: string; arguments: unknown } }>
  }>
  stream: boolean
  format?: unknown
  tools?: Array<{ type: string; function: { name: string; description: string; parameters: unknown } }>
  think?: boolean
  keep_alive?: string | number
  options: { num_ctx?: number; num_predict?: number }
}

export interface OllamaRequest {
  method: string
  path: string
  /** Of any shape: a client may send anything. */
  body: unknown
  /** Comes when the connection is closed, by whomever, and says whether the answer was whole by then. */
  closed: Promise<'answered' | 'broken'>
}

export interface OllamaServer extends AsyncDisposable {
  address: string
  /** All of them, in the order they came. */
  requests: OllamaRequest[]
  /** The bodies of those to /api/chat. */
  chats(): ChatBody[]
  /** The next request to this path that nobody has been given yet. */
  next(path: string): Promise<OllamaRequest>
  /** What /api/chat answers from now on; `turn` counts its requests from 0. */
  reply(answer: (body: ChatBody, turn: number) => OllamaReply | Promise<OllamaReply>): void
  /** What another path answers instead of what it should. */
  spoil(path: string, reply: OllamaReply): void
  /** Every path answers as it should again. */
  mend(): void
}

export interface OllamaServerOptions {
  models?: ServedModel[]
  /** Not given: any that is free. */
  port?: number
}

const usual: ServedModel[] = [
  { name: 'qwen3:latest', capabilities: ['completion', 'tools', 'thinking'], contextLength: 40960, family: 'qwen3' },
]

/** An Ollama server on loopback that speaks the real protocol and answers what it is told to. */
export async function ollamaServer({ models = usual, port = 0 }: OllamaServerOptions = {}): Promise<OllamaServer> {
  const requests: OllamaRequest[] = []
  const waiting: Array<{ path: string; take: (request: OllamaRequest) => void }> = []
  const untaken: OllamaRequest[] = []
  const spoilt = new Map<string, OllamaReply>()
  let answer: Parameters<OllamaServer['reply']>[0] = () => ({ text: 'Hello.' })
  let turn = 0

  const record = (message: IncomingMessage, response: ServerResponse, body: unknown) => {
    const path = message.url ?? ''
    const closed = new Promise<'answered' | 'broken'>((tell) =>
      response.once('close', () => tell(response.writableFinished ? 'answered' : 'broken')),
    )
    const request = { method: message.method ?? '', path, body, closed }
    requests.push(request)
    const index = waiting.findIndex((other) => other.path === path)
    if (index === -1) untaken.push(request)
    else waiting.splice(index, 1)[0]?.take(request)
  }

  const find = (name: string) => models.find((model) => model.name === name || model.name === `${name}:latest`)

  const usualReply = async (path: string, body: unknown): Promise<OllamaReply> => {
    if (path === '/api/version') return { json: { version: '0.12.6' } }
    if (path === '/api/tags') return { json: { models: models.map(tagOf) } }
    const name = nameIn(body)
    if (path !== '/api/show' && path !== '/api/chat') return { status: 404, json: '404 page not found' }
    const model = find(name)
    if (model === undefined) return { status: 404, json: { error: `model '${name}' not found` } }
    return path === '/api/show' ? { json: shownOf(model) } : await answer(body as ChatBody, turn++)
  }

  const server = createServer((message, response) => {
    const handle = async () => {
      const body = await bodyOf(message)
      record(message, response, body)
      const path = message.url ?? ''
      await write(response, spoilt.get(path) ?? (await usualReply(path, body)), nameIn(body))
    }
    handle().catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    chats: () => requests.filter(({ path }) => path === '/api/chat').map(({ body }) => body as ChatBody),
    next(path) {
      const index = untaken.findIndex((request) => request.path === path)
      const [found] = index === -1 ? [] : untaken.splice(index, 1)
      return found ? Promise.resolve(found) : new Promise((take) => waiting.push({ path, take }))
    },
    reply(next) {
      answer = next
      turn = 0
    },
    spoil: (path, reply) => void spoilt.set(path, reply),
    mend: () => spoilt.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const bodyOf = async (message: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? null : JSON.parse(text)
}

const nameIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'model' in body ? String(body.model) : ''

const tagOf = ({ name, family = 'llama' }: ServedModel) => ({
  name,
  model: name,
  modified_at: '2026-03-01T10:00:00Z',
  size: 2_000_000_000,
  digest: 'a80c4f17acd5',
  details: { parent_model: '', format: 'gguf', family, families: [family], parameter_size: '4B' },
})

const shownOf = ({ capabilities, contextLength, family = 'llama', template }: ServedModel) => ({
  modelfile: '',
  ...(template !== undefined && { template }),
  details: { family, families: [family] },
  model_info: {
    'general.architecture': family,
    ...(contextLength !== undefined && { [`${family}.context_length`]: contextLength }),
  },
  ...(capabilities !== undefined && { capabilities }),
})

const write = async (response: ServerResponse, reply: OllamaReply, model: string): Promise<void> => {
  if ('json' in reply) {
    const text = typeof reply.json === 'string' ? reply.json : JSON.stringify(reply.json)
    response.writeHead(reply.status ?? 200, {
      'content-type': typeof reply.json === 'string' ? 'text/plain' : 'application/json',
    })
    response.end(text)
    return
  }
  const written = 'pieces' in reply ? reply : { pieces: piecesOf(model, reply) }
  const { status = 200, contentType = 'application/x-ndjson', pieces, end = 'end' } = written
  if (pieces === null) return
  response.writeHead(status, { 'content-type': contentType })
  response.flushHeaders()
  for await (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
  }
  if (end === 'end') response.end()
  if (end === 'break') response.destroy()
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    const over = () => {
      response.off('drain', over).off('close', over)
      done()
    }
    response.once('drain', over).once('close', over)
  })
