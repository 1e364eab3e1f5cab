import { basename, resolve } from 'node:path'
import type { Baseline, Difference, Source } from '../../domain/change.ts'
import { Fault } from '../../domain/errors.ts'
import { id } from '../../domain/ids.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import { ownedBy } from './own.ts'
import { type OnSkip, refusalsTold } from './refusals.ts'
import { excludeStamp, identityOf, unreadable } from './root.ts'
import { rulesFor } from './rules.ts'
import { survey } from './survey.ts'
import type { FolderStats } from './tree.ts'
import { sliced, turn } from './turn.ts'
import { type Dirt, type Places, type Watching, watchTree } from './watch.ts'

export interface FolderOptions {
  root: string
  /** Globs of the files that the user calls their own; see `ownedBy`. */
  own: string[]
  /** Patterns as in a .gitignore of the root, beside those that the folder brings itself. */
  ignore: string[]
  /** Larger files are skipped. */
  maxFileBytes: number
  /** Told once for each file or folder that is not looked into, and why; '' is the folder itself. */
  onSkip?: OnSkip
}

export interface FolderSource extends Source {
  readonly stats: Readonly<FolderStats>
  watch(onChange: () => void): Promise<AsyncDisposable>
}

const stampIn = (difference: Difference): [key: string, stamp: string | null] | null => {
  switch (difference.kind) {
    case 'added':
    case 'modified':
      return [difference.item.key, difference.item.mark.stamp]
    case 'touched':
      return [difference.key, difference.mark.stamp]
    case 'removed':
      return [difference.key, null]
    case 'skipped':
      return null
    default:
      return difference satisfies never
  }
}

const unwatched: Places = { entering() {}, entered() {}, knows: () => true, keys: () => [], leave() {} }

/**
 * The files of a folder. Unwatched, a read looks at the stamp of every file and opens those whose stamp is new.
 * Watched, the first read does so and each later one looks only at what has changed since.
 */
export const folderSource = (options: FolderOptions, fs: FileSystem = nodeFileSystem): FolderSource => {
  const root = resolve(options.root)
  const stats: FolderStats = { filesRead: 0, filesStated: 0 }
  const settings = rulesFor(options.ignore)
  const onSkip: OnSkip = options.onSkip ?? (() => {})
  const refusals = refusalsTold(onSkip)
  let watching: Watching | null = null
  let seenGround = ''
  // What the last read yielded: what of it did not reach the baseline has to be yielded again.
  const yielded = new Map<string, string | null>()

  const unrecorded = async (baseline: Baseline): Promise<Dirt> => {
    const keys = new Set<string>()
    for await (const [key, stamp] of sliced(yielded)) if ((baseline.get(key)?.stamp ?? null) !== stamp) keys.add(key)
    yielded.clear()
    return { everything: false, keys }
  }

  async function* read(baseline: Baseline, signal: AbortSignal): AsyncGenerator<Difference> {
    signal.throwIfAborted()
    const watcher = watching
    const identity = await identityOf(fs, root)
    const ground = `${identity} ${await excludeStamp(fs, root)}`
    if (watcher) {
      watcher.mark(await unrecorded(baseline))
      if (ground !== seenGround) watcher.mark({ everything: true, keys: new Set() })
      // Two turns of the loop bring in the news of everything that happened before this read.
      await turn()
      await turn()
    }
    const dirt = watcher?.take() ?? { everything: true, keys: new Set<string>() }
    const again = new Set<string>()
    let done = false
    try {
      if (dirt.everything || dirt.keys.size > 0) {
        const differences = survey({
          tree: { fs, root, stats, signal },
          dirt,
          baseline,
          settings: settings.fresh(),
          isOwn: ownedBy(options.own),
          maxFileBytes: options.maxFileBytes,
          refusals,
          places: watcher?.places ?? unwatched,
          again,
          async confirmRoot() {
            if ((await identityOf(fs, root)) !== identity) throw unreadable(root, 'it was replaced while it was read')
          },
        })
        for await (const difference of differences) {
          const stamp = watcher ? stampIn(difference) : null
          if (stamp) yielded.set(...stamp)
          yield difference
        }
      }
      watcher?.mark({ everything: false, keys: again })
      seenGround = ground
      done = true
    } finally {
      if (!done) watcher?.mark(dirt)
    }
  }

  return {
    id: id('folder'),
    kind: 'folder',
    title: basename(root) || root,
    stats,
    read,
    async watch(onChange) {
      if (watching) throw Fault.use('source/already-watched', `The folder ${root} is watched already.`, { root })
      const started = watchTree({ fs, root, onChange, onGivenUp: (reason) => onSkip('', reason) })
      watching = started
      return {
        async [Symbol.asyncDispose]() {
          started.stop()
          if (watching === started) watching = null
        },
      }
    },
  }
}
