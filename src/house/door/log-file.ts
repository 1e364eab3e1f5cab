import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants
const ownerOnly = 0o600
/** Then the file becomes the former one, and a new one is begun. */
const largest = 1024 * 1024

/**
 * Adds a line of JSON to the daemon's log. Only to a plain file with one name: a link that came along with the folder could
 * lead anywhere. A log that cannot be written is no reason to stop.
 */
export function logLine(path: string, line: object): void {
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, ownerOnly)
    let isFull = false
    try {
      const found = fstatSync(file)
      if (!found.isFile() || found.nlink !== 1) return
      writeSync(file, `${JSON.stringify(line)}\n`)
      isFull = found.size > largest
    } finally {
      closeSync(file)
    }
    if (isFull) renameSync(path, `${path}.1`)
  } catch {}
}
