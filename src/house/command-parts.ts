import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CliParts, Served } from '../cli/parts.ts'
import { chartOf } from '../diagrams/chart.ts'
import { toMermaid } from '../diagrams/mermaid.ts'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Settings } from '../domain/settings.ts'
import { charts } from '../machines/index.ts'
import { describeDecisions, readDecisions } from '../models/decisions.ts'
import type { Door } from '../rpc/door.ts'
import { localDoor } from '../rpc/local-door.ts'
import { connectSocket } from '../rpc/socket-client.ts'
import { userConfigDir } from '../settings/config-dir.ts'
import { adoptWorkspace, initWorkspace } from '../settings/init.ts'
import { openKnownStores } from '../settings/known-stores.ts'
import { openTrustStore } from '../settings/trust.ts'
import { workspacePaths } from '../settings/workspace.ts'
import { allowList } from '../skills/allow-list.ts'
import { intentByRule } from '../tasks/intent.ts'
import { openInBrowser } from './door/open-in-browser.ts'
import { serve } from './door/serve.ts'
import { exampleFiles } from './example.ts'
import { openHouse } from './open.ts'
import { patientDoor } from './patient-door.ts'
import { type ServicesParts, servicesOf } from './services.ts'
import { clockFrom } from './started-clock.ts'
import { openStately } from './stately.ts'
import { withStoreFaults } from './store-errors.ts'
import { isForeign, putForeignStateAside } from './store-origin.ts'
import { systemClock } from './system-clock.ts'

/** How long a command waits for another that is at work in the same workspace. */
const patience = 10 * second

type Assembled = Pick<
  CliParts,
  | 'now'
  | 'connect'
  | 'serve'
  | 'init'
  | 'trust'
  | 'parse'
  | 'eval'
  | 'diagrams'
  | 'exampleWorkspace'
  | 'openInBrowser'
  | 'stately'
>

/** What the commands need of the runtime, assembled for this process. */
export function commandParts(version: string, env: Record<string, string | undefined>, cwd: string): Assembled {
  const configDir = userConfigDir(env)
  const trust = openTrustStore(configDir)
  const clockOf = (start: string | undefined): Clock => (start === undefined ? systemClock : clockFrom(start))

  async function openHere(workspace: string, start: string | undefined, how: { waitMs?: number; view?: Fault } = {}) {
    const clock = clockOf(start)
    await adoptWorkspace(workspace)
    const opened = await openHouse({ workspace, env, userConfigDir: configDir, clock, ...how })
    const { runtime, loaded, paths, tools } = opened
    const parts: ServicesParts = {
      version,
      tools,
      ignored: [...loaded.ignored, ...refusedCommands(loaded.settings)],
      assertSound: () => runtime.assertSound(),
      assertWritable: () => access(paths.stateDir, constants.W_OK),
    }
    return { runtime, paths, clock, services: withStoreFaults(servicesOf(runtime, parts), paths.db) }
  }

  return {
    now: () => systemClock.now(),
    async connect(workspace, { testClock }): Promise<Door> {
      const daemon = await connectSocket(workspacePaths(workspace).socket)
      if (daemon) return daemon
      const here = async (how: { waitMs?: number; view?: Fault }) => {
        const { runtime, services } = await openHere(workspace, testClock, how)
        return localDoor(services, () => runtime[Symbol.asyncDispose]())
      }
      return patientDoor({
        now: () => here({}),
        later: () => here({ waitMs: patience }),
        view: (inUse) => here({ view: inUse }),
      })
    },
    async serve(workspace, { testClock }): Promise<Served> {
      const opened = await openHere(workspace, testClock, { waitMs: patience })
      try {
        const isStoreOurs = !isForeign(opened.paths, openKnownStores(configDir))
        return await serve({ ...opened, version, isStoreOurs })
      } catch (error) {
        await opened.runtime[Symbol.asyncDispose]()
        throw error
      }
    },
    async init(dir, { example }) {
      const { paths, made, ours } = await initWorkspace(dir, example ? exampleFiles(systemClock.now()) : {})
      if (ours) await trust.trust(paths.root)
      return { root: paths.root, made }
    },
    trust: {
      state: async (workspace) => {
        const state = trust.isTrusted(workspace)
        if (!state.trusted) return { trusted: false, reason: state.reason }
        const isOther = isForeign(workspacePaths(workspace), openKnownStores(configDir))
        return isOther ? { trusted: false, reason: 'changed' } : { trusted: true }
      },
      grant: async (workspace) => {
        const putAside = putForeignStateAside(workspacePaths(workspace), openKnownStores(configDir))
        await adoptWorkspace(workspace)
        trust.trust(workspace)
        return { putAside }
      },
      revoke: async (workspace) => trust.revoke(workspace),
    },
    parse: {
      heartbeat: async (file) => {
        const { readHeartbeat } = await import('../tasks/heartbeat-file.ts')
        return readHeartbeat(await readGiven(file)).titles
      },
      intent: intentByRule,
      decisions: async (file, tasks) => {
        const answer = (await readGiven(file)).toString('utf8')
        return describeDecisions(readDecisions(answer, tasks))
      },
    },
    eval: async (request, watch) =>
      (await import('./eval.ts')).evalCommand({ env, userConfigDir: configDir })(request, watch),
    openInBrowser,
    stately: openStately,
    diagrams: async () =>
      Object.fromEntries(Object.entries(charts).map(([name, chart]) => [name, toMermaid(chartOf(chart))])),
    async exampleWorkspace() {
      const { paths, ours } = await initWorkspace(resolve(cwd, 'example-workspace'), exampleFiles(systemClock.now()))
      if (ours) await trust.trust(paths.root)
      return workspacePaths(paths.root).root
    },
  }
}

/** Entries of the list of commands that no agent may use, as settings that do not apply. */
const refusedCommands = ({ tools }: Settings) =>
  allowList(tools.commands).problems.map(({ message }) => ({ key: 'tools.commands', reason: message }))

async function readGiven(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw Fault.use('file/unreadable', `Cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : code}.`, {
      file,
      code,
    })
  }
}
