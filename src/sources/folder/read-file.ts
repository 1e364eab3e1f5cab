import { errnoOf, isGone, isLasting, reasonOf } from './errno.ts'
import { type FileSystem, type OpenFile, type Path, stampOf } from './file-system.ts'

/**
 * What reading a file came to. `content` and `unwanted` hold for as long as the stamp does, which is from before the
 * first byte, so that a change during the read shows next time. `irregular`: it is a link, a pipe, a device.
 */
export type Content =
  | { kind: 'content'; bytes: Buffer; stamp: string; moving: boolean }
  | { kind: 'unwanted'; reason: string; stamp: string }
  | { kind: 'irregular' }
  | { kind: 'failed'; reason: string; lasting: boolean }
  | { kind: 'gone' }

/** Says why a file is not wanted, from its first bytes, or null. */
export type Sniff = (head: Buffer) => string | null

const headBytes = 8192

const attempt = async (file: OpenFile, limit: number, sniff: Sniff): Promise<Content> => {
  const before = await file.stat()
  const stamp = stampOf(before)
  if (!before.isFile()) return { kind: 'irregular' }
  if (before.size > limit) return { kind: 'unwanted', reason: `larger than ${limit} bytes`, stamp }

  const bytes = Buffer.allocUnsafe(Number(before.size))
  let filled = 0
  // No further than its size: that is also the end of a file that never stops growing.
  while (filled < bytes.length) {
    const wanted = filled === 0 ? Math.min(headBytes, bytes.length) : bytes.length - filled
    const { bytesRead } = await file.read(bytes, filled, wanted, filled)
    if (bytesRead === 0) break
    const unwanted = filled === 0 ? sniff(bytes.subarray(0, bytesRead)) : null
    if (unwanted !== null) return { kind: 'unwanted', reason: unwanted, stamp }
    filled += bytesRead
  }
  return { kind: 'content', bytes: bytes.subarray(0, filled), stamp, moving: stampOf(await file.stat()) !== stamp }
}

/**
 * Reads a regular file of at most `limit` bytes and never anything else. A file that changes under the read is read
 * once more and then taken as it is.
 */
export const readRegularFile = async (
  fs: FileSystem,
  path: Path,
  limit: number,
  sniff: Sniff = () => null,
): Promise<Content> => {
  try {
    const file = await fs.open(path)
    try {
      const first = await attempt(file, limit, sniff)
      return first.kind === 'content' && first.moving ? await attempt(file, limit, sniff) : first
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isGone(error)) return { kind: 'gone' }
    // A link and a socket cannot be opened this way.
    if (['ELOOP', 'ENXIO'].includes(errnoOf(error))) return { kind: 'irregular' }
    return { kind: 'failed', reason: reasonOf(error), lasting: isLasting(error) }
  }
}
