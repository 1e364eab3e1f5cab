import { Fault } from '../domain/errors.ts'
import type { BeforeImage } from '../domain/tool.ts'
import { changeFile } from './change-file.ts'
import { type Disk, realDisk } from './disk.ts'
import { inTurn } from './in-turn.ts'
import { present, type Snapshot } from './snapshot.ts'
import { planUndo, type UndoPlan } from './undo-plan.ts'

/** What undoing came to for one file. `removed`: there was none before. `copy` is where forced-out content was kept. */
export interface UndoOutcome {
  path: string
  outcome: 'restored' | 'removed' | 'unchanged'
  copy: string | null
}

interface Options {
  /** Undo even what was changed since; the present content is kept beside the file. */
  force?: boolean
  disk?: Disk
}

interface Step {
  path: string
  now: Snapshot | null
  plan: UndoPlan
}

/**
 * Takes writes back, the newest first; `images` are in the order they were kept. Every file is looked at before the first
 * is touched: one that is no longer as it was left stops it all with Fault `undo/changed-since`. When everything stands
 * as before already, `undo/nothing-to-undo`. Undoing that was interrupted may be repeated.
 */
export const undo = async (root: string, images: BeforeImage[], options: Options = {}): Promise<UndoOutcome[]> =>
  inTurn(root, async () => {
    const { force = false, disk = realDisk } = options
    const steps: Step[] = []
    for (const path of new Set(images.map((image) => image.path).reverse())) {
      const now = await presentOrNone(root, path, disk)
      const plan = planUndo(
        images.filter((image) => image.path === path),
        now?.hash ?? null,
      )
      if (plan.changedSince && !force) throw changedSince(path)
      steps.push({ path, now, plan })
    }
    if (steps.every((step) => step.plan.target.hash === (step.now?.hash ?? null))) throw nothingToUndo()
    const outcomes: UndoOutcome[] = []
    for (const step of steps) outcomes.push(await restore(root, step, disk))
    return outcomes
  })

/** A file whose folder is gone is gone too; that must not keep the others from being restored. */
const presentOrNone = async (root: string, path: string, disk: Disk): Promise<Snapshot | null> => {
  try {
    return await present(root, path, disk)
  } catch (error) {
    if (error instanceof Fault && error.code === 'tool/folder-missing') return null
    throw error
  }
}

const restore = async (root: string, { path, now, plan }: Step, disk: Disk): Promise<UndoOutcome> => {
  const { target } = plan
  if (target.hash === (now?.hash ?? null)) return { path, outcome: 'unchanged', copy: null }
  const copy = plan.changedSince && now !== null ? await keepCopy(root, path, now, disk) : null
  const next = (before: Snapshot | null): Uint8Array | null => {
    if ((before?.hash ?? null) !== (now?.hash ?? null)) throw changedSince(path)
    return target.bytes
  }
  await changeFile(root, { path, next }, disk)
  return { path, outcome: target.bytes === null ? 'removed' : 'restored', copy }
}

const keepCopy = async (root: string, path: string, now: Snapshot, disk: Disk): Promise<string> => {
  const copy = `${path}.undermind-undo-${now.hash.slice(0, 8)}`
  const next = (there: Snapshot | null): Uint8Array => {
    if (there === null || there.hash === now.hash) return now.bytes
    const sentence = `Did not undo ${path}: its present content was to be kept as ${copy}, but another file is there. Move that first.`
    throw new Fault('undo/copy-in-the-way', sentence, { path, copy })
  }
  await changeFile(root, { path: copy, next, like: now }, disk)
  return copy
}

const changedSince = (path: string) =>
  new Fault(
    'undo/changed-since',
    `Cannot undo: ${path} was changed after undermind wrote it. Undo with force to restore it all the same; its present ` +
      'content is then kept beside it.',
    { path },
  )

const nothingToUndo = () =>
  Fault.use(
    'undo/nothing-to-undo',
    'There is nothing to undo: every file stands as it did before, or none was written.',
  )
