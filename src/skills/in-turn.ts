import { resolve } from 'node:path'

/**
 * The last change of each workspace that is still running. The one piece of state that is the module's own: what it
 * guards, the files of a folder, is as shared as the process, whoever opened a tool or an undo on it.
 */
const running = new Map<string, Promise<void>>()

/**
 * Lets the changes of one workspace follow each other, in the order they were asked for: two appends at once would
 * otherwise each read the file without the other's line.
 */
export const inTurn = async <T>(root: string, change: () => Promise<T>): Promise<T> => {
  const workspace = resolve(root)
  const mine = (running.get(workspace) ?? Promise.resolve()).then(change)
  const ended = mine.then(
    () => undefined,
    () => undefined,
  )
  running.set(workspace, ended)
  try {
    return await mine
  } finally {
    if (running.get(workspace) === ended) running.delete(workspace)
  }
}
