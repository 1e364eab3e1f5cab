import { createHash } from 'node:crypto'
import { chmodSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { codeOf } from './errno.ts'

/** Where everything of a workspace is. Absolute, below the real path of the workspace, so that every process agrees. */
export interface WorkspacePaths {
  root: string
  /** `.undermind`, the state folder. */
  stateDir: string
  db: string
  lock: string
  token: string
  /** Local socket of the daemon: a path, on Windows the name of a pipe. Not always in the state folder. */
  socket: string
  /** What the running daemon says of itself. */
  daemonFile: string
  log: string
  heartbeatFile: string
  settingsFile: string
}

/** What paths depend on besides the workspace. */
export interface Machine {
  platform: string
  tmpdir: string
  uid: number
}

const thisMachine = (): Machine => ({ platform: process.platform, tmpdir: tmpdir(), uid: userInfo().uid })

/** The system's limit is 104 to 108 bytes, with the closing zero. */
const longestSocketPath = 100

/**
 * In the state folder where that is short enough, else in a folder of this user's below the temporary folder: in the
 * shared one, somebody else could have made the socket first.
 */
const socketPath = (root: string, stateDir: string, { platform, tmpdir: temporary, uid }: Machine): string => {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 24)
  if (platform === 'win32') return `\\\\.\\pipe\\undermind-${name}`
  const own = `undermind-${uid}/${name}.sock`
  const lastResort = join('/tmp', own)
  const paths = [join(stateDir, 'socket'), join(temporary, own)]
  return paths.find((path) => Buffer.byteLength(path) <= longestSocketPath) ?? lastResort
}

const realRoot = (root: string): string => {
  try {
    return realpathSync.native(root)
  } catch {
    return resolve(root)
  }
}

/** The paths of a workspace, whether or not it is there. */
export const workspacePaths = (folder: string, machine = thisMachine()): WorkspacePaths => {
  const root = realRoot(folder)
  const stateDir = join(root, '.undermind')
  return {
    root,
    stateDir,
    db: join(stateDir, 'state.db'),
    lock: join(stateDir, 'lock'),
    token: join(stateDir, 'token'),
    socket: socketPath(root, stateDir, machine),
    daemonFile: join(stateDir, 'daemon.json'),
    log: join(stateDir, 'undermind.log'),
    heartbeatFile: join(root, 'HEARTBEAT.md'),
    settingsFile: join(root, 'undermind.toml'),
  }
}

export const noPermission = (path: string, code: string): Fault => {
  const sentence = `Cannot use ${path}: the system says ${code}. Make it readable and writable for this user, and see that the disk has room.`
  return Fault.use('workspace/no-permission', sentence, { path, code })
}

/** Whether a folder, something else or nothing is there. A link counts as what it leads to. */
export const kindOf = async (path: string): Promise<'folder' | 'other' | 'nothing'> => {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return 'nothing'
    if (code === 'ENOTDIR' || code === 'ELOOP') return 'other'
    throw noPermission(path, code)
  }
}

export const notAFolder = (path: string): Fault =>
  Fault.use('workspace/not-a-folder', `${path} is not a folder. Name the folder of a workspace.`, { path })

const checkAccess = async (path: string): Promise<void> => {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw noPermission(path, codeOf(error))
  }
}

/** Makes the folder of a socket that did not fit into the state folder, and makes sure that it is this user's alone. */
const prepareSocketFolder = (folder: string, { uid }: Machine): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (found.isDirectory() && found.uid === uid) {
      chmodSync(folder, 0o700)
      return
    }
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error
  }
  const sentence = `Cannot use ${folder} for a socket: it is not a folder of yours. Remove it, or set TMPDIR to one that is.`
  throw new Fault('workspace/socket-folder', sentence, { folder })
}

/**
 * Finds the workspace in a folder. Throws `workspace/missing`, `workspace/not-a-folder`, `workspace/not-initialised`,
 * `workspace/no-permission`, `workspace/socket-folder`.
 */
export const openWorkspace = async (folder: string, machine = thisMachine()): Promise<WorkspacePaths> => {
  const kind = await kindOf(folder)
  if (kind === 'nothing') {
    throw Fault.use('workspace/missing', `There is no folder ${folder}. Check the path.`, { path: folder })
  }
  if (kind === 'other') throw notAFolder(folder)
  const paths = workspacePaths(folder, machine)
  await checkAccess(paths.root)
  const state = await lstat(paths.stateDir).catch(() => undefined)
  if (state === undefined) {
    const sentence = `${folder} is no undermind workspace yet. Run undermind init ${folder} to make it one.`
    throw Fault.use('workspace/not-initialised', sentence, { path: folder })
  }
  // A link could lead the state, and the token in it, out of the workspace.
  if (!state.isDirectory()) throw notAFolder(paths.stateDir)
  await checkAccess(paths.stateDir)
  if (machine.platform !== 'win32' && dirname(paths.socket) !== paths.stateDir) {
    prepareSocketFolder(dirname(paths.socket), machine)
  }
  return paths
}
