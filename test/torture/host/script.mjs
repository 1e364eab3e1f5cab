import { randomFrom } from '../lib/random.mjs'

export const counters = Array.from({ length: 6 }, (_, n) => `counter_${n}`)

/**
 * The kinds of work a job can be: one that may be repeated, one that fails now and then, one that must not be repeated
 * and can be checked, one that must not and cannot.
 */
export const jobKinds = /** @type {const} */ (['repeatable', 'flaky', 'checked', 'once'])

/**
 * What the `n`th message of a run is; every life sends the same ones, however often. Of `add`, `pass` and `relay` it is
 * known exactly what they come to.
 * @param {string} seed @param {number} n
 */
export function operation(seed, n) {
  const random = randomFrom('operation', seed, n)
  const [to, other] = [random.of(counters), random.of(counters)]
  const by = 1 + random.below(9)
  const act = random.weighted({ add: 4, pass: 4, relay: 2, job: 4, note: 2, break: 0.1 })
  switch (act) {
    case 'pass':
      return { act, to, event: { type: 'pass', to: other, by } }
    case 'relay':
      return { act, to, event: { type: 'relay', left: random.below(12) } }
    case 'job': {
      const pause = random.chance(0.5) ? 1 + random.below(60) : 0
      return { act, to, event: { type: 'job', job: `job_${n}`, kind: random.of(jobKinds), pause } }
    }
    case 'note':
      return { act, to, note: `note_${n}` }
    case 'break':
      return { act, to, event: { type: 'break' } }
    default:
      return { act: 'add', to, event: { type: 'add', by } }
  }
}

/** The counter that a relay goes on to. */
export const nextOf = (/** @type {string} */ counter) => counters[(counters.indexOf(counter) + 1) % counters.length]

/** What every counter must stand at after the operations below `end`. @param {string} seed @param {number} end */
export function expected(seed, end) {
  const counts = Object.fromEntries(counters.map((counter) => [counter, { balance: 0, jobs: 0, notes: 0 }]))
  for (let n = 0; n < end; n++) {
    const { act, to, event } = operation(seed, n)
    if (act === 'add') counts[to].balance += event.by
    if (act === 'pass') {
      counts[to].balance -= event.by
      counts[event.to].balance += event.by
    }
    if (act === 'job') counts[to].jobs++
    if (act === 'note') counts[to].notes++
    if (act === 'relay') for (let at = to, left = event.left; left >= 0; left--, at = nextOf(at)) counts[at].balance++
  }
  return counts
}
