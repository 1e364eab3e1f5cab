import { basename } from 'node:path'
import { errnoOf, isLasting } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { childOf, keyOfName, nameOf, pathOf } from './key.ts'
import type { Rules } from './rules.ts'
import type { Steps } from './walk.ts'

/** What has to be looked at again: these keys, or everything. */
export interface Dirt {
  everything: boolean
  keys: Set<string>
}

// The system keeps 16,384 events for us and drops the rest without a word. That many between two turns of the loop
// must be taken for more.
const mostEventsInATurn = 8192
const mostDirtyKeys = 5000
const mostFiltered = 1000

const outOfWatches = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSYS']

interface Watched {
  /** Null until the directory's own rules are known. */
  rules: Rules | null
  /** Null where the directory could not be watched. */
  stop: (() => void) | null
}

/** The directories of the tree, as they were when each was last looked at. */
export interface Places extends Steps {
  knows(key: string): boolean
  keys(): Iterable<string>
  /** It is no directory of the tree any more. */
  leave(key: string): void
}

/**
 * Watches a tree by one watch on each directory that a walk enters, set before the walk lists it: an entry is in the
 * list, or its event comes. Files need no watch of their own, and what the rules pass over is never entered.
 */
export interface Watching {
  places: Places
  mark(dirt: Dirt): void
  /** Hands over what has changed since the last time. */
  take(): Dirt
  stop(): void
}

interface Options {
  fs: FileSystem
  root: string
  onChange: () => void
  /** Called once when the system has no more watches to give; from then on every read looks at everything. */
  onGivenUp: (reason: string) => void
}

export const watchTree = ({ fs, root, onChange, onGivenUp }: Options): Watching => {
  const watched = new Map<string, Watched>()
  const arrived = new Map<string, Set<string>>()
  let dirt: Dirt = { everything: true, keys: new Set() }
  let events = 0
  let waiting: NodeJS.Immediate | null = null
  let over = false

  const release = () => {
    for (const { stop } of watched.values()) stop?.()
    watched.clear()
    arrived.clear()
    if (waiting !== null) clearImmediate(waiting)
    waiting = null
    over = true
  }

  const isDull = (rules: Rules | null, key: string): boolean =>
    rules !== null &&
    key !== '' &&
    nameOf(key) !== '.gitignore' &&
    rules.ignores(key, false) &&
    rules.ignores(key, true)

  /** Sorts out what arrived; the rules are asked here, once for many events, and what they remember is let go. */
  const settle = () => {
    if (waiting !== null) clearImmediate(waiting)
    waiting = null
    let count = 0
    let changed = events > mostEventsInATurn
    if (changed) dirt.everything = true
    events = 0
    for (const [directory, keys] of arrived) {
      const rules = watched.get(directory)?.rules?.fresh() ?? null
      for (const key of keys) {
        if (++count <= mostFiltered && isDull(rules, key)) continue
        changed = true
        dirt.keys.add(key)
      }
    }
    arrived.clear()
    if (dirt.keys.has('')) dirt.everything = true
    if (dirt.keys.size > mostDirtyKeys) dirt = { everything: true, keys: new Set() }
    return changed
  }

  const arrive = (directory: string, key: string) => {
    if (over) return
    const keys = arrived.get(directory)
    if (++events <= mostEventsInATurn) {
      if (keys) keys.add(key)
      else arrived.set(directory, new Set([key]))
    }
    waiting ??= setImmediate(() => {
      if (settle()) onChange()
    })
  }

  const ownName = keyOfName(Buffer.from(basename(root)))

  const onEvent = (directory: string) => (name: Buffer | null) => {
    const child = name === null ? null : keyOfName(name)
    // A directory reports its own fate under its own name. Of the others the parent tells as well.
    const ofRoot = directory === '' && (child === null || child === ownName)
    arrive(directory, ofRoot || child === null ? directory : childOf(directory, child))
  }

  const enter = (key: string) => {
    if (over) return
    // Always a new watch: the one there may be of a directory that had this name before.
    const before = watched.get(key)
    let stop: (() => void) | null = null
    try {
      stop = fs.watch(pathOf(root, key), onEvent(key), () => arrive(key, key))
    } catch (error) {
      const code = errnoOf(error)
      if (outOfWatches.includes(code)) {
        release()
        onGivenUp(`the system has no more watches for it (${code}); every read looks at everything`)
        return
      }
      if (!isLasting(error)) dirt.keys.add(key)
    }
    before?.stop?.()
    watched.set(key, { rules: null, stop })
  }
  enter('')

  return {
    places: {
      entering: enter,
      entered({ key, rules }) {
        const entry = watched.get(key)
        if (entry) entry.rules = rules
      },
      knows: (key) => watched.has(key),
      keys: () => watched.keys(),
      leave(key) {
        watched.get(key)?.stop?.()
        watched.delete(key)
      },
    },
    mark(more) {
      if (more.everything) dirt.everything = true
      for (const key of more.keys) dirt.keys.add(key)
    },
    take() {
      settle()
      const taken = over ? { everything: true, keys: new Set<string>() } : dirt
      dirt = { everything: false, keys: new Set() }
      return taken
    },
    stop: release,
  }
}
