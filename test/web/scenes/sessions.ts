import { describe, expect, it } from 'vitest'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, seen } from '../support/expect.ts'
import { served } from '../support/server.ts'

export function sessionScenes(here: Stage): void {
  describe('sessions', () => {
    it('say how to have them where they are switched off', async () => {
      const house = await served(here.folder, { settings: { 'orchestration.enabled': false } })
      const { page } = await visit(here, house, {}, 'sessions')
      await seen(page.getByText(/Sessions are switched off here/))
    })

    it('show what is said, and take a message of the user', async () => {
      const house = await served(here.folder, { settings: { 'orchestration.enabled': true } })
      const visitor = await visit(here, house, {}, 'sessions')
      const { page } = visitor
      await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link').first().click()
      await page.getByLabel('Write a message').fill('What is new?')
      await button(page, 'Send').click()
      await seen(page.getByRole('region').getByText('What is new?'))
      expect(await page.getByLabel('Write a message').inputValue()).toBe('')
      expectQuiet(visitor)
    })
  })
}
