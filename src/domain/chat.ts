import type { JSONType } from './json.ts'
import type { Usage } from './model.ts'

/** One turn of a conversation with a model. A tool's answer names the call that it answers. */
export type ChatMessage =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ChatCall[] }
  | { role: 'tool'; call: string; tool: string; text: string }

/** A use of a tool as a model wrote it; `arguments` is JSON text that nobody has looked at yet. */
export interface ChatCall {
  id: string
  tool: string
  arguments: string
}

/** A tool as it is offered to a model; `parameters` is a JSON schema. */
export interface ChatTool {
  name: string
  description: string
  parameters: { [key: string]: JSONType }
}

export interface ChatRequest {
  messages: readonly ChatMessage[]
  tools?: readonly ChatTool[]
  /** What the answer has to look like, as a JSON schema; a provider that cannot hold a model to it asks in words. */
  schema?: { name: string; schema: { [key: string]: JSONType } }
  /** Tokens the prompt has, estimated from above. */
  promptTokens: number
  /** Tokens the answer may have. */
  maxTokens: number
}

export interface ChatReply {
  /** Without what the model thought on the way. */
  text: string
  calls: ChatCall[]
  usage: Usage
  /** True when the model stopped before its end. */
  cutOff: boolean
}

/** What a provider knows of one of its models. */
export interface ModelFacts {
  model: string
  contextTokens: number
  /** Whether it can use tools; null when only trying would tell. */
  tools: boolean | null
}

/**
 * A model that is talked to. Faults: `model/unreachable`, `model/missing`, `model/key-refused`, `model/timeout`,
 * `model/rate-limited`, `model/busy` pass with time or a correction; `model/too-large`, `model/quota` and
 * `model/no-tools` do not pass by trying again; `model/runaway`, `model/truncated` and `model/bad-answer` are about one
 * answer.
 */
export interface ChatModel {
  /** Of the provider: `ollama`, `openai`. */
  readonly id: string
  readonly model: string
  readonly contextTokens: number
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>
  /** Asks the provider, without a word to the model, whether it is there and what the model can do. */
  facts(signal: AbortSignal): Promise<ModelFacts>
}
