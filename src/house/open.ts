import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaultPoint } from '../actors/host.ts'
import type { Source } from '../domain/change.ts'
import type { ChatModel } from '../domain/chat.ts'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Provider } from '../domain/model.ts'
import type { Channel } from '../domain/session.ts'
import type { Tool } from '../domain/tool.ts'
import type { OwnPorts, Profile } from '../domain/world.ts'
import { maskSecrets } from '../memory/secrets.ts'
import { Runtime, type RuntimeOptions } from '../runtime.ts'
import { userConfigDir as platformConfigDir } from '../settings/config-dir.ts'
import { openKnownStores } from '../settings/known-stores.ts'
import { type LoadedSettings, loadSettings } from '../settings/load.ts'
import { openTrustStore } from '../settings/trust.ts'
import { openWorkspace, type WorkspacePaths } from '../settings/workspace.ts'
import { builtinTools } from '../skills/tools.ts'
import { sources as sourceKinds } from '../sources/index.ts'
import { lazyProvider } from './lazy-provider.ts'
import { givenMinds, mindsOf } from './minds.ts'
import { readPlainFile } from './plain-file.ts'
import { isForeign, markAsOurs } from './store-origin.ts'
import { systemClock, systemRandom } from './system-clock.ts'

export interface OpenOptions {
  /** The workspace's folder; it must have been made one by `init`. */
  workspace: string
  /** By dotted key, over every file and the environment: `{ 'heartbeat.interval_minutes': 15 }`. */
  settings?: Readonly<Record<string, unknown>>
  /** Whether the workspace may be written to. Not given: what the user has said, kept outside the workspace. */
  trusted?: boolean
  /** What it reads. Not given: the workspace's own folder. */
  sources?: readonly Source[]
  /** Who judges. Not given: as the settings say. */
  provider?: Provider
  /** Who works with tools and looks deeper, beside a given provider. */
  agent?: ChatModel
  /** Who answers other agents at once, beside a given provider. Not given: nobody, and the agent answers all. */
  reflex?: ChatModel
  /** Where answers to other agents and to the user's own chat leave through, beside the rows. */
  channel?: Channel
  /** Tools beside or in place of the built-in ones. */
  tools?: readonly Tool[]
  /** Worlds beside the built-in ones, each by its profile. */
  worlds?: readonly Profile<OwnPorts>[]
  clock?: Clock
  random?: () => number
  env?: Readonly<Record<string, string | undefined>>
  userConfigDir?: string
  /** How long to wait for another process that has the workspace open. */
  waitMs?: number
  /** Only look, beside the process that has the workspace open; whoever tries to change something is told this. */
  view?: Fault
  /** Called around commits and work; for tests that stop the process there. */
  fault?: (point: FaultPoint) => void
}

export interface Opened {
  runtime: Runtime
  paths: WorkspacePaths
  loaded: LoadedSettings
  tools: ReadonlyMap<string, Tool>
}

const retryEvery = second / 10

/**
 * Opens a workspace in this process. Nothing runs by itself until `runtime.start()`.
 * Throws what settings, workspace and store have to say, and `workspace/in-use` when another process keeps it.
 */
export async function openHouse(options: OpenOptions): Promise<Opened> {
  const env = options.env ?? process.env
  const userConfigDir = options.userConfigDir ?? platformConfigDir(env)
  const paths = await openWorkspace(options.workspace)
  const trusted = options.trusted ?? isTrusted(paths, userConfigDir)
  const loaded = loadSettings({
    workspace: paths.root,
    userConfigDir,
    env,
    trusted,
    ...(options.settings && { overrides: options.settings }),
  })
  const { settings } = loaded
  const root = await realpath(paths.root)
  const notifications: { runtime?: Runtime } = {}
  const tools = builtinTools({
    root,
    commands: settings.tools.commands,
    mask: maskSecrets,
    clock: options.clock ?? systemClock,
    env,
    images: (evaluation) => notifications.runtime?.stores.records.images(evaluation) ?? [],
    notify: ({ key, title, body: given, at }) => {
      const body = given ?? ''
      // The row is durable when the tool returns; the news of it may follow.
      const isNew = notifications.runtime?.stores.records.notify({ key, kind: 'notify', title, body, at })
      if (isNew) void notifications.runtime?.host.write((turn) => turn.news({ type: 'notification', title, body }))
    },
  })
  for (const tool of options.tools ?? []) tools.set(tool.name, tool)
  const folder = () =>
    sourceKinds.folder({
      root,
      own: settings.sources.own,
      ignore: settings.sources.ignore,
      maxFileBytes: settings.sources.max_file_bytes,
    })
  const isNew = !existsSync(paths.db)
  const parts: RuntimeOptions = {
    workspace: root,
    db: paths.db,
    lock: paths.lock,
    heartbeatFile: paths.heartbeatFile,
    settings,
    trusted,
    sources: options.sources ?? [folder()],
    minds: (guard) =>
      options.provider
        ? givenMinds(options.provider, options.agent && guard(options.agent), options.reflex)
        : mindsOf({
            settings,
            env,
            clock: options.clock ?? systemClock,
            random: options.random ?? systemRandom,
            builtin: builtinModel(root),
            guard,
          }),
    tools,
    ...(options.worlds && { worlds: options.worlds }),
    ...(options.clock && { clock: options.clock }),
    ...(options.random && { random: options.random }),
    ...(options.channel && { channel: options.channel }),
    ...(options.fault && { fault: options.fault }),
  }
  const runtime = options.view
    ? Runtime.view(parts, options.view)
    : await whenFree(options.waitMs ?? 0, options.clock ?? systemClock, () => Runtime.open(parts))
  if (isNew && !options.view) markAsOurs(runtime.stores, openKnownStores(userConfigDir))
  notifications.runtime = runtime
  return { runtime, paths, loaded, tools }
}

/** A yes is not for a store that was made elsewhere: another folder may stand by now where the user's own was. */
export const isTrusted = (paths: WorkspacePaths, userConfigDir: string): boolean =>
  openTrustStore(userConfigDir).isTrusted(paths.root).trusted && !isForeign(paths, openKnownStores(userConfigDir))

const builtinModel = (root: string): Provider =>
  lazyProvider({ id: 'builtin', model: 'builtin', contextTokens: 1_000_000 }, async () => {
    const { builtinProvider } = await import('../models/builtin/provider.ts')
    return builtinProvider({ agenda: () => readAgenda(root) })
  })

const largestAgenda = 1024 * 1024

const readAgenda = async (root: string): Promise<string | null> => {
  const found = await readPlainFile(join(root, 'AGENDA.md'), largestAgenda).catch(() => null)
  return found?.kind === 'read' ? found.bytes.toString('utf8') : null
}

/** A command that holds the workspace is soon done: waits for it as long as allowed. */
async function whenFree<T>(waitMs: number, clock: Clock, open: () => Promise<T>): Promise<T> {
  const until = clock.now() + waitMs
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const inUse = error instanceof Fault && error.code === 'workspace/in-use'
      if (!inUse || clock.now() >= until) throw error
      await new Promise<void>((next) => clock.wakeAt(clock.now() + retryEvery, next))
    }
  }
}
