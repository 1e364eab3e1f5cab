import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Fault } from '../domain/errors.ts'
import type { Io } from './parts.ts'

/** The streams of a process. */
export interface Streams {
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number }
  stderr: Writable
}

const usualColumns = 80
const usualRows = 24

/** A terminal over the streams of a process. Questions go to where errors go, so that results stay clean. */
export const terminal = ({ stdin, stdout, stderr }: Streams): Io => {
  // Whoever reads may close early, as `head` does: that is no error.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return {
    out: (words) => void stdout.write(words),
    err: (words) => void stderr.write(words),
    isTTY: stdout.isTTY === true,
    get columns() {
      return stdout.columns ?? usualColumns
    },
    get rows() {
      return stdout.rows || usualRows // a terminal of no size is one that did not say
    },
    stdin: () => text(stdin),
    stdio: () => ({ input: stdin, output: stdout }),
    confirm: async (question) => {
      if (stdin.isTTY !== true || stdout.isTTY !== true) return null
      const { confirm } = await import('@clack/prompts')
      const answer = await confirm({ message: question, initialValue: false, input: stdin, output: stderr })
      if (typeof answer === 'boolean') return answer
      throw new Fault('cli/called-off', 'Called off. Nothing was changed; run it again to answer.')
    },
  }
}
