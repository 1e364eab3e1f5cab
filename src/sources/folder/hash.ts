import { createHash } from 'node:crypto'
import { turn } from './turn.ts'

const slice = 262_144

/** SHA-256 of the bytes, hex; others get their turn in between. */
export const hashOf = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += slice) {
    if (at > 0) await turn()
    hash.update(bytes.subarray(at, at + slice))
  }
  return hash.digest('hex')
}
