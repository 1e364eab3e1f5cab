import { createHash } from 'node:crypto'

/** SHA-256 of the bytes, hex: how a before-image names what stood in a file and what will. */
export const contentHash = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')
