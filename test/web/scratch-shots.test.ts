import { it } from 'vitest'
import { stage, visit } from './support/browser.ts'
import { dayFiles, dayScript, dayTasks } from './support/scene.ts'
import { served } from './support/server.ts'

const here = stage()
const out = '/tmp/shots'
it('shoots', async () => {
  const house = await served(here.folder, { files: dayFiles, tasks: dayTasks, script: dayScript })
  await house.home.tick()
  await house.home.runtime.tasks.add({ title: 'Watch flights to Berlin' })
  await house.home.runtime.goals.put('Ship the release in May')
  house.home.clock.set(house.home.clock.now() + 1000)
  await house.home.write('notes.md', '# Notes\n\n- call the printer\n- new\n')
  await house.home.tick(true)
  const shot = async (
    name: string,
    options: object,
    at = '',
    act?: (page: import('playwright-core').Page) => Promise<void>,
  ) => {
    const visitor = await visit(here, house, options, at)
    const { page, complaints, foreign } = visitor
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
    await act?.(page)
    await page.screenshot({ path: `${out}/${name}.png`, fullPage: true })
    if (complaints.length + foreign.length > 0) console.log(name, complaints, foreign)
  }
  const evaluation = house.home.runtime.stores.escalations.open(10).at(-1)?.id ?? ''
  const only = process.env.SHOTS?.split(',')
  const want = (name: string) => !only || only.includes(name)
  if (want('start')) await shot('start', {})
  if (want('dark')) await shot('dark', { colorScheme: 'dark' })
  if (want('phone')) await shot('phone', { viewport: { width: 360, height: 760 }, deviceScaleFactor: 2 })
  if (want('chinese')) await shot('chinese', { locale: 'zh-CN' })
  for (const page of ['tasks', 'worlds', 'activity', 'sessions', 'usage', 'settings'])
    if (want(page)) await shot(page, {}, page)
  if (want('why')) await shot('why', {}, `activity/${evaluation}`)
  if (want('inspector')) await shot('inspector', {}, `inspector/${evaluation}`)
  if (want('inspector-dark')) await shot('inspector-dark', { colorScheme: 'dark' }, `inspector/${evaluation}`)
  if (want('edit'))
    await shot('edit', {}, '', async (page) => {
      await page.getByRole('button', { name: 'Edit' }).first().click()
      await page.getByRole('button', { name: 'Reply' }).last().click()
    })
  if (want('doctor'))
    await shot('doctor', {}, 'settings', async (page) => {
      await page.getByRole('button', { name: 'Check everything' }).click()
      await page.waitForTimeout(1500)
    })
}, 120_000)
