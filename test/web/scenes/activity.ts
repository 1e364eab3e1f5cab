import { describe, expect, it } from 'vitest'
import { id } from '../../../src/domain/ids.ts'
import type { LogView } from '../../../src/rpc/services.ts'
import { evaluation } from '../../rpc/samples.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, gone, seen } from '../support/expect.ts'
import { dayFiles, dayScript, dayTasks } from '../support/scene.ts'
import { served } from '../support/server.ts'

const many = 100_000

const rowAt = (n: number): LogView => ({
  ...evaluation,
  id: id(`ev_${n}`),
  title: `Task ${n % 50}`,
  text: `Result ${n}${n % 1000 === 7 ? ' with a needle' : ''}`,
  createdAt: evaluation.createdAt - n * 1000,
})

export function activityScenes(here: Stage): void {
  describe('the activity log', () => {
    it('filters by state and task, searches, and says why', async () => {
      const house = await served(here.folder, { files: dayFiles, tasks: dayTasks, script: dayScript })
      await house.home.tick(true)
      const visitor = await visit(here, house, {}, 'activity')
      const { page } = visitor
      const rows = page.getByRole('list', { name: 'Activity log' }).getByRole('listitem')
      await seen(rows.filter({ hasText: 'Look at the build' }))
      expect(await rows.count()).toBe(5)
      await page.getByLabel('State').selectOption('Acted')
      await gone(rows.filter({ hasText: 'Look at the build' }))
      expect(await rows.count()).toBe(1)
      await page.getByLabel('State').selectOption('All states')
      await page.getByLabel('Task', { exact: true }).selectOption('Look at the build')
      await seen(page.getByText('That is all: 1'))
      await page.getByLabel('Task', { exact: true }).selectOption('All tasks')
      await page.getByLabel('Search').fill('PRINTER')
      await seen(page.getByText('That is all: 1'))
      const entry = rows.filter({ hasText: 'Summarise' })
      await entry.getByRole('button', { expanded: false }).click()
      await seen(entry.getByText('Judged on'))
      await seen(entry.getByText('The notes have a new line'))
      await entry.getByText('What the model answered').click()
      await seen(entry.getByText('"decision": "act"'))
      expectQuiet(visitor)
    })

    it('of a day shows what was found, however much was passed over since', async () => {
      const house = await served(here.folder, {
        files: dayFiles,
        tasks: dayTasks,
        script: dayScript,
        services: (real) => ({
          ...real,
          evaluations: {
            ...real.evaluations,
            log: ({ state, ...query }) =>
              state === 'skipped' || state === undefined
                ? Array.from({ length: query.limit }, (_, n) => ({
                    ...rowAt(n),
                    state: 'skipped' as const,
                    tick: id<never>(`tick_${Math.floor(n / 250)}`),
                    createdAt: house.home.clock.now() + 1,
                  }))
                : real.evaluations.log({ state, ...query }),
          },
        }),
      })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      const day = page.getByRole('region', { name: 'What I noticed today' })
      await seen(day.getByText(/call the printer about the brochure/))
      expect(await day.getByText('Nothing new in 250 tasks').count()).toBe(2)
    })

    it('lets new rows in above, and holds them back while the reader is further down', async () => {
      const tasks = Array.from({ length: 40 }, (_, n) => `Watch feed ${n}`)
      const house = await served(here.folder, { tasks })
      await house.home.tick(true)
      const { page } = await visit(here, house, { viewport: { width: 1280, height: 500 } }, 'activity')
      await seen(page.getByText('That is all: 40'))
      await house.home.tick(true)
      await seen(page.getByText('That is all: 80'))
      await page.mouse.wheel(0, 900)
      await page.waitForFunction(() => scrollY > 800)
      const inTheMiddle = () =>
        page.evaluate(() => document.elementFromPoint(600, 250)?.closest('li')?.getAttribute('data-index'))
      const read = () => page.evaluate(() => document.elementFromPoint(600, 250)?.closest('li')?.textContent)
      const before = [await inTheMiddle(), await read()]
      expect(before[1]).toContain('Watch feed')
      await house.home.tick(true)
      await seen(button(page, '40 new'))
      expect([await inTheMiddle(), await read()]).toEqual(before)
      await button(page, '40 new').click()
      await seen(page.getByText('That is all: 120'))
    })

    it('stays smooth with a hundred thousand rows, of which it draws a few', async () => {
      const house = await served(here.folder, {
        services: (real) => ({
          ...real,
          evaluations: {
            ...real.evaluations,
            log({ before, limit }) {
              const from = before === undefined ? 0 : Number(before.slice(3)) + 1
              return Array.from({ length: Math.max(0, Math.min(limit, many - from)) }, (_, n) => rowAt(from + n))
            },
          },
        }),
      })
      const visitor = await visit(here, house, {}, 'activity')
      const { page } = visitor
      await seen(page.getByText(/so far; older ones follow/))
      await page.getByLabel('Search').fill('needle')
      await seen(page.getByText('with a needle'))
      // The rest is looked through as the reader gets near the end of what was found.
      await page.evaluate(async () => {
        while (!document.body.textContent.includes('That is all: 100')) {
          scrollTo(0, document.documentElement.scrollHeight)
          await new Promise(requestAnimationFrame)
        }
      })
      await page.getByLabel('Search').fill('')
      await page.getByText('That is all: 100,000').waitFor({ timeout: 15_000 })
      expect(await page.locator('main li').count()).toBeLessThan(80)
      const slow = await page.evaluate(async () => {
        const frames: number[] = []
        let last = performance.now()
        for (let n = 0; n < 60; n++) {
          scrollTo(0, n % 3 === 0 ? n * 60_000 : scrollY + 400)
          await new Promise(requestAnimationFrame)
          frames.push(performance.now() - last)
          last = performance.now()
        }
        return frames.toSorted((a, b) => a - b)
      })
      // The usual frame, on a machine that may be doing other things besides.
      expect(slow[Math.floor(slow.length / 2)]).toBeLessThan(50)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await seen(page.getByText('Result 99999'))
      expectQuiet(visitor)
    })
  })
}
