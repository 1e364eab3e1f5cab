import { describe, expect, it } from 'vitest'
import { mail, proposes } from '../../house/scene.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, card, gone, seen, until } from '../support/expect.ts'
import { openCards, served } from '../support/server.ts'

const forwarding = { analyse: () => proposes('Forward it', [mail('team@example.org')]) }
const one = { tasks: ['Check urgent mail'], script: forwarding }

export function connectionScenes(here: Stage): void {
  describe('the connection', () => {
    it('opens by a link that works once, and asks nobody but its own server for anything', async () => {
      const house = await served(here.folder, one)
      const link = house.link()
      const visitor = await visit(here, { link: () => link, url: house.url })
      await seen(visitor.page.getByRole('heading', { name: 'Waiting for you' }))
      await seen(visitor.page.getByText('Nothing waits for you.'))
      expect(visitor.page.url()).toBe(`${house.url}/`)
      expectQuiet(visitor)
      const stranger = await (await here.browser.newContext()).newPage()
      const second = await stranger.goto(link)
      expect(second?.status()).toBe(401)
      await stranger.context().close()
    })

    it('shows what happens while it happens, in every tab', async () => {
      const house = await served(here.folder, one)
      const [a, b] = await Promise.all([visit(here, house), visit(here, house)])
      for (const { page } of [a, b]) await seen(page.getByText('Nothing waits for you.'))
      await house.home.tick(true)
      for (const { page } of [a, b]) {
        await seen(card(page, 'Check urgent mail'))
        await seen(page.getByRole('region', { name: 'What I noticed today' }).getByText('Waiting for approval'))
        await page.waitForFunction(() => document.title.startsWith('(1)'))
      }
      expectQuiet(a)
    })

    it('says that it is away, and sends the answer that was given meanwhile, once', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await seen(card(page, 'Check urgent mail'))
      await house.stop()
      await seen(page.getByText(/The connection is away/))
      await button(page, 'Go ahead').click()
      await seen(page.getByText('Will be sent when the connection is back'))
      expect(house.sent).toEqual([])
      await house.start()
      await gone(page.getByText(/The connection is away/))
      await seen(page.getByText('Nothing waits for you.'))
      await until(() => house.sent.length > 0)
      expect(house.sent).toEqual(['team@example.org: hello'])
    })

    it('shows how things stand after it was away, whatever happened meanwhile', async () => {
      const house = await served(here.folder, { ...one, tasks: ['Check urgent mail', 'Check the bills'] })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await seen(card(page, 'Check the bills'))
      await house.stop()
      await seen(page.getByText(/The connection is away/))
      const [first, second] = openCards(house.home)
      await house.home.runtime.answers.dismiss(first?.id ?? '', { by: 'ada' })
      await house.home.runtime.tasks.add({ title: 'Watch the weather' })
      await house.start()
      await gone(page.getByText(/The connection is away/))
      const titles = new Map(house.home.runtime.tasks.list().map(({ id, title }) => [id, title]))
      await gone(card(page, titles.get(first!.task) ?? ''))
      await seen(card(page, titles.get(second!.task) ?? ''))
      await seen(page.getByText(/was skipped by ada/))
      await page.getByRole('link', { name: 'Tasks' }).click()
      await seen(page.getByText('Watch the weather'))
    })

    it('asks for a new link when the door knows this browser no more', async () => {
      const house = await served(here.folder, one)
      const { page } = await visit(here, house)
      await seen(page.getByText('Nothing waits for you.'))
      await page.context().clearCookies()
      await house.stop()
      await house.start()
      await seen(page.getByRole('heading', { name: 'This page needs a new link' }))
      await seen(page.getByText('undermind dashboard'))
    })
  })
}
