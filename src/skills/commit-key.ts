import type { OutboxKey } from '../domain/ids.ts'
import { done, type Git } from './git.ts'

/** A line of a message that tells which piece of work made the commit. */
export const commitKey = /^\s*undermind-key\s*:/im

const trailer = /^[A-Za-z][A-Za-z0-9-]*: \S.*$/

/** A message that ends in the key of its work, beside the trailers that it has already. */
export const messageWith = (message: string, key: OutboxKey): string => {
  const last = message.split(/\n\s*\n/).at(-1) ?? ''
  const hasTrailers = message.includes('\n\n') && last.split('\n').every((line) => trailer.test(line))
  return `${message}${hasTrailers ? '\n' : '\n\n'}Undermind-Key: ${key}\n`
}

/** Whether some branch or tag holds a commit that this piece of work made. */
export const hasCommit = async (git: Git, key: OutboxKey): Promise<boolean> => {
  const exactly = `^Undermind-Key: ${key.replace(/[\\.[\]*^$]/g, '\\$&')}$`
  const found = await git(['rev-list', '--all', '--max-count=1', '--basic-regexp', `--grep=${exactly}`])
  return done('rev-list', found) !== ''
}
