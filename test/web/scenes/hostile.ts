import { describe, expect, it } from 'vitest'
import { mail, proposes } from '../../house/scene.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, card, seen } from '../support/expect.ts'
import { served } from '../support/server.ts'

const script = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
const image = '![](https://tracker.example.org/pixel.png) <img src="https://tracker.example.org/pixel.png">'
const turned = 'invoice\u202Efdp.exe'
const linked = 'see https://xn--pple-43d.example.org/login?next=https://bank.example.org, now'

export function hostileScenes(here: Stage): void {
  describe('text of strangers', () => {
    it('is text, whatever stands in it, and fetches nothing', async () => {
      const analyse = () =>
        proposes(`${script} ${turned}`, [mail('team@example.org', `${script}\n${image}\n${linked}\n${turned}`)], true)
      const house = await served(here.folder, {
        tasks: [`Check ${script}`],
        script: { analyse },
        files: { 'notes.md': `${script}\n${turned}\n` },
      })
      await house.home.tick(true)
      const visitor = await visit(here, house)
      const { page } = visitor
      await seen(page.getByRole('article'))
      const text = await page.getByRole('article').textContent()
      expect(text).toContain('<script>document.title="owned"</script><img src=x')
      expect(text).toContain('invoice⟨U+202E⟩fdp.exe')
      expect(text).not.toContain('\u202E')
      for (const at of ['activity', 'tasks']) {
        await page.goto(`${house.url}/#/${at}`)
        await seen(page.getByRole('listitem').getByText('<script>document.title="owned"'))
      }
      expect(await page.title()).not.toBe('owned')
      expect(await page.locator('main script, main img').count()).toBe(0)
      expectQuiet(visitor)
    })

    it('shows the host of a link, and follows it without saying from where', async () => {
      const analyse = () => proposes('Read it', [mail('team@example.org', linked)], true)
      const house = await served(here.folder, { tasks: ['Check urgent mail'], script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      const link = card(page, 'Check urgent mail').getByRole('link')
      await seen(link)
      expect(await link.getAttribute('href')).toBe(
        'https://xn--pple-43d.example.org/login?next=https://bank.example.org',
      )
      expect(await link.getAttribute('rel')).toContain('noreferrer')
      await seen(card(page, 'Check urgent mail').getByText('(xn--pple-43d.example.org)'))
    })

    it('is folded where it is long, and breaks where it has no spaces', async () => {
      const long = 'x'.repeat(10_000)
      const analyse = () => proposes('Look', [mail('team@example.org', long)])
      const house = await served(here.folder, { tasks: ['Check urgent mail'], script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house, { viewport: { width: 360, height: 760 } })
      const shown = card(page, 'Check urgent mail')
      await seen(shown)
      expect((await shown.textContent())?.length).toBeLessThan(2000)
      await button(shown, 'Show all 10,000 characters').click()
      expect(await shown.textContent()).toContain(long)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    })

    it('is edited as it is, with what cannot be seen in it shown beside', async () => {
      const analyse = () => proposes('Send it', [mail('team@example.org', turned)])
      const house = await served(here.folder, { tasks: ['Check urgent mail'], script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await button(page, 'Edit').click()
      await seen(page.getByText(/Holds characters that cannot be seen/).getByText('invoice⟨U+202E⟩fdp.exe'))
    })
  })
}
