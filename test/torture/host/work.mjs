import { linesIn } from '../lib/lines.mjs'
import { randomFrom } from '../lib/random.mjs'

/** Where the jobs' work leaves its traces: a line for each time it happened. */
export const traces = (/** @type {string} */ folder) => linesIn(`${folder}/happened.jsonl`)

export const happened = (/** @type {string} */ folder, /** @type {string} */ key) =>
  traces(folder)
    .all()
    .some((line) => line.key === key)

/**
 * @param {string} folder @param {(point: string) => void} die @param {ReturnType<typeof randomFrom>} random
 */
export function doing(folder, die, random) {
  const sometime = () => (random.chance(0.5) ? new Promise((next) => setTimeout(next, random.below(12))) : null)
  return {
    concurrency: 4,
    repeatable: ({ kind }) => kind === 'repeatable' || kind === 'flaky',
    async run({ kind }, { key }) {
      await sometime()
      if (kind === 'flaky' && random.chance(0.3)) throw new Error('a bad day')
      die('before-effect')
      traces(folder).add({ key })
      die('after-effect')
      await sometime()
      return key
    },
    async check({ kind }, { key }) {
      await sometime()
      if (kind !== 'checked') return { outcome: 'unknown' }
      return happened(folder, key) ? { outcome: 'happened', output: key } : { outcome: 'notHappened' }
    },
  }
}
