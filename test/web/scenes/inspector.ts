import { describe, expect, it } from 'vitest'
import { mail, proposes } from '../../house/scene.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, seen } from '../support/expect.ts'
import { openCards, served } from '../support/server.ts'

const forwarding = { analyse: () => proposes('Forward it', [mail('team@example.org')]) }
const one = { tasks: ['Check urgent mail'], script: forwarding }
const hostile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="document.title='owned'">
  <script>document.title = 'owned'</script><style>@import url(https://tracker.example.org/a.css);</style>
  <image href="https://tracker.example.org/pixel.png" width="5" height="5"/>
  <a href="javascript:alert(1)"><text>lead</text></a>
  <foreignObject><iframe src="https://tracker.example.org/"/></foreignObject>
  <rect fill="url(https://tracker.example.org/x)" onclick="alert(1)" width="5" height="5"/>
  <g class="state" data-state="awaitingApproval"><rect class="box" width="5" height="5"/></g>
</svg>`

export function inspectorScenes(here: Stage): void {
  describe('the inspector', () => {
    it('lights the state that an actor is in, and goes along with it', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const visitor = await visit(here, house, {}, 'inspector')
      const { page } = visitor
      await page.getByRole('navigation', { name: 'Actor tree' }).getByText('Check urgent mail').click()
      const chart = page.getByLabel('State chart')
      await seen(chart.locator('[data-state="awaitingApproval"].active'))
      const [open] = openCards(house.home)
      await house.home.runtime.approve(open!)
      await seen(chart.locator('[data-state="acted"].active'))
      expect(await chart.locator('.active').count()).toBe(1)
      await seen(page.getByRole('status').getByText('acted'))
      expectQuiet(visitor)
    })

    it('steps through a past evaluation, back and forth, with what changed at each step', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const [open] = openCards(house.home)
      await house.home.runtime.approve(open!)
      await house.home.restart()
      await house.stop()
      await house.start()
      const { page } = await visit(here, house, {}, `inspector/${open!.id}`)
      const chart = page.getByLabel('State chart')
      const lit = (path: string) => chart.locator(`[data-state="${path}"].active`)
      await seen(lit('acted'))
      await seen(page.getByRole('navigation', { name: 'Latest evaluations' }).getByText('Check urgent mail'))
      await button(page, 'Previous').click()
      await seen(lit('inProgress.carryingOut'))
      await seen(lit('inProgress'))
      await seen(page.getByText('changed', { exact: true }))
      await button(page, 'Previous').click()
      await seen(lit('awaitingApproval'))
      await page
        .getByRole('list')
        .getByRole('button', { name: /→ inProgress\.judging/ })
        .click()
      await seen(lit('inProgress.judging'))
      expect(await button(page, 'Previous').isDisabled()).toBe(true)
      await button(page, 'Next').click()
      await seen(lit('inProgress.analysing'))
      await seen(page.getByRole('region', { name: 'Messages' }).getByText('approve'))
    })

    it('takes nothing out of a picture but its lines', async () => {
      const house = await served(here.folder, {
        ...one,
        services: (real) => ({
          ...real,
          inspector: {
            ...real.inspector,
            definition: async (kind) => ({ ...(await real.inspector.definition(kind)), svg: hostile }),
          },
        }),
      })
      await house.home.tick(true)
      const visitor = await visit(here, house, {}, `inspector/${openCards(house.home)[0]?.id}`)
      const { page } = visitor
      await seen(page.locator('[data-state="awaitingApproval"].active'))
      const left = await page
        .getByLabel('State chart')
        .evaluate((chart) => [...chart.querySelectorAll('svg, svg *')].map(({ outerHTML }) => outerHTML).join(''))
      expect(left).not.toMatch(/script|style|image|href|foreignObject|iframe|onload|onclick|tracker/i)
      expect(await page.title()).not.toBe('owned')
      expect(visitor.foreign).toEqual([])
    })
  })
}
