import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { desk } from './support/desk.ts'
import { Status, Tick } from './support/shapes.ts'

const cases = join(import.meta.dirname, '../cases/workspace-three-days')
const mailTask = 'Look through new mail for urgent items'
const trackerTask = 'Watch the project tracker for deadline changes'

it('reports on each of three days what is new, word for word, and nothing on a quiet one', async (test) => {
  const at = desk(test)
  const workspace = at.folder('notes')
  const env = { UNDERMIND_CLOCK: '2026-04-01T18:00:00+02:00', TZ: 'Europe/Berlin' }

  const ticks: z.infer<typeof Tick>[] = []
  const lastTickAt: number[] = []
  for (const day of ['day1', 'day2', 'day3']) {
    at.copy(join(cases, day), 'notes')
    at.copy(join(cases, 'HEARTBEAT.md'), 'notes/HEARTBEAT.md')
    const tick = Tick.parse(await at.json(['-w', workspace, 'tick'], { env }))
    expectVerbatim(join(cases, day), tick)
    ticks.push(tick)
    const status = Status.parse(await at.json(['-w', workspace, 'status'], { env }))
    expect(status.worlds).toMatchObject([{ id: tick.world, totalTicks: ticks.length, consecutiveFailures: 0 }])
    lastTickAt.push(status.worlds[0]!.lastTickAt!)
  }
  const [day1, day2, day3] = ticks
  const of = (tick: z.infer<typeof Tick> | undefined, title: string) => {
    const found = tick?.evaluations.find((evaluation) => evaluation.title === title)
    return { ...found, text: found?.text ?? '', keys: new Set(found?.sources.map(({ key }) => key)) }
  }

  expect(day1?.evaluations.filter(({ state }) => state === 'failed')).toEqual([])
  expect(of(day1, mailTask)).toMatchObject({ state: 'acted', keys: new Set(['inbox/0001.eml']) })
  expect(of(day1, mailTask).text).toContain('3 April')
  expect(of(day1, mailTask).text).not.toContain('checks passed')

  expect(of(day2, mailTask)).toMatchObject({ state: 'acted', keys: new Set(['inbox/0003.eml']) })
  expect(of(day2, mailTask).text).toContain('2 April')
  expect(of(day2, trackerTask)).toMatchObject({ state: 'acted', keys: new Set(['tracker.md']) })
  expect(of(day2, trackerTask).text).toContain('unblocked')
  expect(of(day2, trackerTask).text).toContain('Interface review moved to 2 April (was 3 April)')

  expect(day3).toMatchObject({ state: 'quiet', modelCalls: 0, evaluations: [] })
  expect(lastTickAt[0]).toBeGreaterThanOrEqual(Date.parse(env.UNDERMIND_CLOCK))
  expect(lastTickAt[1]).toBeGreaterThan(lastTickAt[0]!)
  expect(lastTickAt[2]).toBeGreaterThan(lastTickAt[1]!)
})

/** Everything that is quoted, in the sources and in the text, stands in the file that is named for it. */
function expectVerbatim(folder: string, tick: z.infer<typeof Tick>): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const textOf = (key: string) => (names.includes(key) ? readFileSync(join(folder, key), 'utf8') : '')
  for (const { text, sources } of tick.evaluations) {
    for (const { key, quote } of sources) expect(textOf(key)).toContain(quote)
    const quoted = [...(text ?? '').matchAll(/^"(.*)" — (\S+)$/gm)]
    expect(quoted.length).toBe(sources.length)
    for (const [, line = '', key = ''] of quoted) expect(textOf(key).split('\n')).toContain(line)
  }
}
