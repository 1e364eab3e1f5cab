import type { ToolRun } from '../domain/tool.ts'
import { type Disk, realDisk } from './disk.ts'
import { present } from './snapshot.ts'

/** After a crash: whether an interrupted write took place, by what stands in the file now. */
export const checkWritten = async (
  root: string,
  run: ToolRun,
  disk: Disk = realDisk,
): Promise<'happened' | 'notHappened' | 'unknown'> => {
  const image = run.kept()
  // The image is kept before the file takes its new content, so without one nothing was replaced.
  if (image === undefined) return 'notHappened'
  try {
    const hash = (await present(root, image.path, disk))?.hash ?? null
    if (hash === image.afterHash) return 'happened'
    return hash === image.beforeHash ? 'notHappened' : 'unknown'
  } catch {
    // A file that cannot be looked at proves nothing either way; the user is asked.
    return 'unknown'
  }
}
