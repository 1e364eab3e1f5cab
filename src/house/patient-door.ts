import { Fault } from '../domain/errors.ts'
import type { Door } from '../rpc/door.ts'

export interface PatientParts {
  /** Opens the workspace at once. */
  now(): Promise<Door>
  /** Opens it when whoever has it has finished. */
  later(): Promise<Door>
  /** Opens it beside whoever has it, to look only. */
  view(inUse: Fault): Promise<Door>
}

/** Methods that change nothing: they need not wait for whoever has the workspace open. */
const looks = new Set([
  'rpc.discover',
  'subconscious.status',
  'subconscious.tasks_list',
  'subconscious.goals_list',
  'subconscious.log_list',
  'subconscious.notifications_list',
  'subconscious.escalations_list',
  'subconscious.escalations_get',
  'subconscious.why',
  'subconscious.replay',
  'subconscious.doctor',
  'orchestration.sessions_list',
  'orchestration.messages_list',
  'orchestration.status',
  'orchestration.attention',
  'orchestration.steering_list',
  'inspector.actors',
  'inspector.actor',
  'inspector.definition',
  'inspector.history',
  'inspector.messages',
])

/** What a model uses is put down, so that asking one is no look. */
const onlyLooks = (method: string, params: Parameters<Door['call']>[1]): boolean =>
  looks.has(method) && params?.model === undefined

/**
 * A door to a workspace in this process. Where another process has the workspace open without answering for it, what only
 * looks is answered beside it, and what changes something waits for it to finish.
 */
export async function patientDoor(parts: PatientParts): Promise<Door> {
  let inUse: Fault
  try {
    return await parts.now()
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'workspace/in-use') throw error
    inUse = error
  }
  let view: Promise<Door> | null = null
  let own: Promise<Door> | null = null
  const lookingDoor = (): Promise<Door> => {
    view ??= parts.view(inUse)
    return own ?? view
  }
  const ownDoor = (): Promise<Door> => {
    own ??= parts.later()
    return own
  }
  return {
    daemon: false,
    call: async (method, params) =>
      (await (onlyLooks(method, params) ? lookingDoor() : ownDoor())).call(method, params),
    subscribe: async (listener) => (await ownDoor()).subscribe(listener),
    watch: async (query, listener) => (await ownDoor()).watch(query, listener),
    async [Symbol.asyncDispose]() {
      for (const door of [view, own]) await (await door?.catch(() => null))?.[Symbol.asyncDispose]()
    },
  }
}
