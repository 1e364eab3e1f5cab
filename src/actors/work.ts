import type { ActorId, OutboxKey } from '../domain/ids.ts'

export interface WorkRun {
  key: OutboxKey
  actor: ActorId
  /** Aborted when the actor no longer wants the result, and at shutdown. */
  signal: AbortSignal
}

/** What a check found out about work that was interrupted. */
export type Found<Output> =
  | { outcome: 'happened'; output: Output }
  | { outcome: 'notHappened' }
  | { outcome: 'unknown' }

/**
 * Does one kind of work, `<actor kind>.<chair>`. Outputs and inputs are JSON. Work that is not `repeatable` is never
 * run twice: interrupted, it is checked, and where that cannot tell it fails with `effect/unknown-outcome`.
 */
export interface WorkHandler<Input = never, Output = unknown> {
  readonly concurrency: number
  repeatable(input: Input): boolean
  run(input: Input, run: WorkRun): Promise<Output>
  check?(input: Input, run: WorkRun): Promise<Found<Output>>
}

export type WorkHandlers = Readonly<Record<string, WorkHandler>>
