import { expect, onTestFinished } from 'vitest'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { type OllamaServer, type OllamaServerOptions, ollamaServer } from '../support/ollama-server.ts'
import { silent } from '../support/openai-replies.ts'
import { type OpenAIServer, type OpenAIServerOptions, openaiServer } from '../support/openai-server.ts'
import {
  type Asked,
  acts,
  judging,
  ollamaAsked,
  ollamaSays,
  openaiAsked,
  openaiSays,
  type Spoken,
} from '../support/served.ts'
import { until } from './scene.ts'

/** What a served model answers; `silence`: nothing at all. */
export type Brain = (asked: Asked, turn: number) => Spoken | 'silence' | Promise<Spoken | 'silence'>

/** Every task has a result at once, and every other question the answer that there is nothing. */
export const plain: Brain = (asked) =>
  asked.schema?.name === 'judgement' ? judging(asked, acts) : { text: 'Nothing.' }

/** An Ollama on loopback that thinks as told. */
export async function ollama(think: Brain = plain, options: OllamaServerOptions = {}) {
  const server = await ollamaServer(options)
  let isOpen = true
  const close = async () => {
    if (isOpen) await server[Symbol.asyncDispose]()
    isOpen = false
  }
  onTestFinished(close)
  const thinks = (brain: Brain) =>
    server.reply(async (body, turn) => {
      const spoken = await brain(ollamaAsked(body), turn)
      if (spoken === 'silence') return { pieces: null }
      // About as many as a real one would count; far fewer would look as if the prompt had been cut.
      const promptTokens = Math.ceil(JSON.stringify(body.messages).length / 4)
      return { ...ollamaSays(spoken), promptTokens }
    })
  thinks(think)
  return { server, thinks, close, port: Number(new URL(server.address).port) }
}

/** The same for a cloud endpoint. */
export async function cloud(think: Brain = plain, options: OpenAIServerOptions = {}) {
  const server = await openaiServer(options)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const thinks = (brain: Brain) =>
    server.reply(async (body, turn) => {
      const spoken = await brain(openaiAsked(body), turn)
      return spoken === 'silence' ? silent.neverAnswers : openaiSays(spoken)
    })
  thinks(think)
  return { server, thinks }
}

/** An address at which nobody is. */
export async function nobody(): Promise<string> {
  const server = await ollamaServer()
  await server[Symbol.asyncDispose]()
  return server.address
}

export const cloudAt = ({ address }: Pick<OpenAIServer, 'address'>) => ({
  'models.cloud.model': 'served',
  'models.cloud.base_url': address,
})

/** Nothing is sent to a cloud model that is there. */
export const onlyLocal = { 'models.routes.tools': 'local', 'models.routes.analyse': 'local' }

/** A house of the models that its settings name, without the seeded task. */
export async function servedHouse(options: HouseOptions = {}): Promise<House> {
  const home = await house(options)
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  return home
}

/** What a server saw, in milliseconds: how long after `act` the connection of a request that hangs was closed. */
export async function closedAfter(
  server: Pick<OllamaServer | OpenAIServer, 'requests'>,
  path: string,
  act: () => Promise<unknown>,
): Promise<number> {
  const open = () => server.requests.filter((request) => request.path === path).at(-1)
  await until(() => open() !== undefined)
  const began = performance.now()
  const closed = open()!.closed.then((how) => ({ how, after: performance.now() - began }))
  const acted = act()
  const { how, after } = await closed
  await acted
  if (how !== 'broken') throw new Error('It was answered.')
  return after
}

/** A house with an endpoint in the cloud that nothing is routed to; a test ends with nobody having asked there. */
export async function localHouse(options: HouseOptions & { OLLAMA_HOST: string }) {
  const { server } = await cloud()
  const { OLLAMA_HOST, settings, ...rest } = options
  const env = { OLLAMA_HOST }
  const home = await servedHouse({
    env,
    tasks: ['Watch the notes'],
    files: { 'notes.md': 'The venue is booked.\n' },
    settings: { ...onlyLocal, ...cloudAt(server), ...settings },
    ...rest,
  })
  return { home, env, nobodyLeft: () => expect(server.requests).toEqual([]) }
}
