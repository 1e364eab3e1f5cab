import { isUtf8 } from 'node:buffer'
import { Fault } from '../domain/errors.ts'
import { confined } from './confine.ts'
import { type Disk, diskFault } from './disk.ts'
import { type Folder, openFolder } from './folder.ts'
import { openToRead, readUpTo } from './open-to-read.ts'
import { pathRefused } from './path-names.ts'
import { holdsSecrets } from './secret-names.ts'

/** What reading a file as text came to. `irregular`: it is a pipe, a socket, a device. */
export type FoundText = { kind: 'text'; text: string } | { kind: 'binary' | 'large' | 'irregular' | 'absent' }

/** Reads the file of this name in an open folder, of at most `limit` bytes. */
export const textIn = async (
  folder: Folder,
  name: string,
  path: string,
  limit: number,
  disk: Disk,
): Promise<FoundText> => {
  const handle = await openToRead(folder, name, path, disk)
  if (handle === null) return { kind: 'absent' }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) return { kind: 'irregular' }
    if (stat.size > limit) return { kind: 'large' }
    const bytes = await readUpTo(handle, limit + 1, stat.size + 1)
    if (bytes.length > limit) return { kind: 'large' }
    const text = decoded(bytes)
    return text === null ? { kind: 'binary' } : { kind: 'text', text }
  } finally {
    await handle.close()
  }
}

/** The text of a workspace file, null when there is none; Faults say why it may not or cannot be read. */
export const textOf = async (root: string, path: string, limit: number, disk: Disk): Promise<string | null> => {
  const place = await confined(root, path, { access: 'read', disk })
  refuseSecret(place.path)
  try {
    const folder = await openFolder(place, disk)
    try {
      const found = await textIn(folder, place.name, place.path, limit, disk)
      await folder.verify()
      switch (found.kind) {
        case 'text':
          return found.text
        case 'absent':
          return null
        case 'irregular':
          throw pathRefused(place.path, 'it is not a regular file')
        case 'large':
          throw tooLargeToRead(place.path, limit)
        case 'binary':
          throw notText(place.path)
        default:
          return found satisfies never
      }
    } finally {
      await folder.close()
    }
  } catch (error) {
    throw diskFault(place.path, error)
  }
}

/** The lines of a text, however they end; the end of the last begins no further one. */
export const linesOf = (text: string): string[] => text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')

/** Throws for a path on which keys and passwords are kept. */
export const refuseSecret = (path: string): void => {
  if (path.split('/').some(holdsSecrets)) throw pathRefused(path, 'files of this name hold keys or passwords')
}

export const notThere = (path: string): Fault =>
  new Fault('tool/file-missing', `There is no file ${path}. Look with list_files which there are.`, { path })

const tooLargeToRead = (path: string, limit: number): Fault =>
  new Fault('tool/too-large', `Cannot read ${path}: it is larger than ${limit} bytes. Choose a smaller file.`, {
    path,
    limit,
  })

export const notText = (path: string): Fault =>
  new Fault('tool/not-text', `Cannot show ${path}: it is not text. Choose another file.`, { path })

const headBytes = 8192

/** UTF-8, UTF-16 by its mark, else Western European; null for what is no text. */
export const decoded = (bytes: Uint8Array): string | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.includes(0)) return null
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes)
  const head = bytes.subarray(0, headBytes)
  const controls = head.filter((byte) => byte < 32 && ![8, 9, 10, 12, 13, 27].includes(byte)).length
  return controls * 20 > head.length ? null : Buffer.from(bytes).toString('latin1')
}
