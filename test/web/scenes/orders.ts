import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/domain/errors.ts'
import { expectQuiet, type Stage, visit } from '../support/browser.ts'
import { button, gone, seen, until } from '../support/expect.ts'
import { served } from '../support/server.ts'

export function orderScenes(here: Stage): void {
  describe('tasks and worlds', () => {
    it('are added, changed, switched off and deleted', async () => {
      const house = await served(here.folder)
      const { tasks } = house.home.runtime
      const visitor = await visit(here, house, {}, 'tasks')
      const { page } = visitor
      await page.getByLabel('What should I look after?').fill('Watch the weather')
      await page.getByLabel('When', { exact: true }).fill('every 2h')
      await button(page, 'Add task').click()
      await seen(page.getByText('every 2 hours'))
      expect(tasks.find('Watch the weather').schedule).toEqual({ kind: 'every', minutes: 120 })
      await button(page, 'Edit: Watch the weather').click()
      const edit = page.getByRole('listitem').filter({ has: button(page, 'Save') })
      await edit.getByLabel('What should I look after?').fill('Watch the storm')
      await button(page, 'Save').click()
      await seen(page.getByText('Watch the storm'))
      await page.getByRole('switch', { name: 'On: Watch the storm' }).click()
      await until(() => !tasks.find('Watch the storm').enabled)
      await button(page, 'Delete: Watch the storm').click()
      await button(page, 'Delete').click()
      await gone(page.getByText('Watch the storm'))
      await until(() => tasks.list().every(({ title }) => title !== 'Watch the storm'))
      expectQuiet(visitor)
    })

    it('that came with the product can be switched off, and nothing else', async () => {
      const house = await served(here.folder, { tasks: ['Check urgent mail'] })
      const { page } = await visit(here, house, {}, 'tasks')
      const entry = page.getByRole('listitem').filter({ hasText: 'Check urgent mail' })
      await seen(entry.getByText('default'))
      expect(await entry.getByRole('button').count()).toBe(0)
      await entry.getByRole('switch').click()
      await until(() => !house.home.runtime.tasks.find('Check urgent mail').enabled)
    })

    it('are as they were, and say why, where a change is refused', async () => {
      const house = await served(here.folder, {
        tasks: ['Check urgent mail'],
        services: (real) => ({
          ...real,
          tasks: {
            ...real.tasks,
            edit: () => Promise.reject(new Fault('store/full', 'The disk is full. Make room and try again.')),
          },
        }),
      })
      const { page } = await visit(here, house, {}, 'tasks')
      const toggle = page.getByRole('switch', { name: 'On: Check urgent mail' })
      await toggle.click()
      await seen(page.getByRole('alert').getByText('The disk is full. Make room and try again.'))
      await until(() => true)
      expect(await toggle.getAttribute('aria-checked')).toBe('true')
    })

    it('say what is wrong with a schedule, and keep what was typed', async () => {
      const house = await served(here.folder)
      const { page } = await visit(here, house, {}, 'tasks')
      await page.getByLabel('What should I look after?').fill('Watch the weather')
      await page.getByLabel('When', { exact: true }).fill('now and then')
      await page.keyboard.press('Enter')
      await seen(page.getByRole('alert'))
      expect(await page.getByLabel('What should I look after?').inputValue()).toBe('Watch the weather')
    })

    it('run now, pause and go on', async () => {
      const house = await served(here.folder, { tasks: ['Watch the weather'] })
      const visitor = await visit(here, house, {}, 'worlds')
      const { page } = visitor
      const world = page.getByRole('article', { name: 'Memory awareness' })
      await world.getByRole('button', { name: 'Run now' }).click()
      await seen(page.getByText('Running: Memory awareness'))
      await seen(world.getByText('1', { exact: true }))
      await world.getByRole('button', { name: 'Pause' }).click()
      await seen(world.getByText('paused', { exact: true }))
      await until(() => house.home.runtime.stores.ticks.worlds().some(({ state }) => state === 'paused'))
      await world.getByRole('button', { name: 'Resume' }).click()
      await seen(world.getByText('resting', { exact: true }))
      expectQuiet(visitor)
    })

    it('have goals that steer them', async () => {
      const house = await served(here.folder)
      const { page } = await visit(here, house, {}, 'tasks')
      await page.getByLabel('New goal').fill('Ship in May')
      await button(page, 'Add goal').click()
      await seen(page.getByText('Ship in May'))
      await until(() => house.home.runtime.goals.list().length === 1)
      await button(page, 'Delete goal: Ship in May').click()
      await until(() => house.home.runtime.goals.list().length === 0)
      await gone(page.getByText('Ship in May'))
    })
  })
}
