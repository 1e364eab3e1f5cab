import type { ActorLogic, Snapshot } from 'xstate'
import type { Failure } from '../domain/errors.ts'

/** What a piece of work reports when it ends. */
export type WorkEvent<Output> = { type: 'work.done'; output: Output } | { type: 'work.failed'; error: Failure }

export type WorkSnapshot<Input, Output> = Snapshot<Output> & { input: Input | undefined }

/** Every order of work names which visit of its state it belongs to, so that a state entered again orders anew. */
export interface Visit {
  visit: number
}

export type Chair<Input extends Visit, Output> = ActorLogic<WorkSnapshot<Input, Output>, WorkEvent<Output>, Input>

/**
 * An empty chair in a chart for work done outside it: it waits for `work.done` or `work.failed`. A host seats it by
 * ordering the work when it starts; the chart alone can be drawn, walked and replayed.
 */
export const chair = <Input extends Visit, Output>(): Chair<Input, Output> => ({
  getInitialSnapshot: (_scope, input) => ({ status: 'active', output: undefined, error: undefined, input }),
  transition: (snapshot, event) => {
    switch (event.type) {
      case 'work.done':
        return { status: 'done', output: event.output, error: undefined, input: undefined }
      case 'work.failed':
        return { status: 'error', output: undefined, error: event.error, input: undefined }
      default:
        return snapshot
    }
  },
  getPersistedSnapshot: (snapshot) => snapshot,
  restoreSnapshot: (snapshot) => snapshot as WorkSnapshot<Input, Output>,
})
