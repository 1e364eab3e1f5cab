import { type BigIntStats, constants, watch } from 'node:fs'
import { lstat, open, opendir, stat } from 'node:fs/promises'

/** Names that are no valid UTF-8 can only be said in bytes. */
export type Path = string | Buffer

export interface OpenFile {
  stat(): Promise<BigIntStats>
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

/** What the folder source needs of a file system; every call fails with the errno of the real thing. */
export interface FileSystem {
  /** Follows links: only the root may be one. */
  stat(path: Path): Promise<BigIntStats>
  lstat(path: Path): Promise<BigIntStats>
  /** The names in a directory, a few at a time, whatever its size. */
  names(path: Path): AsyncIterable<Buffer>
  /** Opens for reading. Follows no link in the last place, and does not wait for the other end of a pipe. */
  open(path: Path): Promise<OpenFile>
  /** Reports the entries of one directory that change, by name where the system tells it. Returns a way to stop. */
  watch(path: Path, onEvent: (name: Buffer | null) => void, onError: () => void): () => void
}

// Windows has neither flag.
const safely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export const nodeFileSystem: FileSystem = {
  stat: (path) => stat(path, { bigint: true }),
  lstat: (path) => lstat(path, { bigint: true }),
  async *names(path) {
    // The types know text encodings only; 'buffer' keeps the bytes of the name.
    const directory = await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: 64 })
    for await (const entry of directory) yield Buffer.from(entry.name)
  },
  async open(path) {
    const file = await open(path, safely)
    return {
      stat: () => file.stat({ bigint: true }),
      read: (into, offset, length, position) => file.read(into, offset, length, position),
      close: () => file.close(),
    }
  },
  watch(path, onEvent, onError) {
    const watcher = watch(path, { encoding: 'buffer', persistent: false }, (_event, name) => onEvent(name))
    watcher.on('error', onError)
    return () => watcher.close()
  },
}

/** Cheap to compare, and different whenever the file was written, replaced or had its times set. */
export const stampOf = (stats: BigIntStats): string => `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.ino}`
