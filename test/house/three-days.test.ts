import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Evaluation } from '../../src/domain/evaluation.ts'
import { HandClock } from '../support/clock.ts'
import { house } from '../support/house.ts'

const cases = join(import.meta.dirname, '../cases/workspace-three-days')

it('reports over three days what is new on each of them, word for word, and nothing on a quiet one', async () => {
  const home = await house({ clock: new HandClock('2026-04-01T18:00:00+02:00') })
  await home.lay(join(cases, 'day1'))
  await home.write('HEARTBEAT.md', await readFile(join(cases, 'HEARTBEAT.md'), 'utf8'))
  const mail = 'Look through new mail for urgent items'
  const tracker = 'Watch the project tracker for deadline changes'

  const day1 = await home.tick()
  await expectVerbatim(home.root, day1.evaluations)
  expect(day1.of(mail)?.state).toBe('acted')
  expect(day1.of(mail)?.text).toContain('3 April')
  expect(new Set(day1.of(mail)?.sources.map(({ key }) => key))).toEqual(new Set(['inbox/0001.eml']))
  expect(day1.of(mail)?.text).not.toContain('checks passed')
  expect(day1.evaluations.filter(({ state }) => state === 'failed')).toEqual([])

  await home.lay(join(cases, 'day2'))
  const day2 = await home.tick()
  await expectVerbatim(home.root, day2.evaluations)
  expect(day2.of(mail)?.text).toContain('2 April')
  expect(day2.of(mail)?.sources.map(({ key }) => key)).not.toContain('inbox/0001.eml')
  expect(day2.of(tracker)?.state).toBe('acted')
  expect(day2.of(tracker)?.text).toContain('unblocked')
  expect(day2.of(tracker)?.text).toContain('Interface review moved to 2 April (was 3 April)')

  const before = home.runtime.status().worlds[0]?.lastTickAt ?? 0
  await home.lay(join(cases, 'day3'))
  const day3 = await home.tick()
  expect(day3).toMatchObject({ state: 'quiet', modelCalls: 0, evaluations: [] })
  expect(home.runtime.status().worlds[0]?.lastTickAt).toBeGreaterThan(before)
})

/** Every quote stands in a file of the workspace as it is at this moment. */
async function expectVerbatim(root: string, evaluations: readonly Evaluation[]): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.undermind'))
  const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')))
  const quotes = evaluations.flatMap(({ sources }) => sources.map(({ quote }) => quote ?? ''))
  expect(quotes.length).toBeGreaterThan(0)
  for (const quote of quotes) expect(texts.some((text) => text.includes(quote))).toBe(true)
}
