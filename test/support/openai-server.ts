import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OpenAIReply, piecesOf } from './openai-replies.ts'

/** The body of /chat/completions as a client sent it. */
export interface CompletionBody {
  model: string
  messages: Array<{
    role: string
    content: string | null
    tool_call_id?: string
    tool_calls?: Array<{ id: string; type: string; function: { name: string; arguments: string } }>
  }>
  stream: boolean
  stream_options?: { include_usage: boolean }
  response_format?: { type: string; json_schema?: { name: string; schema: unknown; strict?: boolean } }
  tools?: Array<{ type: string; function: { name: string; description: string; parameters: unknown } }>
  parallel_tool_calls?: boolean
  max_tokens?: number
  max_completion_tokens?: number
}

export interface OpenAIRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** Of any shape: a client may send anything. */
  body: unknown
  /** Comes when the connection is closed, by whomever, and says whether the answer was whole by then. */
  closed: Promise<'answered' | 'broken'>
}

export interface OpenAIServer extends AsyncDisposable {
  address: string
  /** All of them, in the order they came. */
  requests: OpenAIRequest[]
  /** The bodies of those for a chat. */
  chats(): CompletionBody[]
  /** The next request to this path that nobody has been given yet. */
  next(path?: string): Promise<OpenAIRequest>
  /** What a chat is answered from now on; `turn` counts its requests from 0. */
  reply(answer: (body: CompletionBody, turn: number) => OpenAIReply | Promise<OpenAIReply>): void
  /** What another path answers instead of what it should. */
  spoil(path: string, reply: OpenAIReply): void
}

export interface OpenAIServerOptions {
  /** Entries of the list of models; null: there is no such list. */
  models?: Array<{ id: string; [more: string]: unknown }> | null
  /** The key that is wanted. */
  key?: string
}

const chatPath = '/v1/chat/completions'

/** An OpenAI-compatible server on loopback that answers what it is told to. */
export async function openaiServer(options: OpenAIServerOptions = {}): Promise<OpenAIServer> {
  const { models = [{ id: 'served', object: 'model', owned_by: 'test' }], key } = options
  const requests: OpenAIRequest[] = []
  const waiting: Array<{ path: string; take: (request: OpenAIRequest) => void }> = []
  const untaken: OpenAIRequest[] = []
  const spoilt = new Map<string, OpenAIReply>()
  let answer: Parameters<OpenAIServer['reply']>[0] = () => ({ text: 'Hello.' })
  let turn = 0

  const record = (message: IncomingMessage, response: ServerResponse, body: unknown) => {
    const path = message.url ?? ''
    const closed = new Promise<'answered' | 'broken'>((tell) =>
      response.once('close', () => tell(response.writableFinished ? 'answered' : 'broken')),
    )
    const request = { method: message.method ?? '', path, headers: message.headers, body, closed }
    requests.push(request)
    const index = waiting.findIndex((other) => other.path === path)
    if (index === -1) untaken.push(request)
    else waiting.splice(index, 1)[0]?.take(request)
  }

  const usualReply = async (message: IncomingMessage, body: unknown): Promise<OpenAIReply> => {
    if (key !== undefined && message.headers.authorization !== `Bearer ${key}`)
      return {
        status: 401,
        json: {
          error: { message: `Incorrect API key provided: ${message.headers.authorization}`, code: 'invalid_api_key' },
        },
      }
    if (message.url === '/v1/models' && models !== null) return { json: { object: 'list', data: models } }
    if (message.url !== chatPath) return { status: 404, json: { detail: 'Not Found' } }
    return await answer(body as CompletionBody, turn++)
  }

  const server = createServer((message, response) => {
    const handle = async () => {
      const body = await bodyOf(message)
      record(message, response, body)
      await write(response, spoilt.get(message.url ?? '') ?? (await usualReply(message, body)))
    }
    handle().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    chats: () => requests.filter(({ path }) => path === chatPath).map(({ body }) => body as CompletionBody),
    next(path = chatPath) {
      const index = untaken.findIndex((request) => request.path === path)
      const [found] = index === -1 ? [] : untaken.splice(index, 1)
      return found ? Promise.resolve(found) : new Promise((take) => waiting.push({ path, take }))
    },
    reply(next) {
      answer = next
      turn = 0
    },
    spoil: (path, reply) => void spoilt.set(path, reply),
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

const write = async (response: ServerResponse, reply: OpenAIReply): Promise<void> => {
  if ('json' in reply) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(reply.json))
    return
  }
  const written = 'pieces' in reply ? reply : { pieces: piecesOf(reply) }
  const { status = 200, headers = {}, end = 'end', pieces } = { headers: undefined, ...written }
  if (pieces === undefined) return
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  for await (const piece of pieces) {
    if (response.destroyed) return
    // Rejects when the connection is closed meanwhile.
    if (!response.write(piece)) await once(response, 'drain', { signal: closed.signal })
  }
  if (end === 'end') response.end()
  // What was written goes out before the connection breaks.
  if (end === 'break') setImmediate(() => response.destroy())
}
