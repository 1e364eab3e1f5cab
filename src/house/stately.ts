import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { StatelyInspector } from '../cli/parts.ts'
import { Fault } from '../domain/errors.ts'

const name = '@statelyai/inspect'

/**
 * Runs in a thread of its own, which can be ended: the package keeps its connection open for as long as the process lives.
 * It is told a call, its name first.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const waiting = []
let call = (told) => waiting.push(told)
parentPort.on('message', (told) => call(told))
import(workerData.package).then(({ createSkyInspector }) => {
  const inspector = createSkyInspector()
  call = ([what, ...given]) => inspector[what](...given)
  waiting.splice(0).forEach(call)
})
`

/**
 * Opens a session with Stately's inspector, which says itself where to look. The package that speaks with it is no part of
 * undermind. It is looked for where undermind is installed, never in the folder one is in: what lies there may be
 * anybody's. Throws `inspector/no-stately`.
 */
export function openStately(from = import.meta.url): StatelyInspector {
  const worker = new Worker(program, { eval: true, workerData: { package: find(from) } })
  worker.on('error', () => {}) // then there is nothing to look at there; what runs here goes on
  const call = (what: string, ...given: unknown[]): void => worker.postMessage([what, ...given])
  return {
    actor({ id, kind, parent, state }) {
      const snapshot = { status: 'active', value: state, context: { kind } }
      call('actor', id, snapshot, parent === null ? {} : { parentId: parent })
    },
    step({ actor, sender, event: type, to }) {
      call('event', actor, { type }, sender === null ? {} : { source: sender })
      call('snapshot', actor, { status: 'active', value: to }, { event: { type } })
    },
    stop: () => void worker.terminate(),
  }
}

function find(from: string): string {
  try {
    return createRequire(from).resolve(name)
  } catch {
    const sentence = `Stately's inspector needs the package ${name}, which is not installed. Install it beside undermind: npm install ${name}, with -g where undermind is installed so.`
    throw Fault.use('inspector/no-stately', sentence, { package: name })
  }
}
