import { isGone } from './errno.ts'
import { childOf, holds, parentOf, pathOf } from './key.ts'
import { type Closed, closedBy, type Entrance, enter, type Found, type Place, type Tree } from './tree.ts'
import { lookAtAll, type Steps, walk } from './walk.ts'

/** A directory on the way to something: a place, or one that is closed, or null when it is none of the folder's. */
type Reached = Place | Closed | null

const step = async (tree: Tree, { key, above }: Entrance): Promise<Reached> => {
  try {
    tree.stats.filesStated++
    const stats = await tree.fs.lstat(pathOf(tree.root, key))
    return stats.isDirectory() && !above.ignores(key, true) ? await enter(tree, { key, above }) : null
  } catch (error) {
    return isGone(error) ? null : closedBy(key, error)
  }
}

/** Goes down to a directory step by step, so that no link on the way leads out of the root. */
const reach = async (tree: Tree, reached: Map<string, Reached>, directory: string): Promise<Reached> => {
  let key = ''
  let at = reached.get('') ?? null
  for (const name of directory === '' ? [] : directory.split('/')) {
    if (at === null || 'kind' in at) return at
    key = childOf(key, name)
    const known = reached.get(key)
    at = known === undefined ? await step(tree, { key, above: at.rules }) : known
    reached.set(key, at)
  }
  return at
}

/** What is now at these keys and, where it is a directory, everything below; what is gone is not mentioned. */
export async function* revisit(
  tree: Tree,
  root: Entrance,
  keys: Iterable<string>,
  steps: Steps,
): AsyncGenerator<Found[]> {
  const siblings = new Map<string, string[]>()
  // In order, so that a directory comes before what lies in it.
  for (const key of [...keys].sort()) {
    const parent = parentOf(key)
    const known = siblings.get(parent)
    if (known) known.push(key)
    else siblings.set(parent, [key])
  }
  const reached = new Map<string, Reached>([['', await enter(tree, root)]])
  const walked = new Set<string>()
  for (const parent of [...siblings.keys()].sort()) {
    if (holds(walked, parent)) continue
    const place = await reach(tree, reached, parent)
    if (place === null) continue
    if ('kind' in place) {
      yield [place]
      continue
    }
    for await (const lot of lookAtAll(tree, place, siblings.get(parent) ?? [])) {
      yield lot
      for (const found of lot) {
        if (found.kind !== 'directory') continue
        walked.add(found.key)
        yield* walk(tree, { key: found.key, above: place.rules }, steps)
      }
    }
  }
}
