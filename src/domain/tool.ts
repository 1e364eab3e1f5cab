import type { EvaluationId, OutboxKey } from './ids.ts'
import type { JSONType } from './json.ts'

/** What a tool is handed when it runs. */
export interface ToolRun {
  key: OutboxKey
  evaluation: EvaluationId
  signal: AbortSignal
  now: number
  /** Remembers what stood in a file before it is written, and what will stand there, so that the write can be undone or checked. */
  keepBefore(image: BeforeImage): void
  /** The image kept under this key by an earlier attempt of the same call. */
  kept(): BeforeImage | undefined
}

/** `before` is null when there was no file. Hashes are SHA-256 of the bytes, hex. */
export interface BeforeImage {
  path: string
  before: Uint8Array | null
  beforeHash: string | null
  afterHash: string
}

/**
 * What a tool does to the world. `read` changes nothing; `notify` tells the user and nobody else; `write` changes the
 * workspace; `external` can be seen by others.
 */
export type ToolEffect = 'read' | 'notify' | 'write' | 'external'

/**
 * A built-in tool. `repeatable` tools may run again after a crash; of the others an interrupted run is `unknown` until
 * `check` can tell, or the user does.
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** Not given: `external`, the most careful. */
  readonly effect?: ToolEffect
  /** JSON schema of the arguments, as it is shown to a model. Not given: any object, explained by the description. */
  readonly parameters?: { [key: string]: JSONType }
  readonly repeatable: boolean
  /** Validates and normalises arguments; throws a Fault that says what is wrong. */
  parse(args: Record<string, JSONType>): Record<string, JSONType>
  /** What the call touches, in words for a card and for comparing with a task's effects. */
  target(args: Record<string, JSONType>): string
  run(args: Record<string, JSONType>, run: ToolRun): Promise<string>
  /** After a crash: did it happen? */
  check?(args: Record<string, JSONType>, run: ToolRun): Promise<'happened' | 'notHappened' | 'unknown'>
}
