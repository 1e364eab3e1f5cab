import type { ChatModel } from '../domain/chat.ts'
import { type Clock, second } from '../domain/clock.ts'
import { Fault, failureOf } from '../domain/errors.ts'
import type { Provider } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { countTokens } from '../memory/tokens.ts'
import { lazyChat } from './lazy-chat.ts'
import { lazyProvider } from './lazy-provider.ts'
import type { NamedMind } from './named-mind.ts'
import type { Found, Mind, RoutesParts } from './routes.ts'

export interface MindParts {
  settings: Settings
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  random(): number
  builtin: Provider
  /** Lets the cloud model be asked only as far as its budget allows. */
  guard: Guard
}

export type Guard = (chat: ChatModel) => ChatModel

/** Who can be asked, and how the local one is found. */
export interface Minds extends Pick<RoutesParts, 'firstLocal' | 'findLocal' | 'cloud'> {
  /** See `namedMind`. */
  named(name: string, signal: AbortSignal): Promise<NamedMind>
}

export const mindsOf = (parts: MindParts): Minds => ({
  firstLocal: firstLocal(parts),
  findLocal: (signal) => findLocal(parts, signal),
  cloud: cloudMind(parts),
  named: async (name, signal) => (await import('./named-mind.ts')).namedMind(name, parts, signal),
})

/** A provider that was handed in judges everything; an agent beside it works with tools, and a reflex answers at once. */
export function givenMinds(provider: Provider, agent: ChatModel | undefined, reflex?: ChatModel): Minds {
  const local: Found = { mind: { provider, chat: reflex ?? null, tools: false }, available: true, reason: null }
  const cloud: Mind | null = agent ? { provider: talking(agent), chat: agent, tools: null } : null
  return {
    firstLocal: local,
    findLocal: async () => local,
    cloud,
    async named(name) {
      if (name === 'local') return { mind: local.mind, route: 'local' }
      if (name === 'cloud' && cloud) return { mind: cloud, route: 'cloud' }
      throw Fault.use('model/unknown', `There is no model ${name} beside those that were handed in: local and cloud.`, {
        name,
      })
    },
  }
}

const usualLocalContext = 32_768
const usualCloudContext = 128_000
const usualTimeout = 300
/** Whoever is on this machine answers at once. */
const patienceForLook = 3 * second

/** The local mind before anybody has looked. */
function firstLocal({ settings, builtin }: MindParts): Found {
  const { provider: wanted, model = 'any' } = settings.models.local
  const byRules: Mind = { provider: builtin, chat: null, tools: false }
  if (wanted === 'builtin') return { mind: byRules, available: true, reason: null }
  const reason = 'a language model is looked for when there is something to judge'
  if (wanted === 'auto') return { mind: byRules, available: true, reason }
  const unknown = new Fault('model/unreachable', `${wanted} has not been looked for yet.`, {}, 'unreachable')
  return { mind: absent(wanted, model, unknown), available: true, reason }
}

/** Finds the local model as the settings say. What was asked for and is not there is named, and nobody takes its place. */
export async function findLocal(parts: MindParts, signal: AbortSignal): Promise<Found> {
  const { settings, builtin, clock } = parts
  const wanted = settings.models.local.provider
  const byRules: Mind = { provider: builtin, chat: null, tools: false }
  if (wanted === 'builtin') return { mind: byRules, available: true, reason: null }
  if (wanted === 'openai') return localEndpoint(parts, signal)
  const patience = new AbortController()
  const stop = clock.wakeAt(clock.now() + patienceForLook, () => patience.abort())
  try {
    const look = wanted === 'auto' ? AbortSignal.any([signal, patience.signal]) : signal
    return { mind: await ollama(parts, look), available: true, reason: null }
  } catch (error) {
    signal.throwIfAborted()
    const { message } = failureOf(error)
    if (wanted === 'auto') {
      return { mind: byRules, available: true, reason: `no language model: ${message}` }
    }
    return { mind: absent('ollama', settings.models.local.model ?? 'any', error), available: false, reason: message }
  } finally {
    stop()
  }
}

async function ollama({ settings, env, clock }: MindParts, signal: AbortSignal): Promise<Mind> {
  const { local } = settings.models
  const [{ findOllama }, { ollamaChat }, { ollamaAddress }] = await Promise.all([
    import('../models/ollama/find.ts'),
    import('../models/ollama/chat.ts'),
    import('../models/ollama/address.ts'),
  ])
  const address = local.base_url ?? ollamaAddress(env)
  const facts = await findOllama({ address, clock, ...(local.model !== undefined && { model: local.model }) }, signal)
  const chat = ollamaChat({
    address,
    model: facts.model,
    contextTokens: Math.min(local.context_tokens ?? usualLocalContext, facts.contextTokens),
    keepAlive: local.keep_alive_minutes,
    timeoutMs: local.timeout_seconds * second,
    clock,
  })
  return { provider: talking(chat), chat, tools: facts.tools }
}

async function localEndpoint(parts: MindParts, signal: AbortSignal): Promise<Found> {
  const { local } = parts.settings.models
  try {
    if (local.model === undefined || local.base_url === undefined) {
      throw Fault.use(
        'model/not-chosen',
        'models.local.provider is "openai", which needs models.local.model and models.local.base_url beside it.',
      )
    }
    const context = local.context_tokens ?? usualLocalContext
    const timeout = local.timeout_seconds
    const chat = await endpoint(parts, { ...local, model: local.model, base_url: local.base_url, context, timeout })
    const facts = await chat.facts(signal)
    return { mind: { provider: talking(chat), chat, tools: facts.tools }, available: true, reason: null }
  } catch (error) {
    signal.throwIfAborted()
    const mind = absent('openai', local.model ?? 'any', error)
    return { mind, available: false, reason: failureOf(error).message }
  }
}

/** The cloud model of the settings; its code is loaded when it is first asked. */
export function cloudMind(parts: MindParts): Mind | null {
  const { cloud } = parts.settings.models
  if (!cloud) return null
  const { model, base_url, api_key_env } = cloud
  const context = cloud.context_tokens ?? usualCloudContext
  const timeout = cloud.timeout_seconds ?? usualTimeout
  const chat = lazyChat({ id: 'openai', model, contextTokens: context }, () =>
    endpoint(parts, { model, base_url, context, timeout, ...(api_key_env !== undefined && { api_key_env }) }),
  )
  const guarded = parts.guard(chat)
  const missing = () => (hasKey(parts.env, api_key_env) ? null : noKey(model, api_key_env).message)
  return { provider: talking(guarded), chat: guarded, tools: null, missing }
}

const hasKey = (env: MindParts['env'], variable: string | undefined): boolean =>
  variable === undefined || (env[variable] ?? '') !== ''

const noKey = (model: string, variable: string | undefined): Fault =>
  new Fault(
    'model/no-key',
    `Cannot ask ${model}: the environment variable ${variable}, which models.cloud.api_key_env names, is not set.`,
    { variable },
  )

/** The provider made from a model; its code is loaded when it is first asked. */
const talking = (chat: ChatModel): Provider =>
  lazyProvider(chat, async () => {
    const { languageProvider } = await import('../models/language/provider.ts')
    return languageProvider(chat, { countTokens })
  })

interface EndpointOf {
  model: string
  base_url: string
  context: number
  timeout: number
  api_key_env?: string
}

async function endpoint(
  { env, clock, random }: MindParts,
  { model, base_url, context, timeout, api_key_env }: EndpointOf,
): Promise<ChatModel> {
  const [{ openaiChat }, { openaiAddress }] = await Promise.all([
    import('../models/openai/chat.ts'),
    import('../models/openai/address.ts'),
  ])
  const key = api_key_env === undefined ? undefined : env[api_key_env]
  if (!hasKey(env, api_key_env)) throw noKey(model, api_key_env)
  return openaiChat({
    address: openaiAddress(base_url),
    model,
    contextTokens: context,
    timeoutMs: timeout * second,
    clock,
    random,
    ...(key !== undefined && { key }),
  })
}

/** Stands for a model that is not there: whoever asks it is told why. */
function absent(id: string, model: string, why: unknown): Mind {
  const refuse = async () => {
    throw why
  }
  const provider: Provider = {
    id,
    model,
    contextTokens: usualLocalContext,
    judge: refuse,
    execute: refuse,
    analyse: refuse,
  }
  return { provider, chat: null, tools: false }
}
