#!/usr/bin/env node
// Kills the runtime again and again, each time over what the former life left, and checks that nothing is lost, doubled or
// damaged. `--kills N` in all (5000), `--seed S`, `--scenario NAME` for one alone, `--json` for a report on standard output,
// `--keep` to keep the folders of what went well too. Ends with 1 when something is wrong; its folder is kept.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { agent } from '../test/torture/agent/scenario.mjs'
import { host } from '../test/torture/host/scenario.mjs'
import { house } from '../test/torture/house/scenario.mjs'
import { compiled } from '../test/torture/lib/compiled.mjs'
import { ordeal } from '../test/torture/lib/ordeal.mjs'
import { migration } from '../test/torture/migration/scenario.mjs'

/** How the kills are shared out, and how many of them one folder goes through. */
const scenarios = [
  { scenario: host, share: 0.54, each: 60 },
  { scenario: house, share: 0.26, each: 36 },
  { scenario: agent, share: 0.14, each: 21 },
  { scenario: migration, share: 0.06, each: 32 },
]
const atOnce = 2

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    scenario: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const wanted = Number(values.kills)
const chosen = scenarios.filter(({ scenario }) => values.scenario === undefined || scenario.name === values.scenario)
if (!Number.isInteger(wanted) || wanted < 1 || chosen.length === 0) {
  console.error('Usage: torture.mjs [--kills N] [--seed S] [--scenario host|house|agent|migration] [--json] [--keep]')
  process.exit(2)
}

const { dist, remove } = compiled()
const root = mkdtempSync(join(tmpdir(), 'undermind-torture-'))
const shares = chosen.reduce((sum, { share }) => sum + share, 0)
const ordeals = chosen.flatMap(({ scenario, share, each }) => {
  const kills = Math.ceil((wanted * share) / shares)
  return Array.from({ length: Math.ceil(kills / each) }, (_, n) => ({
    scenario,
    kills: Math.min(each, kills - n * each),
    seed: `${values.seed}/${n}`,
    folder: join(root, `${scenario.name}-${n}`),
  }))
})

const startedAt = performance.now()
const results = []
let killed = 0
const progress = () => {
  killed++
  if (values.json || (!process.stderr.isTTY && killed % 100 !== 0)) return
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stderr.write(`${killed} of ${wanted} kills, ${seconds} s${process.stderr.isTTY ? '\r' : '\n'}`)
}
const waiting = ordeals.sort((a, b) => b.kills - a.kills)
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { scenario, ...rest } = next
    const result = await ordeal(scenario, { ...rest, dist, onKill: progress })
    results.push(result)
    if (result.problems.length > 0) waiting.length = 0
    else if (!values.keep) rmSync(result.folder, { recursive: true, force: true })
  }
}
try {
  await Promise.all(Array.from({ length: atOnce }, work))
} finally {
  remove()
}

const shown = 10
const problems = results.flatMap(({ scenario, seed, folder, problems: found }) => [
  ...found.slice(0, shown).map((problem) => `${scenario} with seed ${seed} in ${folder}: ${problem}`),
  ...(found.length > shown ? [`and ${found.length - shown} more there`] : []),
])
if (problems.length === 0 && !values.keep) rmSync(root, { recursive: true, force: true })
const sum = (all) => {
  const total = {}
  for (const [key, count] of all.flatMap(Object.entries)) total[key] = (total[key] ?? 0) + count
  return total
}
const report = {
  seed: values.seed,
  kills: results.reduce((total, { kills }) => total + kills, 0),
  lives: results.reduce((total, { lives }) => total + lives, 0),
  seconds: Math.round((performance.now() - startedAt) / 1000),
  scenarios: Object.fromEntries(
    chosen.map(({ scenario: { name } }) => {
      const own = results.filter(({ scenario }) => scenario === name)
      return [
        name,
        {
          folders: own.length,
          killedAt: sum(own.map(({ killedAt }) => killedAt)),
          ...sum(own.map(({ facts }) => facts)),
        },
      ]
    }),
  ),
  problems,
}
if (values.json) console.log(JSON.stringify(report))
else {
  console.log(`Seed ${report.seed}: ${report.kills} kills of ${report.lives} lives in ${report.seconds} s`)
  for (const [name, facts] of Object.entries(report.scenarios)) console.log(`${name}: ${JSON.stringify(facts)}`)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing was lost, doubled or damaged.' : `${problems.length} problems`)
}
process.exitCode = problems.length === 0 ? 0 : 1
