import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pageNames } from '../../../src/web/parts/place.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, card, gone, seen } from '../support/expect.ts'
import { dayFiles, dayScript, dayTasks } from '../support/scene.ts'
import { openCards, served } from '../support/server.ts'

const day = { files: dayFiles, tasks: dayTasks, script: dayScript, settings: { 'orchestration.enabled': true } }

/** What is seriously wrong for those who do not see the page as others do, a line each. */
async function barriers(page: Page, only?: string): Promise<string[]> {
  return page.evaluate(async (rule) => {
    const { axe: checker } = globalThis as typeof globalThis & { axe: typeof axe }
    const { violations } = await checker.run(rule === undefined ? {} : { runOnly: [rule] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      )
  }, only)
}

export function everybodyScenes(here: Stage): void {
  describe('the page', () => {
    it('has no serious barrier on any of its parts, in the light and in the dark', async () => {
      const house = await served(here.folder, day)
      await house.home.tick(true)
      const { page } = await visit(here, house, { reducedMotion: 'reduce' })
      await seen(card(page, 'Check urgent mail'))
      await page.evaluate(axe.source)
      await button(page, 'Edit').first().click()
      const evaluation = openCards(house.home)[0]?.id ?? ''
      const found: string[] = []
      for (const place of [...pageNames, `activity/${evaluation}`, `inspector/${evaluation}`]) {
        if (place !== 'start') await page.goto(`${house.url}/#/${place}`)
        await seen(page.getByRole('heading', { level: 1 }))
        await gone(page.getByText('One moment…'))
        await page.emulateMedia({ colorScheme: 'light' })
        const light = await barriers(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        const dark = await barriers(page, 'color-contrast')
        found.push(...[...light, ...dark].map((barrier) => `${place} ${barrier}`))
      }
      expect(found).toEqual([])
    })

    it('speaks Chinese to whoever reads it, and what was chosen here to whoever does not', async () => {
      const house = await served(here.folder, day)
      await house.home.tick(true)
      const visitor = await visit(here, house, { locale: 'zh-CN' })
      const { page } = visitor
      await seen(page.getByRole('heading', { name: '等待您处理' }))
      await seen(button(page, '继续').first())
      await seen(page.getByText('等待批准').first())
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
      await button(page, 'English').click()
      await seen(button(page, 'Go ahead').first())
      await page.reload()
      await seen(button(page, 'Go ahead').first())
      expectQuiet(visitor)
    })

    it('fits on a phone, all of it', async () => {
      const house = await served(here.folder, day)
      await house.home.tick(true)
      const { page } = await visit(here, house, { viewport: { width: 360, height: 740 }, hasTouch: true })
      await seen(card(page, 'Check urgent mail'))
      const evaluation = openCards(house.home)[0]?.id ?? ''
      const wide: string[] = []
      for (const place of [...pageNames, `activity/${evaluation}`, `inspector/${evaluation}`]) {
        await page.goto(`${house.url}/#/${place}`)
        await gone(page.getByText('One moment…'))
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (width > 360) wide.push(`${place}: ${width}`)
      }
      expect(wide).toEqual([])
      await button(page, 'Menu').tap()
      await page.getByRole('link', { name: 'Worlds' }).tap()
      await seen(page.getByRole('heading', { name: 'Worlds' }))
      await gone(page.getByRole('link', { name: 'Usage' }))
    })

    it('says what does not work, and counts honestly what it cost', async () => {
      const house = await served(here.folder, {
        ...day,
        services: (real) => ({
          ...real,
          status() {
            const status = real.status()
            const [world, ...others] = status.instances
            return {
              ...status,
              providerUnavailableReason: 'nobody is at 127.0.0.1:11434',
              usage: { ...status.usage, calls: 12, cost: 30_000, failedCalls: 2, callsAvoided: 41 },
              instances: [{ ...world!, consecutiveFailures: 3 }, ...others],
            }
          },
        }),
      })
      const { page } = await visit(here, house)
      const bar = page.getByRole('region', { name: 'Status' })
      await seen(bar.getByText('3 in a row'))
      for (const text of ['12 calls', '· 0.03', '· 41 calls avoided', '· 2 failed']) await seen(bar.getByText(text))
      await seen(page.getByText('The model cannot be asked: nobody is at 127.0.0.1:11434'))
    })

    it('shows use by day and told apart, and everything that doctor finds', async () => {
      const house = await served(here.folder, day)
      await house.home.tick(true)
      const visitor = await visit(here, house, {}, 'usage')
      const { page } = visitor
      await seen(page.locator('.uplot canvas'))
      await page.getByLabel('Told apart by').selectOption('Task')
      await seen(page.getByRole('row', { name: /Check urgent mail/ }))
      await page.goto(`${house.url}/#/settings`)
      await button(page, 'Check everything').click()
      await seen(page.getByText('Node version'))
      expectQuiet(visitor)
    })
  })
}
