import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file whole or not at all, readable by its owner only unless `mode` says otherwise. The old content stays
 * until the new one is on disk.
 */
export const replaceFile = (path: string, text: string, mode = 0o600): void => {
  const draft = `${path}.${process.pid}.tmp`
  // What a crash or a stranger left under that name is not written through.
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', mode)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
