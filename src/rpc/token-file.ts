import { randomBytes } from 'node:crypto'
import { Fault } from '../domain/errors.ts'
import { readOwn, replaceOwn } from './own-file.ts'

const tokenBytes = 32
const whole = /^[A-Za-z0-9_-]{43}\n$/

/**
 * The token that opens the door of a workspace, from its file; made when there is none. A file that somebody else could
 * have put there or read is not taken over: a new token takes its place. `keep` is false where the folder it lies in was
 * not made here, since a token that came along with it is known to whoever sent it. Throws `door/cannot-write`.
 */
export function doorToken(path: string, { keep = true }: { keep?: boolean } = {}): string {
  const found = keep ? readDoorToken(path) : null
  if (found !== null) return found
  const token = randomBytes(tokenBytes).toString('base64url')
  try {
    replaceOwn(path, `${token}\n`)
  } catch (error) {
    throw cannotWrite(path, error)
  }
  return token
}

/** The token as a client finds it; null when there is none that it may trust. */
export function readDoorToken(path: string): string | null {
  const text = readOwn(path, 64)
  return text !== null && whole.test(text) ? text.trimEnd() : null
}

export function cannotWrite(path: string, error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const sentence = `Cannot write ${path}: the system says ${code}. See that its folder is yours and writable, and that no folder stands in its place.`
  return new Fault('door/cannot-write', sentence, { path, code })
}
