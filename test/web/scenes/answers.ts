import { describe, expect, it } from 'vitest'
import { mail, proposes } from '../../house/scene.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, card, gone, seen, until } from '../support/expect.ts'
import { openCards, served } from '../support/server.ts'

const forwarding = { analyse: () => proposes('Forward it', [mail('team@example.org')], true) }
const one = { tasks: ['Check urgent mail'], script: forwarding }
const noticed = { name: 'What I noticed today' }

export function answerScenes(here: Stage): void {
  describe('an answer', () => {
    it('goes ahead with what the card shows from data, and the day shows what came of it', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const visitor = await visit(here, house)
      const { page } = visitor
      const shown = card(page, 'Check urgent mail')
      await seen(shown)
      const text = (await shown.textContent()) ?? ''
      expect(text).toContain('external content took part')
      // The model's words come after what is known from data.
      const places = ['send_mail', 'team@example.org', 'hello', 'notes.md', 'In the model’s words', 'Forward it']
      expect(places.map((words) => text.indexOf(words))).toEqual(
        places.map((words) => text.indexOf(words)).toSorted((a, b) => a - b),
      )
      expect(places.every((words) => text.includes(words))).toBe(true)
      await button(shown, 'Go ahead').click()
      await seen(page.getByText('Nothing waits for you.'))
      await seen(page.getByRole('region', noticed).getByText('sent to team@example.org'))
      expect(house.sent).toEqual(['team@example.org: hello'])
      expect(openCards(house.home)).toEqual([])
      expectQuiet(visitor)
    })

    it('goes ahead with edited arguments, and with nothing else of the call', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await button(page, 'Edit').click()
      await page.getByLabel('send_mail · to').fill('anna@example.org')
      await page.getByLabel('send_mail · text').fill('hello Anna')
      await button(page, 'Go ahead with this').click()
      await seen(page.getByText('Nothing waits for you.'))
      await until(() => house.sent.length > 0)
      expect(house.sent).toEqual(['anna@example.org: hello Anna'])
    })

    it('is taken back with the reason when it is refused', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await button(page, 'Edit').click()
      await page.getByLabel('send_mail · to').fill('')
      await button(page, 'Go ahead with this').click()
      await seen(page.getByRole('alert').getByText(/needs an address in "to"/))
      await seen(button(card(page, 'Check urgent mail'), 'Go ahead'))
      expect(house.sent).toEqual([])
      expect(openCards(house.home)).toHaveLength(1)
    })

    it('of one tab makes the other say who was first', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const [a, b] = await Promise.all([visit(here, house), visit(here, house)])
      for (const { page } of [a, b]) await seen(card(page, 'Check urgent mail'))
      await button(a.page, 'Go ahead').click()
      await seen(b.page.getByText('“Forward it” was approved by user (dashboard)'))
      await gone(card(b.page, 'Check urgent mail'))
      expect(house.sent).toHaveLength(1)
    })

    it('that comes second is told who was first, where the news had not come yet', async () => {
      const house = await served(here.folder, {
        ...one,
        deaf: true,
      })
      await house.home.tick(true)
      const [a, b] = await Promise.all([visit(here, house), visit(here, house)])
      for (const { page } of [a, b]) await seen(card(page, 'Check urgent mail'))
      await button(a.page, 'Go ahead').click()
      await seen(a.page.getByText('Nothing waits for you.'))
      await button(b.page, 'Skip').click()
      await seen(b.page.getByText(/“Forward it” was approved by user \(dashboard\)/))
      await until(() => house.sent.length > 0)
      expect(house.sent).toHaveLength(1)
    })

    it('is given to several cards at once, and the rest stay', async () => {
      const tasks = Array.from({ length: 7 }, (_, n) => `Check mailbox ${n}`)
      const analyse = ({ task }: { task: { title: string } }) =>
        proposes(`Forward ${task.title}`, [mail(`${task.title.at(-1)}@example.org`)])
      const house = await served(here.folder, { tasks, script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await seen(page.getByRole('article'))
      expect(await page.getByRole('article').count()).toBe(5)
      await button(page, '2 more').click()
      expect(await page.getByRole('article').count()).toBe(7)
      await page.getByLabel('Choose “Check mailbox 1”').check()
      await page.getByLabel('Choose “Check mailbox 3”').check()
      await seen(page.getByText('2 chosen'))
      await button(page.getByRole('region', { name: 'Answer together' }), 'Go ahead').click()
      await seen(page.getByText('Going ahead with 2 cards.'))
      await until(() => house.sent.length === 2)
      expect(house.sent.toSorted()).toEqual(['1@example.org: hello', '3@example.org: hello'])
      expect(openCards(house.home)).toHaveLength(5)
    })

    it('does not approve a plan that strangers had a part in together with others', async () => {
      const analyse = ({ task }: { task: { title: string } }) => proposes(`Do ${task.title}`, [], true)
      const house = await served(here.folder, { tasks: ['Check one', 'Check two'], script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await seen(card(page, 'Check one'))
      expect(await page.getByRole('checkbox').count()).toBe(0)
    })

    it('in words has the proposal thought over again', async () => {
      const analyse = ({ response }: { response?: string }) =>
        proposes(response ?? 'Forward it', [mail(response === undefined ? 'team@example.org' : 'li@example.org')])
      const house = await served(here.folder, { ...one, script: { analyse } })
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await button(page, 'Reply').click()
      await page.getByLabel('What should be done instead?').fill('Only to Li')
      await button(page, 'Send').click()
      await seen(card(page, 'Check urgent mail').getByText('li@example.org'))
      await seen(card(page, 'Check urgent mail').getByText('Only to Li'))
      expect(house.sent).toEqual([])
    })

    it('to what was interrupted says whether it happened, and nothing else', async () => {
      const said: [string, boolean, string][] = []
      const house = await served(here.folder, {
        ...one,
        services: (real) => ({
          ...real,
          cards: {
            ...real.cards,
            list: (query) => real.cards.list(query).map((shown) => ({ ...shown, kind: 'unknown' })),
            resolve(given, happened, who) {
              said.push([given, happened, who.by])
              return real.cards.dismiss(given, who)
            },
          },
        }),
      })
      await house.home.tick(true)
      const [open] = openCards(house.home)
      const { page } = await visit(here, house)
      const shown = card(page, 'Check urgent mail')
      await seen(shown.getByText(/This may have happened already/))
      expect(await shown.getByRole('button').allTextContents()).toEqual(['It happened', 'It did not happen'])
      await button(shown, 'It did not happen').click()
      await seen(page.getByText('Nothing waits for you.'))
      expect(said).toEqual([[open?.id, false, 'user (dashboard)']])
    })

    it('skips', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await button(page, 'Skip').click()
      await seen(page.getByText('Nothing waits for you.'))
      await seen(page.getByRole('region', noticed).getByText('Skipped'))
      expect(house.sent).toEqual([])
    })

    it('can be given with the keyboard alone, and the focus is not lost with the card', async () => {
      const house = await served(here.folder, one)
      await house.home.tick(true)
      const { page } = await visit(here, house)
      await seen(card(page, 'Check urgent mail'))
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Skip to content')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
      const passed: string[] = []
      while (passed.length < 30 && passed.at(-1) !== 'Go ahead') {
        await page.keyboard.press('Tab')
        passed.push(await focused())
      }
      expect(passed.at(-1)).toBe('Go ahead')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      const field = page.getByLabel('send_mail · to')
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('li@example.org')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await seen(page.getByText('Nothing waits for you.'))
      await until(() => house.sent.length > 0)
      expect(house.sent).toEqual(['li@example.org: hello'])
      expect(await focused()).toBe('Waiting for you')
    })
  })
}
