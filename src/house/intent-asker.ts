import type { ChatModel } from '../domain/chat.ts'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Intent } from '../domain/task.ts'
import { classifyIntent } from '../models/language/intent.ts'
import { memoryWorld } from './blank-task.ts'
import type { Calls, OpenCall } from './calls.ts'
import type { Routes } from './routes.ts'

export interface IntentAskerParts {
  routes: Pick<Routes, 'ready' | 'chatOf' | 'route'>
  calls: Pick<Calls, 'begin' | 'record'>
  clock: Clock
}

/** What a model says that a task's words ask for; null where none is there, or it does not say in time. Never throws. */
export type IntentAsker = (task: TaskId, title: string) => Promise<Intent | null>

/** Whoever adds a task waits for it. */
const patience = 5 * second

/** Asks whoever judges tasks, where that is a language model. */
export const intentAsker =
  (parts: IntentAskerParts): IntentAsker =>
  async (task, title) => {
    const { clock } = parts
    const waiting = new AbortController()
    let callOff = () => {}
    const tooLate = new Promise<null>((resolve) => {
      callOff = clock.wakeAt(clock.now() + patience, () => {
        waiting.abort(new Fault('model/timeout', 'The model did not say in time whether the task may write.'))
        resolve(null)
      })
    })
    try {
      // A model that does not heed the signal is not waited for either.
      return await Promise.race([ask(parts, task, title, waiting.signal), tooLate])
    } catch {
      return null
    } finally {
      callOff()
    }
  }

async function ask(
  { routes, calls }: IntentAskerParts,
  task: TaskId,
  title: string,
  signal: AbortSignal,
): Promise<Intent | null> {
  await routes.ready(signal)
  const chat = routes.chatOf('judge')
  if (!chat) return null
  let open: OpenCall | undefined
  let failure: unknown
  const counted: ChatModel = {
    ...chat,
    async chat(request, given) {
      const { promptTokens, messages } = request
      const unnamed = { tick: null, batch: null, evaluation: null }
      const facts = { ...unnamed, purpose: 'intent' as const, world: memoryWorld, tasks: [task], provider: chat }
      open = calls.begin({ ...facts, route: routes.route('judge'), prompt: JSON.stringify(messages), promptTokens })
      try {
        return await open.ask(() => chat.chat(request, given))
      } catch (error) {
        failure = error
        throw error
      }
    },
  }
  try {
    return await classifyIntent(counted, title, signal)
  } finally {
    if (failure !== undefined) await open?.failed(failure)
    else if (open) await calls.record(open.ended())
  }
}
