import { isGone } from './errno.ts'
import { childOf, keyOfName, pathOf } from './key.ts'
import { closedBy, type Entrance, enter, type Found, lookAt, type Place, type Tree } from './tree.ts'

const lotSize = 512
const together = 64

/** What a walk tells on its way, so that a watcher can be in every directory before it is listed. */
export interface Steps {
  /** A directory is about to be read, its .gitignore first. */
  entering(key: string): void
  entered(place: Place): void
}

/** Looks at entries of one directory, some at a time. */
export async function* lookAtAll(tree: Tree, place: Place, keys: readonly string[]): AsyncGenerator<Found[]> {
  for (let at = 0; at < keys.length; at += together) {
    tree.signal.throwIfAborted()
    const found = await Promise.all(keys.slice(at, at + together).map((key) => lookAt(tree, place.rules, key)))
    yield found.filter((one) => one !== null)
  }
}

/** The keys of what is in a directory, some hundreds at a time, in order within each lot. */
async function* keysIn(tree: Tree, directory: string): AsyncGenerator<string[]> {
  let lot: string[] = []
  for await (const name of tree.fs.names(pathOf(tree.root, directory))) {
    lot.push(childOf(directory, keyOfName(name)))
    if (lot.length < lotSize) continue
    yield lot.sort()
    lot = []
  }
  if (lot.length > 0) yield lot.sort()
}

async function* list(tree: Tree, place: Place): AsyncGenerator<Found[]> {
  try {
    for await (const keys of keysIn(tree, place.key)) yield* lookAtAll(tree, place, keys)
  } catch (error) {
    tree.signal.throwIfAborted()
    // A directory that went away under the walk has nothing in it; one that cannot be read has what it had.
    if (!isGone(error)) yield [closedBy(place.key, error)]
  }
}

/** Everything below a directory, in lots. Keeps its own list of what is left, however deep the tree is. */
export async function* walk(tree: Tree, from: Entrance, steps: Steps): AsyncGenerator<Found[]> {
  const left = [from]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    tree.signal.throwIfAborted()
    steps.entering(next.key)
    const place = await enter(tree, next)
    if ('kind' in place) {
      yield [place]
      continue
    }
    steps.entered(place)
    const below: Entrance[] = []
    for await (const lot of list(tree, place)) {
      for (const found of lot) if (found.kind === 'directory') below.push({ key: found.key, above: place.rules })
      yield lot
    }
    for (const entrance of below.reverse()) left.push(entrance)
  }
}
