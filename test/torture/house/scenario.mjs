import { writeFileSync } from 'node:fs'
import { randomFrom } from '../lib/random.mjs'
import { check } from './check.mjs'
import { workspaceIn } from './places.mjs'
import { editFiles } from './user.mjs'

const minute = 60_000
const day = 24 * 60 * minute

const heartbeat = `# What to look at
${Array.from({ length: 9 }, (_, n) => `- Watch the ${['first', 'second', 'third'][n % 3]} list of ${['people', 'places', 'prices'][Math.floor(n / 3)]}`).join('\n')}
- Review the calendar for conflicts
- Summarise what was decided
- Add every new deadline to AGENDA.md
`

/** A whole workspace: everything from the files to the cards. @type {import('../lib/ordeal.mjs').Scenario} */
export const house = {
  name: 'house',
  life: new URL('life.mjs', import.meta.url).href,
  points: {
    begun: { weight: 1, mean: 60 },
    'before-commit': { weight: 3, mean: 60 },
    'after-commit': { weight: 3, mean: 60 },
    'before-work': { weight: 2, mean: 15 },
    'after-work': { weight: 2, mean: 15 },
    'before-judging': { weight: 1, mean: 4 },
    'after-judging': { weight: 1, mean: 4 },
    'before-send': { weight: 2, mean: 1.3 },
    'after-send': { weight: 3, mean: 1.3 },
    'before-append': { weight: 1, mean: 1.3 },
    'append-prepared': { weight: 2, mean: 1.3 },
    'after-append': { weight: 2, mean: 1.3 },
  },
  longest: 700,
  twins: 0.06,
  async prepare({ folder, dist }) {
    const { initWorkspace } = await import(`${dist}/settings/init.js`)
    await initWorkspace(workspaceIn(folder))
    writeFileSync(`${workspaceIn(folder)}/HEARTBEAT.md`, heartbeat)
  },
  between(place, random, isLast) {
    for (let files = random.below(4); files > 0; files--) editFiles(place.folder, random)
    // Most lives follow at once; some after a while, so that what waits comes due, is left behind, or runs out.
    const passes = random.weighted({ none: 50, seconds: 20, minutes: 20, hours: 8, days: 2 })
    const longest = { none: 1, seconds: minute, minutes: 40 * minute, hours: day / 2, days: 16 * day }[passes]
    // In the end everything that is to be tried again has come due.
    place.shift = (place.shift ?? 0) + random.below(longest) + (isLast ? day / 2 : 0)
    return { shift: place.shift, settings: settingsOf(place.seed) }
  },
  check,
}

/** Folders differ in how they are set up, each keeping to its own way. */
function settingsOf(/** @type {string} */ seed) {
  const random = randomFrom('settings', seed)
  return {
    'user.timezone': 'Europe/Berlin',
    'store.synchronous': random.chance(0.1) ? 'full' : 'normal',
    'subconscious.mode': random.chance(0.25) ? 'event_driven' : 'simple',
    'heartbeat.overlap': random.chance(0.3) ? 'finish' : 'supersede',
    'heartbeat.context_budget_tokens': random.chance(0.3) ? 1000 : 40_000,
    'journal.keep_days': random.chance(0.25) ? 1 : 365,
  }
}
