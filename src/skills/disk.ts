import * as fs from 'node:fs/promises'
import { Fault } from '../domain/errors.ts'

/** The file system calls that the tools are made of; a test hands in one that fails, dies or is changed in between. */
export type Disk = Pick<typeof fs, 'lstat' | 'open' | 'readdir' | 'realpath' | 'rename' | 'stat' | 'unlink'>

export const realDisk: Disk = fs

/** The system's own name of an error, `ENOENT`; undefined when it did not come from the system. */
export const errno = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** `value`, or null when what was asked for is not there. */
export const orAbsent = async <T>(value: Promise<T>): Promise<T | null> => {
  try {
    return await value
  } catch (error) {
    if (errno(error) === 'ENOENT') return null
    throw error
  }
}

/** What the system refused, as something a person can act on; anything that is not the system's stays what it is. */
export const diskFault = (path: string, error: unknown): unknown => {
  const code = errno(error)
  const says = (fault: `tool/${string}`, sentence: string) => new Fault(fault, sentence, { path, errno: code })
  switch (code) {
    case undefined:
      return error
    case 'ENOSPC':
    case 'EDQUOT':
      return says(
        'tool/disk-full',
        `Cannot write ${path}: the disk is full. The file is as it was; make room and try again.`,
      )
    case 'EROFS':
      return says('tool/read-only', `Cannot write ${path}: the disk is read-only. The file is as it was.`)
    case 'EACCES':
    case 'EPERM':
      return says(
        'tool/not-permitted',
        `Cannot use ${path}: the system does not permit it. Check who owns it and its folder.`,
      )
    default:
      return says('tool/disk-failed', `Cannot use ${path}: the system answered ${code}. The file is as it was.`)
  }
}
