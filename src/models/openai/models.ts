import type { ModelFacts } from '../../domain/chat.ts'

/** What a list of models tells of one of them: nothing when there is no list to go by, `missing` when it is not in it. */
export type Listed =
  | { kind: 'unknown' }
  | { kind: 'missing'; others: string[] }
  | { kind: 'listed'; facts: Partial<ModelFacts> }

/** Reads the answer to `GET /models` in the shapes that servers give it. */
export const listed = (body: unknown, model: string): Listed => {
  const entries = entriesIn(body).filter(isRecord)
  if (entries.length === 0) return { kind: 'unknown' }
  const wanted = plainName(model)
  const entry =
    entries.find((one) => namesOf(one).includes(model)) ??
    entries.find((one) => namesOf(one).some((name) => plainName(name) === wanted)) ??
    // A server that has loaded one file answers for it by any name.
    (entries.length === 1 && /llama\.?cpp/i.test(String(entries[0]?.owned_by)) ? entries[0] : undefined)
  if (entry === undefined)
    return { kind: 'missing', others: entries.flatMap((one) => namesOf(one).slice(0, 1)).slice(0, 1000) }
  const contextTokens = contextOf(entry)
  const tools = toolsOf(entry)
  return {
    kind: 'listed',
    facts: { ...(contextTokens === undefined ? {} : { contextTokens }), ...(tools === null ? {} : { tools }) },
  }
}

const entriesIn = (body: unknown): unknown[] => {
  if (Array.isArray(body)) return body
  if (!isRecord(body)) return []
  return [body.data, body.models].find((list) => Array.isArray(list)) ?? []
}

const namesOf = (entry: Record<string, unknown>): string[] =>
  [entry.id, entry.name, entry.model, ...(Array.isArray(entry.aliases) ? entry.aliases : [])].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  )

/** Without what servers put around a name: a folder `models/`, a path and a file's ending, the tag `latest`. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(/^.*\/(?=[^/]*\.gguf$)/, '')
    .replace(/\.gguf$|:latest$/, '')

/** What is loaded counts before what could be. */
const contextOf = (entry: Record<string, unknown>): number | undefined => {
  const meta = isRecord(entry.meta) ? entry.meta : {}
  const top = isRecord(entry.top_provider) ? entry.top_provider : {}
  return [
    entry.loaded_context_length,
    entry.max_model_len,
    top.context_length,
    entry.context_length,
    entry.max_context_length,
    entry.context_window,
    entry.max_context_window,
    meta.n_ctx,
    meta.n_ctx_train,
  ].find((count): count is number => typeof count === 'number' && Number.isSafeInteger(count) && count > 0)
}

const toolWords = ['tools', 'tool_use', 'tool_calling', 'function_calling', 'tool-use']

const toolsOf = (entry: Record<string, unknown>): boolean | null => {
  const { supported_parameters: parameters, capabilities } = entry
  if (Array.isArray(parameters)) return parameters.includes('tools')
  if (Array.isArray(capabilities)) return capabilities.some((word) => toolWords.includes(String(word))) ? true : null
  if (!isRecord(capabilities)) return null
  const told = toolWords.map((word) => capabilities[word]).find((value) => typeof value === 'boolean')
  return typeof told === 'boolean' ? told : null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
