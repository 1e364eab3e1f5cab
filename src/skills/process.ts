import { type ChildProcess, spawn } from 'node:child_process'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'

/** Takes what a program writes. */
export interface Sink {
  take(chunk: Buffer): void
}

export interface Program {
  /** Absolute. */
  file: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  input?: Uint8Array
  out: Sink
  err: Sink
  clock: Clock
  signal?: AbortSignal
  limitMs: number
  /** Bytes after which it is stopped. */
  mostOutput: number
}

/** `stopped` says why it was killed, where that was our doing. */
export interface Ended {
  code: number | null
  signal: string | null
  stopped: 'aborted' | 'late' | 'flood' | null
}

/** How long what a program left behind may keep its output open after it has ended. */
const lingerMs = second

/**
 * Runs a program without a shell, in a process group of its own that ends with it: when it is told to stop, after
 * `limitMs`, and when its first process has ended, all of the group is killed in a way that nothing can ignore.
 * Fault `tool/command-failed` when it cannot be started.
 */
export const runProgram = (program: Program): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const { clock, signal } = program
    if (signal?.aborted) return resolve({ code: null, signal: null, stopped: 'aborted' })
    let stopped: Ended['stopped'] = null
    let written = 0
    const child = started(program)
    const stop = (why: Ended['stopped']) => {
      stopped ??= why
      killGroup(child)
    }
    const listen = (sink: Sink) => (chunk: Buffer) => {
      written += chunk.length
      sink.take(chunk)
      if (written > program.mostOutput) stop('flood')
    }
    const onAbort = () => stop('aborted')
    const callsOff = [clock.wakeAt(clock.now() + program.limitMs, () => stop('late'))]
    const leave = () => {
      for (const callOff of callsOff) callOff()
      signal?.removeEventListener('abort', onAbort)
    }
    child.stdout?.on('data', listen(program.out))
    child.stderr?.on('data', listen(program.err))
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(program.input)
    child.once('error', (error) => {
      leave()
      reject(notStarted(program, error))
    })
    child.once('exit', () => {
      killGroup(child)
      // A process that left the group can still hold the pipes; it is not waited for.
      const letGo = () => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }
      callsOff.push(clock.wakeAt(clock.now() + lingerMs, letGo))
    })
    child.once('close', (code, by) => {
      leave()
      resolve({ code, signal: by, stopped })
    })
    signal?.addEventListener('abort', onAbort)
  })

const started = (program: Program): ChildProcess => {
  try {
    return spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      stdio: [program.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (error) {
    throw notStarted(program, error)
  }
}

const notStarted = ({ file }: Program, error: unknown): Fault => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return new Fault('tool/command-failed', `Could not start ${file}: the system answered ${code}.`, { file, code })
}

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    if (process.platform === 'win32') process.kill(pid, 'SIGKILL')
    else process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}

/** Keeps all of it, as bytes. */
export const wholeOutput = () => {
  const chunks: Buffer[] = []
  return {
    take: (chunk: Buffer) => void chunks.push(chunk),
    bytes: () => Buffer.concat(chunks),
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

/** Keeps the last `limit` bytes of what comes, however much that is. */
export const lastOutput = (limit: number) => {
  let kept = Buffer.alloc(0)
  let total = 0
  return {
    take(chunk: Buffer): void {
      total += chunk.length
      kept = Buffer.concat([kept, chunk])
      if (kept.length > limit) kept = Buffer.from(kept.subarray(kept.length - limit))
    },
    /** What was kept, from a whole character on, and how many bytes were let go before it. */
    text(): { text: string; left: number } {
      let from = 0
      if (total > kept.length) while (from < 4 && ((kept[from] ?? 0) & 0xc0) === 0x80) from++
      return { text: kept.subarray(from).toString('utf8'), left: total - kept.length + from }
    },
  }
}
