import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type Failure, Fault, failureOf } from '../domain/errors.ts'
import { canonical } from '../domain/json.ts'
import { needsTrust } from '../domain/settings.ts'
import { codeOf } from './errno.ts'
import { parseToml, readSmallText } from './read.ts'
import { replaceFile } from './replace-file.ts'
import { at } from './table.ts'
import { notAFolder } from './workspace.ts'

/** Whether the user has said yes to a workspace; `problem` is what kept an older yes from counting. */
export type Trust = { trusted: true } | { trusted: false; reason: 'never' | 'changed'; problem?: Failure }

/**
 * The workspaces the user has said yes to. A yes is bound to the real path of the workspace and to what its files name of
 * programs, addresses and keys: whoever reads settings again after a change asks again, too.
 */
export interface TrustStore {
  readonly path: string
  /** Never throws for what it cannot read: that is not trusted. */
  isTrusted(workspace: string): Trust
  /** Records the user's yes to the workspace as it is now. A trust file that cannot be read is put aside. */
  trust(workspace: string): void
  revoke(workspace: string): void
}

const TrustFile = z.strictObject({
  version: z.literal(1),
  /** By real path. */
  workspaces: z.record(z.string(), z.strictObject({ settings: z.string().regex(/^[0-9a-f]{64}$/) })),
})
type Workspaces = z.infer<typeof TrustFile>['workspaces']

/** SHA-256 of everything in a workspace that names programs, addresses or keys. */
const fingerprint = (workspace: string): string => {
  const file = join(workspace, 'undermind.toml')
  const settings = parseToml(readSmallText(file) ?? '', file)
  const named = needsTrust.map((key) => [key, at(settings, key.split('.')) ?? null])
  const servers = readSmallText(join(workspace, '.mcp.json')) ?? null
  return createHash('sha256').update(canonical({ named, servers })).digest('hex')
}

const realPath = (workspace: string): string => {
  try {
    const real = realpathSync.native(workspace)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    const data = { path: workspace, code: codeOf(error) }
    throw Fault.use('workspace/missing', `There is no folder ${workspace}. Check the path.`, data)
  }
  throw notAFolder(workspace)
}

const parseTrust = (text: string, path: string): Workspaces => {
  try {
    return TrustFile.parse(JSON.parse(text)).workspaces
  } catch {
    const sentence = `Cannot understand ${path}, so no workspace counts as trusted. Run undermind trust in each of yours.`
    throw new Fault('trust/corrupt', sentence, { path })
  }
}

/** Opens the trust file in the user's configuration folder; there need not be one. */
export const openTrustStore = (userConfigDir: string): TrustStore => {
  const folder = join(userConfigDir, 'undermind')
  const path = join(folder, 'trust.json')

  const read = (): Workspaces => {
    const text = readSmallText(path)
    return text === undefined ? {} : parseTrust(text, path)
  }

  const readOrPutAside = (): Workspaces => {
    try {
      return read()
    } catch {
      renameSync(path, `${path}.unreadable`)
      return {}
    }
  }

  /** Changes what is recorded; `change` returns undefined when there is nothing to change. */
  const update = (change: (workspaces: Workspaces) => Workspaces | undefined): void => {
    try {
      const workspaces = change(readOrPutAside())
      if (workspaces === undefined) return
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
      replaceFile(path, `${JSON.stringify({ version: 1, workspaces }, undefined, 2)}\n`)
    } catch (error) {
      const sentence = `Cannot write ${path}: ${failureOf(error).message}. Make the folder ${folder} yours and writable.`
      throw new Fault('trust/cannot-write', sentence, { path })
    }
  }

  return {
    path,
    isTrusted: (workspace) => {
      let reason: 'never' | 'changed' = 'never'
      try {
        const root = realPath(workspace)
        const given = read()[root]
        if (given === undefined) return { trusted: false, reason }
        reason = 'changed'
        return given.settings === fingerprint(root) ? { trusted: true } : { trusted: false, reason }
      } catch (error) {
        return { trusted: false, reason, problem: failureOf(error) }
      }
    },
    trust: (workspace) => {
      const root = realPath(workspace)
      const settings = fingerprint(root)
      update((workspaces) => ({ ...workspaces, [root]: { settings } }))
    },
    revoke: (workspace) => {
      // A folder that is gone can be revoked by the path it had.
      const root = existsSync(workspace) ? realPath(workspace) : resolve(workspace)
      update(({ [root]: given, ...others }) => (given === undefined ? undefined : others))
    },
  }
}
