import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { ActorHost } from '../../actors/actor-host.ts'
import type { Clock } from '../../domain/clock.ts'
import { Fault } from '../../domain/errors.ts'
import type { ImportProgress, ImportView } from '../../rpc/imports.ts'
import type { Db } from '../../store/open.ts'
import type { HeartbeatTasks } from '../heartbeat-tasks.ts'
import type { Stores } from '../stores.ts'
import type { TaskBook } from '../task-book.ts'

export interface ImportsParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  store: Db
  clock: Clock
  book: TaskBook
  heartbeatTasks: HeartbeatTasks
  heartbeatFile: string
  assertTrusted(): void
}

/** Takes over what other programs have kept, one import at a time. */
export class Imports {
  readonly #parts: ImportsParts
  #progress: ImportProgress | null = null
  #waiting: (() => void)[] = []

  constructor(parts: ImportsParts) {
    this.#parts = parts
  }

  /**
   * Reads the workspace of an OpenHuman. What is there already stays as it is, so that it can be done again. Throws
   * `import/under-way`, `import/no-folder` and `import/nothing-there`.
   */
  async openhuman(dir: string, options: { dryRun: boolean }): Promise<ImportView> {
    if (this.#progress !== null) {
      throw new Fault('import/under-way', 'An import is under way already. Wait until it has ended, then try again.')
    }
    const progress = { done: 0, total: 0 }
    this.#progress = progress
    try {
      const folder = await folderOf(dir)
      // Seldom needed, and large.
      const { importOpenHuman } = await import('./openhuman.ts')
      return await importOpenHuman(this.#parts, {
        folder,
        ...options,
        onTotal: (rows) => {
          progress.total = rows
        },
        onRows: (rows) => {
          progress.done += rows
          this.#tell()
        },
      })
    } finally {
      this.#progress = null
      this.#tell()
    }
  }

  /** How far the import is, once it is further than `seen` rows; null when none is under way. */
  async progress(seen: number): Promise<ImportProgress | null> {
    while (this.#progress !== null && this.#progress.done <= seen) {
      await new Promise<void>((told) => this.#waiting.push(told))
    }
    return this.#progress && { ...this.#progress }
  }

  #tell(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const told of waiting) told()
  }
}

async function folderOf(dir: string): Promise<string> {
  try {
    const real = isAbsolute(dir) ? await realpath(dir) : null
    if (real !== null && (await stat(real)).isDirectory()) return real
  } catch {
    // What cannot be looked at is told like what is not there.
  }
  throw Fault.use('import/no-folder', `There is no folder ${dir} that can be read. Give its whole path.`, { dir })
}
