import { Fault } from '../domain/errors.ts'
import { type Access, plainName, protection } from './protected-names.ts'
import { visible } from './visible.ts'

const longestPath = 1024
const longestName = 255

const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
const device = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/

/** The refusal of a path; `why` ends no sentence of its own. */
export const pathRefused = (path: string, why: string): Fault => {
  const shown = visible(path.length > 120 ? `${path.slice(0, 120)}…` : path).replace(/[\n\t]/g, ' ')
  return new Fault(
    'tool/path-refused',
    `Refused the path "${shown}": ${why}. Name a file inside the workspace that tools may use.`,
    { path: shown, why },
  )
}

/**
 * The names of a workspace-relative path, from the root down, judged by the text alone: `./a//b` gives `a`, `b`.
 * Refuses what leads or might lead elsewhere on any file system, whichever this one is. Fault `tool/path-refused`.
 */
export const pathNames = (path: string, access: Access = 'write'): string[] => {
  const refuse = (why: string): never => {
    throw pathRefused(path, why)
  }
  if (path.trim() === '') refuse('it is empty')
  if (Buffer.byteLength(path) > longestPath) refuse(`it is longer than ${longestPath} bytes`)
  if (unprintable.test(path)) refuse('it holds a control character, or one that changes the direction of text')
  if (path.startsWith('/') || path.startsWith('\\') || /^[a-z]:/i.test(path)) refuse('it is absolute')
  if (path.includes('\\')) refuse('it holds a backslash; folders are separated by /')
  if (path.includes(':')) refuse('it holds a colon, which names a hidden data stream on Windows')
  const pieces = path.split('/')
  const last = pieces.at(-1)
  if (last === '' || last === '.') refuse('it names a folder')
  const names = pieces.filter((piece) => piece !== '' && piece !== '.')
  for (const name of names) refuseName(name, access, refuse)
  return names
}

const refuseName = (name: string, access: Access, refuse: (why: string) => never): void => {
  if (/^\.{2,}$/.test(name.normalize('NFKC'))) refuse('it leads upwards with ".."')
  if (Buffer.byteLength(name) > longestName) refuse(`a name in it is longer than ${longestName} bytes`)
  if (/[. ]$/.test(name)) refuse('a name in it ends with a dot or a space, which Windows drops')
  if (device.test(plainName(name))) refuse('it names a device on Windows')
  const why = protection(name, access)
  if (why !== null) refuse(why)
}
