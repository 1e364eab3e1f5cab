import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { randomFrom } from './random.mjs'

/**
 * What a scenario brings: a program that lives over a folder, and what must be true of the folder whenever it has ended.
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} life URL of the program; it gets one argument, JSON of a `Life`, and says `begin` before it opens anything
 * @property {Record<string, { weight: number, mean: number }>} points where a life may die, how often that is chosen, and at
 *   which passing of the point on average
 * @property {number} longest milliseconds after its beginning within which a life may be killed from outside
 * @property {number} [twins] share of lives that begin as two processes at once, of which one must be refused
 * @property {(place: Place) => Promise<void>} prepare
 * @property {(place: Place, random: ReturnType<typeof randomFrom>, isLast: boolean) => object} [between] what happens while
 *   nobody lives; what it returns is handed to the next life
 * @property {(place: Place) => Promise<{ problems: string[], facts: Record<string, number> }>} check
 */

/** @typedef {{ folder: string, dist: string, seed: string }} Place */

/**
 * @typedef {Place & { number: number, twin: number, fate: { point: string, nth: number } | null, last: boolean,
 *   [more: string]: unknown }} Life
 */

/** A life that takes longer than this hangs. */
const tooLong = 120_000

/**
 * Lets a program live and be killed over one folder until it has been killed `kills` times, lets it come to rest, and
 * checks what is left.
 * @param {Scenario} scenario
 * @param {Place & { kills: number, onKill?: () => void }} ordeal
 */
export async function ordeal(scenario, { kills, onKill = () => {}, ...place }) {
  const random = randomFrom(scenario.name, place.seed)
  /** @type {Record<string, number>} */
  const killedAt = {}
  /** @type {string[]} */
  const problems = []
  let lives = 0
  let killed = 0
  mkdirSync(place.folder, { recursive: true })
  await scenario.prepare(place)

  while (killed < kills && problems.length === 0) {
    const more = scenario.between?.(place, random, false) ?? {}
    const isOutside = random.chance(0.3)
    const weights = Object.fromEntries(Object.entries(scenario.points).map(([point, { weight }]) => [point, weight]))
    const point = random.weighted(weights)
    const fate = isOutside ? null : { point, nth: random.count(scenario.points[point].mean) }
    const number = ++lives
    const life = { ...place, ...more, number, fate, last: false }
    const killAfter = isOutside ? random.below(scenario.longest) : null
    const together = random.chance(scenario.twins ?? 0) ? 2 : 1
    const twins = Array.from({ length: together }, (_, twin) => ({ ...life, twin }))
    const ends = await Promise.all(twins.map((one) => live(scenario, one, killAfter)))
    for (const { diedAt, wrong } of ends) {
      if (diedAt !== null) {
        killed++
        killedAt[diedAt] = (killedAt[diedAt] ?? 0) + 1
        onKill()
      }
      if (wrong !== null) problems.push(`life ${number} (${JSON.stringify(fate ?? { killAfter })}): ${wrong}`)
    }
  }
  let facts = {}
  if (problems.length === 0) {
    const more = scenario.between?.(place, random, true) ?? {}
    const { wrong } = await live(
      scenario,
      { ...place, ...more, number: ++lives, twin: 0, fate: null, last: true },
      null,
    )
    if (wrong !== null) problems.push(`the last life: ${wrong}`)
    else {
      try {
        const checked = await scenario.check(place)
        problems.push(...checked.problems)
        facts = checked.facts
      } catch (error) {
        problems.push(`cannot be checked: ${error.stack}`)
      }
    }
  }
  return {
    scenario: scenario.name,
    seed: place.seed,
    folder: place.folder,
    lives,
    kills: killed,
    killedAt,
    facts,
    problems,
  }
}

/**
 * One life, from its first breath to whatever end it finds.
 * @param {Scenario} scenario @param {Life} life @param {number | null} killAfter
 * @returns {Promise<{ diedAt: string | null, wrong: string | null }>}
 */
function live(scenario, life, killAfter) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(scenario.life), JSON.stringify(life)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kill = () => void child.kill('SIGKILL')
    let said = ''
    let complained = ''
    let isStuck = false
    /** @type {NodeJS.Timeout | undefined} */
    let deadline
    const alarm = setTimeout(() => {
      isStuck = true
      kill()
    }, tooLong)
    child.stdout.on('data', (bytes) => {
      said += bytes
      if (killAfter !== null && deadline === undefined && said.includes('begin')) deadline = setTimeout(kill, killAfter)
    })
    child.stderr.on('data', (bytes) => {
      complained += bytes
    })
    child.on('close', (code, signal) => {
      clearTimeout(alarm)
      clearTimeout(deadline)
      const diedAt = signal === 'SIGKILL' ? (/^dies (.*)$/m.exec(said)?.[1] ?? 'outside') : null
      const isWrong = isStuck || complained !== '' || (diedAt === null && code !== 0)
      const wrong = isWrong ? `${isStuck ? 'hung' : `ended with ${code ?? signal}`}: ${said}${complained}`.trim() : null
      resolve({ diedAt: isStuck ? null : diedAt, wrong })
    })
  })
}
