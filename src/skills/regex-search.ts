import { Worker } from 'node:worker_threads'
import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'

/** For the lines of one text, which of them match, at most `most`. */
export interface LineSearch {
  matching(lines: readonly string[], most: number): Promise<number[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** All of one search may look for so long; a pattern that goes back over and over is then stopped. */
const limitMs = 2 * second

// JavaScript's own expressions may take for ever and cannot be broken off but with their thread.
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const regex = new RegExp(workerData.source, workerData.flags)
parentPort.on('message', ({ lines, most }) => {
  const found = []
  for (let index = 0; index < lines.length && found.length < most; index++)
    if (regex.test(lines[index])) found.push(index)
  parentPort.postMessage(found)
})`

/** A search by a regular expression in a thread of its own, which ends with the search. Fault `tool/bad-arguments`. */
export const regexSearch = (
  { tool, source, flags }: { tool: string; source: string; flags: string },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): LineSearch => {
  const workerData = { source, flags: flagsFor(tool, source, flags) }
  const worker = new Worker(code, {
    eval: true,
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  let left = limitMs
  let failed: Error | null = null
  let settle: ((error: Error | null, found: number[]) => void) | null = null
  const end = (error: Error) => {
    failed ??= error
    settle?.(failed, [])
  }
  worker.on('message', (found: number[]) => settle?.(null, found))
  worker.on('error', () => end(tooSlow(tool, 'it ran out of memory')))
  const onAbort = () => end(new Fault('tool/aborted', 'Stopped before it was finished. Nothing was changed.'))
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()

  return {
    matching: (lines, most) =>
      new Promise((resolve, reject) => {
        if (failed !== null) return reject(failed)
        const began = clock.now()
        const callOff = clock.wakeAt(began + left, () => end(tooSlow(tool, 'it took longer than 2 seconds')))
        settle = (error, found) => {
          settle = null
          callOff()
          left = Math.max(1, left - (clock.now() - began))
          if (error === null) resolve(found)
          else reject(error)
        }
        worker.postMessage({ lines, most })
      }),
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', onAbort)
      await worker.terminate()
    },
  }
}

/** Full Unicode where the expression is valid for it, else as JavaScript took it before. */
const flagsFor = (tool: string, source: string, flags: string): string => {
  for (const all of [`${flags}u`, flags]) {
    try {
      new RegExp(source, all)
      return all
    } catch {
      // The next, or none.
    }
  }
  const sentence = `Cannot use ${tool}: the regular expression is not valid in JavaScript. Correct it, or search for a text.`
  throw Fault.use('tool/bad-arguments', sentence, { tool })
}

const tooSlow = (tool: string, why: string): Fault =>
  new Fault('tool/pattern-too-slow', `Gave the search up: ${why}. Use a simpler expression, or search for a text.`, {
    tool,
  })
