import { createHash } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'
import type { Settings } from '../../domain/settings.ts'
import type { ConnectionParts } from '../../rpc/connection.ts'
import type { HttpServer } from '../../rpc/http/server.ts'
import type { WorkspacePaths } from '../../settings/workspace.ts'
import { logLine } from './log-file.ts'
import { pageFiles } from './page-files.ts'

export interface DoorParts extends ConnectionParts {
  paths: Pick<WorkspacePaths, 'token' | 'daemonFile' | 'log'>
  settings: Settings['server']
  version: string
  clock: Clock
  /** False where somebody else may have made the store, and with it what is kept there. */
  isStoreOurs: boolean
  /** What was kept under a name, and how to keep it. */
  kept(name: string): unknown
  keep(name: string, value: unknown): Promise<void>
}

/** The dashboard's door while it is open. */
export interface OpenDoor extends AsyncDisposable {
  /** Where it is. */
  readonly url: string
  /** What the user should know of where it is; null when it is where it was wanted. */
  readonly note: string | null
  /** An address that opens it once. */
  link(): string
}

/**
 * Opens the door for browsers and programs, and says in the state folder where it is. What it needs is loaded now and not
 * before. Throws what `serveHttp` throws, and `door/cannot-write`.
 */
export async function openDoor(parts: DoorParts): Promise<OpenDoor> {
  const { paths, settings, version, clock } = parts
  const { serveHttp } = await import('../../rpc/http/server.ts')
  const { doorToken, readDoorToken } = await import('../../rpc/token-file.ts')
  const { writeDaemonFile } = await import('../../rpc/daemon-file.ts')
  const wanted = settings.port === 0 ? portIn(parts.kept(portName)) : settings.port
  // A token that came along with the folder is known to whoever sent it: only one that was made here is kept.
  const found = readDoorToken(paths.token)
  const isMadeHere = parts.isStoreOurs && found !== null && parts.kept(tokenName) === markOf(found)
  const token = doorToken(paths.token, { keep: isMadeHere })
  if (!isMadeHere) await parts.keep(tokenName, markOf(token))
  const server = await serveHttp({
    dispatch: parts.dispatch,
    subscribe: parts.subscribe,
    clock,
    host: settings.host,
    port: wanted,
    beyondLoopback: settings.beyond_loopback,
    token,
    log: (line) => logLine(paths.log, { what: 'refused', ...line }),
    page: pageFiles(),
  })
  let file: Disposable
  try {
    file = writeDaemonFile(paths.daemonFile, { pid: process.pid, url: server.url, version, startedAt: clock.now() })
    if (settings.port === 0 && server.port !== wanted) await parts.keep(portName, server.port)
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
  return {
    url: server.url,
    note: noteOf(server, wanted),
    link: () => server.oneTimeLink(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      file[Symbol.dispose]()
    },
  }
}

const noteOf = ({ port }: HttpServer, wanted: number): string | null =>
  wanted === 0 || wanted === port
    ? null
    : `Port ${wanted} is taken, so the dashboard is at port ${port} this time. Bookmarks of the other one lead elsewhere.`

/** So that a browser finds it where it was last time. */
const portName = 'server-port'
const tokenName = 'server-token'

const portIn = (kept: unknown): number =>
  typeof kept === 'number' && Number.isInteger(kept) && kept > 0 && kept < 2 ** 16 ? kept : 0

/** Tells a token again without telling the token. */
const markOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
