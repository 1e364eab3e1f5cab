import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { type EvaluationId, id, type OutboxKey } from '../../src/domain/ids.ts'
import type { BeforeImage, ToolRun } from '../../src/domain/tool.ts'
import { confined } from '../../src/skills/confine.ts'
import { type Disk, realDisk } from '../../src/skills/disk.ts'

/** A real folder with these files in it, gone after the test. */
export const workspace = (files: Record<string, string | Uint8Array> = {}) => {
  const base = mkdtempSync(join(tmpdir(), 'undermind-skills-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = join(base, 'workspace')
  mkdirSync(root)
  const at = (path: string) => join(root, path)
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  for (const [path, content] of Object.entries(files)) put(path, content)
  return {
    root,
    /** A folder beside the workspace. */
    outside: join(base, 'outside'),
    at,
    put,
    read: (path: string) => readFileSync(at(path), 'utf8'),
    list: (path = '') => readdirSync(at(path)).sort(),
  }
}

/** A run of a tool whose before-images are kept in memory, as the store would. */
export const toolRun = (given: Partial<ToolRun> = {}) => {
  const images: BeforeImage[] = []
  const run: ToolRun = {
    key: id<OutboxKey>('ev_1/carryOut/1'),
    evaluation: id<EvaluationId>('ev_1'),
    signal: new AbortController().signal,
    now: Date.UTC(2026, 2, 2, 9),
    keepBefore: (image) => {
      images.push(image)
    },
    kept: () => images.at(-1),
    ...given,
  }
  return { run, images }
}

/** The real disk with some calls replaced. */
export const diskWith = (calls: Partial<Disk>): Disk => ({ ...realDisk, ...calls })

/** An error as the system gives it. */
export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: refused`), { code, syscall: 'write' })

/** A disk of which every file opened for writing answers `code` to the call named. */
export const diskFailingAt = (call: 'writeFile' | 'sync' | 'chmod' | 'chown', code: string): Disk =>
  diskWith({
    open: async (path, flags, mode) => {
      const handle = await realDisk.open(path, flags, mode)
      if (String(path).endsWith('.tmp')) handle[call] = () => Promise.reject(systemError(code))
      return handle
    },
  })

/** A disk that stops answering for ever at a rename, as for a process killed there. */
export const diskDyingAtRename = (when: 'before' | 'after'): Disk => {
  const killed = new Error('killed')
  return diskWith({
    rename: async (from, to) => {
      if (when === 'after') await realDisk.rename(from, to)
      throw killed
    },
    unlink: () => Promise.reject(killed),
  })
}

/** The code of the Fault that this ends in; `'none'` when it ends well. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

/** The sentence with which a path is refused; `allowed: …` when it is not. */
export const refusalOf = async (root: string, path: string, access: 'read' | 'write' = 'write'): Promise<string> => {
  try {
    await confined(root, path, { access })
  } catch (error) {
    if (error instanceof Fault && error.code === 'tool/path-refused' && error.kind === 'failed') return error.message
    throw error
  }
  return `allowed: ${path}`
}
