import { rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { readOwn, replaceOwn } from './own-file.ts'
import { cannotWrite } from './token-file.ts'

/** What a running daemon says of itself, for whoever looks for it. */
const DaemonFacts = z.strictObject({
  pid: z.int().positive(),
  url: z.url({ protocol: /^http$/ }),
  version: z.string().max(100),
  /** Milliseconds UTC. */
  startedAt: z.int(),
})
export type DaemonFacts = z.infer<typeof DaemonFacts>

const most = 4096

/** Writes the file; what it returns removes it again, unless another daemon's stands there by then. */
export function writeDaemonFile(path: string, facts: DaemonFacts): Disposable {
  try {
    replaceOwn(path, `${JSON.stringify(DaemonFacts.parse(facts))}\n`)
  } catch (error) {
    throw cannotWrite(path, error)
  }
  return {
    [Symbol.dispose]() {
      const found = factsIn(path)
      if (found?.pid === facts.pid && found.startedAt === facts.startedAt) rmSync(path, { force: true })
    },
  }
}

/**
 * Of the daemon that runs; null when none does. What a daemon left that died is ignored, and so is a file that somebody
 * else could have written or that leads to another machine: whoever follows it sends the token there.
 */
export function readDaemonFile(path: string, isAlive: (pid: number) => boolean = isRunning): DaemonFacts | null {
  const facts = factsIn(path)
  return facts !== null && isHere(new URL(facts.url)) && isAlive(facts.pid) ? facts : null
}

function factsIn(path: string): DaemonFacts | null {
  const text = readOwn(path, most)
  if (text === null) return null
  try {
    return DaemonFacts.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function isHere({ hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (address === 'localhost' || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)) return true
  return Object.values(networkInterfaces()).some((one) => one?.some((own) => own.address === address))
}

/** A process that may not be spoken to is there all the same. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
