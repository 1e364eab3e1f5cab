import type { Served } from '../../cli/parts.ts'
import type { Clock } from '../../domain/clock.ts'
import { dispatcher } from '../../rpc/dispatch.ts'
import { localDoor } from '../../rpc/local-door.ts'
import { methods } from '../../rpc/methods/index.ts'
import type { Services } from '../../rpc/services.ts'
import { serveSocket } from '../../rpc/socket-server.ts'
import type { Runtime } from '../../runtime.ts'
import type { WorkspacePaths } from '../../settings/workspace.ts'
import { LateDoor } from './late-door.ts'
import { openDoor } from './open-door.ts'

export interface ServeParts {
  runtime: Runtime
  services: Services
  paths: WorkspacePaths
  clock: Clock
  version: string
  /** False where somebody else may have made the store. */
  isStoreOurs: boolean
}

/**
 * Lets an opened runtime run, and answers for it: at the local socket at once, and soon at the dashboard's door. Stops in
 * the order in which others come to notice: the door, the socket, the runtime. On failure the runtime is the caller's.
 */
export async function serve({ runtime, services, paths, clock, version, isStoreOurs }: ServeParts): Promise<Served> {
  const { server } = runtime.settings
  const dispatch = dispatcher({ methods, services })
  const subscribe: Runtime['subscribe'] = (listener) => runtime.subscribe(listener)
  const { records } = runtime.stores
  const parts = { dispatch, subscribe, clock, paths, version, isStoreOurs, settings: server }
  const store = {
    kept: (name: string) => records.kept(name),
    keep: (name: string, value: unknown) => runtime.host.write(() => records.keep(name, value)),
  }
  const door = new LateDoor(server.enabled ? () => openDoor({ ...parts, ...store }) : null)
  const socket = await serveSocket({ path: paths.socket, dispatch, subscribe, clock, doorLink: () => door.link() })
  const stop = async () => {
    await door[Symbol.asyncDispose]()
    await socket[Symbol.asyncDispose]()
    await runtime[Symbol.asyncDispose]()
  }
  const local = localDoor(services, stop)
  try {
    await runtime.start()
  } catch (error) {
    await socket[Symbol.asyncDispose]()
    throw error
  }
  door.begin()
  return Object.assign(local, {
    workspace: paths.root,
    dashboard: door.opened,
    stop: async () => local[Symbol.asyncDispose](),
  })
}
