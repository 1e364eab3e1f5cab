import { Fault, type FaultCode } from '../../domain/errors.ts'
import type { News } from '../../domain/news.ts'
import { gone } from '../gone.ts'
import type { StepView } from '../inspector.ts'
import type { MethodTable } from '../methods/index.ts'
import type { Snake } from '../snake.ts'
import { fromWire } from '../wire-error.ts'
import { Live } from './live.ts'
import { globalSocket, type OpenSocket } from './socket.ts'
import { wait } from './wait.ts'

export type { MethodTable } from '../methods/index.ts'
export type { ClientSocket, OpenSocket } from './socket.ts'
export { Fault }

export type MethodName = keyof MethodTable
export type Params<Name extends MethodName> = MethodTable[Name]['params']
export type Result<Name extends MethodName> = MethodTable[Name]['result']
/** A piece of news as it comes over the wire. */
export type WireNews = Snake<News>
export type Step = StepView

export interface ClientOptions {
  /** Where undermind listens, as `.undermind/daemon.json` has it: `http://127.0.0.1:4711`. */
  url: string
  /** As `.undermind/token` has it. In the dashboard's own page there is none: its cookie goes along. */
  token?: string
  fetch?: typeof globalThis.fetch
  /** Needed in Node 20, which has no WebSocket of its own. */
  webSocket?: OpenSocket
}

export interface Subscription {
  close(): void
}

export interface StepsQuery {
  actor?: string
  kind?: string
  /** Steps after this one come first. */
  sinceSeq?: number
}

/** A client of a running undermind, typed by the table of its methods. */
export interface Client {
  /**
   * Calls a method. Rejects with a `Fault`: what the other side says, with its code, or `daemon/gone` where nobody knows
   * whether the request was taken.
   */
  call<Name extends MethodName>(method: Name, ...params: ParamsOf<Name>): Promise<Result<Name>>
  /**
   * Hears of news. After the connection was lost and found again `again` is called: what came meanwhile was not heard, so
   * that what is known must be read anew.
   */
  news(hear: (news: WireNews) => void, hooks?: { again?(): void; refused?(error: Error): void }): Subscription
  /**
   * Hears of committed steps, each once and in order; those that were missed while the connection was lost come first.
   * `reset` is called where the store is another one than before, so that nothing is known of the steps between.
   */
  steps(
    query: StepsQuery,
    hear: (step: Step) => void,
    hooks?: { reset?(): void; refused?(error: Error): void },
  ): Subscription
  close(): void
}

/** Parameters may be left out where none must be given. */
type ParamsOf<Name extends MethodName> =
  Record<string, never> extends Params<Name> ? [params?: Params<Name>] : [params: Params<Name>]

const nothing = () => {}

/** Makes a client. It connects when it is first used. */
export function createClient(options: ClientOptions): Client {
  const base = options.url.replace(/\/+$/, '')
  const headers: Record<string, string> = options.token ? { authorization: `Bearer ${options.token}` } : {}
  const { fetch = globalThis.fetch.bind(globalThis), webSocket = globalSocket } = options
  const live = new Live({
    open: () => webSocket(`${base.replace(/^http/, 'ws')}/rpc`, headers),
    wait,
    refusal: () => call('events.subscribe', {}).then(() => null, asRefusal),
  })
  let lastId = 0

  async function call(method: string, params: object): Promise<unknown> {
    let answer: Response
    try {
      answer = await fetch(`${base}/rpc`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method, params, id: ++lastId }),
      })
    } catch {
      throw gone('undermind could not be reached')
    }
    const said = await read(answer)
    if (answer.ok && 'result' in said) return said.result
    throw 'jsonrpc' in said ? fromWire(said.error) : refusalOf(said, answer.status)
  }

  return {
    call: (method, ...[params]) => call(method, params ?? {}) as Promise<never>,
    news(hear, { again = nothing, refused = nothing } = {}) {
      const close = live.listen({
        method: 'events.subscribe',
        params: () => ({}),
        begun: (_, isAgain) => {
          if (isAgain) again()
        },
        refused,
        notification: 'events.news',
        hear: (news) => hear(news as WireNews),
      })
      return { close }
    },
    steps({ actor, kind, sinceSeq }, hear, { reset = nothing, refused = nothing } = {}) {
      const subscription = `client-${++lastId}`
      let last = sinceSeq
      const close = live.listen(
        {
          method: 'inspector.subscribe',
          params: () => ({
            subscription,
            ...(actor !== undefined && { actor }),
            ...(kind !== undefined && { kind }),
            ...(last !== undefined && { since_seq: last }),
          }),
          begun(answer) {
            const { from } = answer as { from: number }
            if (last !== undefined && from < last) reset()
            last = from
          },
          refused,
          notification: 'inspector.step',
          hear(params) {
            const { subscription: name, ...step } = params as Step & { subscription: string }
            if (name !== subscription) return
            last = step.seq
            hear(step)
          },
        },
        { method: 'inspector.unsubscribe', params: { subscription } },
      )
      return { close }
    },
    close: () => live.close(),
  }
}

async function read(answer: Response): Promise<Record<string, unknown>> {
  try {
    const said: unknown = await answer.json()
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whoever is let in is told that HTTP carries no news; that, and nobody being there, is no refusal. */
const asRefusal = (error: unknown): Error | null =>
  error instanceof Fault && error.code.startsWith('door/') && error.data.status !== 429 ? error : null

/** What the door says before anything is asked. */
function refusalOf({ error }: Record<string, unknown>, status: number): Fault {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  if (typeof code === 'string' && typeof message === 'string') {
    return Fault.use(code as FaultCode, message, { status })
  }
  return gone(`Something else answers there, with status ${status}`)
}
