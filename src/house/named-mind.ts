import { Fault } from '../domain/errors.ts'
import type { Settings } from '../domain/settings.ts'
import { cloudMind, findLocal, type MindParts } from './minds.ts'
import type { Mind } from './routes.ts'

/** Who was asked for by a name, and which of the two models that is: only the cloud one has prices and a budget. */
export interface NamedMind {
  mind: Mind
  route: 'local' | 'cloud'
}

/**
 * Finds who goes by a name: `local`, `cloud`, `builtin`, `ollama:<model>` or `openai:<model>`; null is whoever judges
 * tasks. Where one is not there, asking it throws why. Throws `model/unknown` for any other name, and `model/not-chosen`
 * where the settings do not say where the model is.
 */
export async function namedMind(name: string | null, parts: MindParts, signal: AbortSignal): Promise<NamedMind> {
  const { routes, cloud } = parts.settings.models
  const wanted = name ?? (routes.judge === 'cloud' && cloud ? 'cloud' : 'local')
  const [provider, model] = parted(wanted)
  if (model === null) {
    if (provider === 'local') return local(parts, {}, signal)
    if (provider === 'cloud') return cloudOf(parts, wanted)
    if (provider === 'builtin') return local(parts, { provider }, signal)
  } else if (model !== '') {
    if (provider === 'ollama') return local(parts, { provider, model }, signal)
    if (provider === 'openai') return endpointOf(parts, model, signal)
  }
  throw Fault.use(
    'model/unknown',
    `There is no model ${wanted}. Give local, cloud, builtin, ollama:<model> or openai:<model>.`,
    { name: wanted },
  )
}

/** The name of a model may have colons of its own. */
function parted(name: string): [provider: string, model: string | null] {
  const at = name.indexOf(':')
  return at === -1 ? [name, null] : [name.slice(0, at), name.slice(at + 1)]
}

type Local = Settings['models']['local']

async function local(parts: MindParts, chosen: Partial<Local>, signal: AbortSignal): Promise<NamedMind> {
  const { mind } = await findLocal(withLocal(parts, chosen), signal)
  return { mind, route: 'local' }
}

/** An address belongs to the provider that it was set for. */
function withLocal(parts: MindParts, chosen: Partial<Local>): MindParts {
  const { models } = parts.settings
  const { base_url, ...rest } = models.local
  const isSame =
    chosen.provider === undefined || chosen.provider === (rest.provider === 'auto' ? 'ollama' : rest.provider)
  const address = isSame && base_url !== undefined ? { base_url } : {}
  return { ...parts, settings: { ...parts.settings, models: { ...models, local: { ...rest, ...address, ...chosen } } } }
}

/** Another model of the local endpoint where there is one, else of the one in the cloud. */
function endpointOf(parts: MindParts, model: string, signal: AbortSignal): NamedMind | Promise<NamedMind> {
  const { models } = parts.settings
  const isLocal = models.local.provider === 'openai' && models.cloud?.model !== model
  if (isLocal) return local(parts, { model }, signal)
  const cloud = models.cloud && { ...models.cloud, model }
  // What another model costs is not known.
  if (cloud && model !== models.cloud?.model) {
    delete cloud.input_price
    delete cloud.output_price
  }
  return cloudOf({ ...parts, settings: { ...parts.settings, models: { ...models, cloud } } }, `openai:${model}`)
}

function cloudOf(parts: MindParts, name: string): NamedMind {
  const mind = cloudMind(parts)
  if (mind) return { mind, route: 'cloud' }
  throw Fault.use(
    'model/not-chosen',
    `Cannot ask ${name}: nothing says where it is. Set model and base_url under [models.cloud] in undermind.toml.`,
    { name },
  )
}
