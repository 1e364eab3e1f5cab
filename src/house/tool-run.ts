import type { Clock } from '../domain/clock.ts'
import type { EvaluationId, OutboxKey } from '../domain/ids.ts'
import type { ToolRun } from '../domain/tool.ts'
import type { Stores } from './stores.ts'

/** What a tool is handed when it runs: before-images go to the store under the key of the call. */
export const toolRun = (
  { stores, clock }: { stores: Stores; clock: Clock },
  key: OutboxKey,
  evaluation: EvaluationId,
  signal: AbortSignal,
): ToolRun => ({
  key,
  evaluation,
  signal,
  now: clock.now(),
  keepBefore: (image) => stores.records.keepImage(key, evaluation, image, clock.now()),
  kept: () => stores.records.image(key),
})
