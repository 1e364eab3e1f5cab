import type { Difference } from '../../domain/change.ts'
import { isGone } from './errno.ts'
import { holds, nameOf, parentOf, pathOf } from './key.ts'
import { type Reader, readingOf } from './reading.ts'
import { revisit } from './revisit.ts'
import { unreadable } from './root.ts'
import type { Rules } from './rules.ts'
import { type Found, rootEntrance } from './tree.ts'
import { sliced } from './turn.ts'
import { type Steps, walk } from './walk.ts'
import type { Dirt, Places } from './watch.ts'

const readTogether = 8

export interface Survey extends Reader {
  /** What to look at. Files named here are read even when their stamp is the known one. */
  dirt: Dirt
  settings: Rules
  places: Places
  /** Throws when the root is no longer the directory that the survey began in. */
  confirmRoot: () => Promise<void>
  /** Is given the keys that have to be looked at again next time. */
  again: Set<string>
}

/** Where to look: a .gitignore stands for all of its directory. Null is everywhere. */
const startsOf = ({ everything, keys }: Dirt): Set<string> | null => {
  const starts = new Set([...keys].map((key) => (nameOf(key) === '.gitignore' ? parentOf(key) : key)))
  return everything || starts.has('') ? null : starts
}

/** Yields every difference of a folder, or of some places in it, from the baseline. */
export async function* survey(asked: Survey): AsyncGenerator<Difference> {
  const { tree, baseline, refusals, dirt, places, again } = asked
  const present = new Set<string>()
  const hidden = new Set<string>()
  const closed = new Set<string>()
  const entered = new Set<string>()

  const starts = startsOf(dirt)
  const isAsked = (key: string) => starts === null || holds(starts, key)
  // Only a directory that was known can have left items behind that nobody names.
  const searchBaseline = starts === null || [...starts].some((key) => places.knows(key))
  const steps: Steps = {
    entering: (key) => places.entering(key),
    entered(place) {
      entered.add(place.key)
      places.entered(place)
    },
  }

  function* passedOver(found: Found): Generator<Difference> {
    if (found.kind === 'hidden') {
      hidden.add(found.key)
      // A known item that became a link is not skipped: it is gone.
      if (found.reason === null || baseline.get(found.key)) return
      present.add(found.key)
      refusals.add(found.key, found.reason, null)
      yield { kind: 'skipped', key: found.key, reason: found.reason }
    }
    if (found.kind === 'closed') {
      if (found.key === '') throw unreadable(tree.root, found.reason)
      closed.add(found.key)
      if (!found.lasting) again.add(found.key)
      refusals.add(found.key, found.reason, null)
      yield { kind: 'skipped', key: found.key, reason: found.reason }
    }
  }

  /** The files of a lot that have to be opened; the others are as they were. */
  function* unchanged(lot: Found[], toRead: string[]): Generator<Difference> {
    for (const found of lot) {
      if (found.kind !== 'file') {
        yield* passedOver(found)
        continue
      }
      const { key, stamp } = found
      const refused = refusals.reasonFor(key, stamp)
      if (dirt.keys.has(key) || (refused === null && baseline.get(key)?.stamp !== stamp)) toRead.push(key)
      else {
        present.add(key)
        if (refused !== null) yield { kind: 'skipped', key, reason: refused }
      }
    }
  }

  const root = await rootEntrance(tree, asked.settings)
  for await (const lot of starts === null ? walk(tree, root, steps) : revisit(tree, root, starts, steps)) {
    const toRead: string[] = []
    yield* unchanged(lot, toRead)
    for (let at = 0; at < toRead.length; at += readTogether) {
      tree.signal.throwIfAborted()
      const readings = await Promise.all(toRead.slice(at, at + readTogether).map((key) => readingOf(asked, key)))
      for (const reading of readings) {
        if (reading.present) present.add(reading.key)
        if (reading.again) again.add(reading.key)
        if (reading.difference) yield reading.difference
      }
    }
  }

  const isUntold = (key: string) => !isAsked(key) || holds(closed, key)
  const isPresent = (key: string) => present.has(key) || isUntold(key)

  const missing: string[] = []
  for await (const key of sliced(searchBaseline ? baseline.keys() : starts))
    if (!isPresent(key) && baseline.get(key)) missing.push(key)
  await asked.confirmRoot()
  tree.signal.throwIfAborted()
  for (const key of missing) {
    tree.signal.throwIfAborted()
    // A listing may miss a name that is being renamed just then.
    if (!holds(hidden, key) && (await mayBeFile(asked, key))) again.add(key)
    else yield { kind: 'removed', key }
  }
  for await (const key of sliced(searchBaseline ? refusals.keys() : starts)) if (!isPresent(key)) refusals.drop(key)
  for await (const key of sliced(searchBaseline ? places.keys() : []))
    if (!entered.has(key) && !isUntold(key)) places.leave(key)
}

const mayBeFile = async ({ tree }: Survey, key: string): Promise<boolean> =>
  tree.fs.lstat(pathOf(tree.root, key)).then(
    (stats) => stats.isFile(),
    (error: unknown) => !isGone(error),
  )
