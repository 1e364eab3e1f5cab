import type { Ollama } from 'ollama'
import { z } from 'zod'
import { Refusal, saysMissing } from './faults.ts'

/** What Ollama knows of a model; null where this server does not say. */
export interface Shown {
  contextTokens: number | null
  chats: boolean | null
  tools: boolean | null
  thinks: boolean | null
}

const Answer = z.looseObject({
  capabilities: z.array(z.string()).optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  template: z.string().optional().catch(undefined),
})

/** Null when there is no such model. Throws a `Refusal` or a Fault as the client does. */
export const show = async (client: Ollama, model: string): Promise<Shown | null> => {
  try {
    return read(Answer.parse(await client.show({ model })))
  } catch (error) {
    if (error instanceof Refusal && saysMissing(error)) return null
    throw error
  }
}

const read = ({ capabilities, model_info: info, template }: z.infer<typeof Answer>): Shown => {
  const has = (capability: string) => capabilities?.includes(capability) ?? null
  const length = Object.entries(info ?? {}).find(([key]) => /^[^.]+\.context_length$/.test(key))?.[1]
  return {
    contextTokens: typeof length === 'number' && Number.isInteger(length) && length > 0 ? length : null,
    chats: has('completion'),
    // A server too old to name capabilities offers tools to every model whose template has a place for them.
    tools: has('tools') ?? template?.includes('.Tools') ?? null,
    thinks: has('thinking'),
  }
}
