import { writeFileSync } from 'node:fs'
import { check } from './check.mjs'
import { workspaceIn } from './places.mjs'

const minute = 60_000
const hour = 60 * minute

/** Agents at work, from their first thought to what they have done. @type {import('../lib/ordeal.mjs').Scenario} */
export const agent = {
  name: 'agent',
  life: new URL('life.mjs', import.meta.url).href,
  points: {
    'before-commit': { weight: 3, mean: 40 },
    'after-commit': { weight: 3, mean: 40 },
    'before-work': { weight: 2, mean: 12 },
    'after-work': { weight: 2, mean: 12 },
    'before-thinking': { weight: 2, mean: 3 },
    'after-thinking': { weight: 3, mean: 3 },
    'before-post': { weight: 2, mean: 1.3 },
    'after-post': { weight: 3, mean: 1.3 },
    'before-note': { weight: 1, mean: 1.3 },
    'after-note': { weight: 2, mean: 1.3 },
    'before-write': { weight: 1, mean: 1.2 },
    'write-prepared': { weight: 2, mean: 1.2 },
    'after-write': { weight: 2, mean: 1.2 },
  },
  longest: 500,
  async prepare({ folder, dist }) {
    const { initWorkspace } = await import(`${dist}/settings/init.js`)
    const workspace = workspaceIn(folder)
    await initWorkspace(workspace)
    writeFileSync(`${workspace}/HEARTBEAT.md`, '')
    writeFileSync(`${workspace}/notes.md`, 'Who pays the venue?\n')
    writeFileSync(`${workspace}/long.md`, 'A long line that nobody needs to read.\n'.repeat(600))
  },
  between(place, random, isLast) {
    // Most lives follow at once, some when what failed is due again.
    const passes = random.weighted({ none: 70, minutes: 25, hours: 5 })
    const longest = { none: 1, minutes: 20 * minute, hours: 8 * hour }[passes]
    place.shift = (place.shift ?? 0) + random.below(longest) + (isLast ? 12 * hour : 0)
    return { shift: place.shift }
  },
  check,
}
