import type { InspectorServices } from '../../rpc/inspector.ts'
import type { Runtime } from '../../runtime.ts'
import { actorOf, actorsOf } from './actors.ts'
import { definitionOf } from './definition.ts'
import { historyOf } from './history.ts'
import { messagesOf } from './messages.ts'
import { StepStream, stepFeed } from './steps.ts'

/** What the inspector's methods call, over a runtime's rows. Costs nothing while nobody watches. */
export function inspectorOf({ stores, host }: Pick<Runtime, 'stores' | 'host'>): InspectorServices {
  const stream = new StepStream(stores.inspection, (inspector) => host.inspect(inspector))
  return {
    actors: (query) => actorsOf(stores, query),
    actor: (actor) => actorOf(stores, actor),
    definition: definitionOf,
    history: (query) => historyOf(stores, query),
    messages: (query) => messagesOf(stores, query),
    steps: (query) => stepFeed(stores.inspection, stream, query),
  }
}
