import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

interface Report {
  seed: string
  kills: number
  scenarios: Record<string, { killedAt: Record<string, number> } & Record<string, number>>
  problems: string[]
}

const script = join(import.meta.dirname, '../../scripts/torture.mjs')
const kills = 300

/** The script ends with 1 when it has found something; what it found is in its report either way. */
async function torture(...args: string[]): Promise<Report> {
  const run = promisify(execFile)(process.execPath, [script, '--json', ...args], { maxBuffer: 64 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stdout: string; message: string }) => {
    if (!error.stdout.startsWith('{')) throw new Error(error.message)
    return error
  })
  return JSON.parse(stdout) as Report
}

it('loses, doubles and damages nothing, however often and wherever the process is killed', async () => {
  const report = await torture('--kills', String(kills))
  expect(report.problems, `node scripts/torture.mjs --kills ${kills} --seed ${report.seed}`).toEqual([])
  expect(report.kills).toBeGreaterThanOrEqual(kills)
  // A run in which little happened would prove little.
  const { host, house, agent, migration } = report.scenarios
  expect(host).toMatchObject({ killedAt: { outside: expect.any(Number), 'after-commit': expect.any(Number) } })
  expect(Math.min(host?.messages ?? 0, host?.jobs ?? 0)).toBeGreaterThan(500)
  expect(Math.min(house?.evaluations ?? 0, (house?.sent ?? 0) * 10)).toBeGreaterThan(300)
  expect(Math.min(agent?.steps ?? 0, (agent?.posted ?? 0) * 10, (agent?.noted ?? 0) * 10)).toBeGreaterThan(150)
  expect(migration?.versions).toBeGreaterThan(5)
}, 600_000)
