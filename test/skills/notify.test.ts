import { describe, expect, it } from 'vitest'
import { type Notification, notify } from '../../src/skills/notify.ts'
import { codeOf, toolRun } from './workspace.ts'

describe('notify', () => {
  it('hands the notification over under the run’s key, so that one shown again after a crash is known', async () => {
    const shown = new Map<string, Notification>()
    const tool = notify((notification) => shown.set(notification.key, notification))
    const { run } = toolRun()
    await tool.run({ title: 'Rent is due', body: 'By Friday.' }, run)
    await tool.run({ title: 'Rent is due', body: 'By Friday.' }, run)
    expect([...shown.values()]).toEqual([
      { key: run.key, evaluation: run.evaluation, at: run.now, title: 'Rent is due', body: 'By Friday.' },
    ])
    expect(tool.repeatable).toBe(true)
    expect(tool.target({})).toBe('user')
  })

  it('shows what hides in title and body, and keeps the title to one line', async () => {
    const seen: Notification[] = []
    const tool = notify((notification) => seen.push(notification))
    await tool.run({ title: ' a\n b\u202e ', body: 'x\u001b[2J\ny' }, toolRun().run)
    await tool.run({ title: 'no body' }, toolRun().run)
    expect(seen.map(({ title, body }) => [title, body])).toEqual([
      ['a b⟨U+202E⟩', 'x⟨U+001B⟩[2J\ny'],
      ['no body', null],
    ])
  })

  it('refuses a notification without a title, or longer than one', async () => {
    const tool = notify(() => undefined)
    for (const args of [
      {},
      { title: ' ' },
      { title: 'x'.repeat(201) },
      { title: 'x', body: 'y'.repeat(4001) },
      { title: 'x', to: 'z' },
    ]) {
      expect(await codeOf(Promise.resolve().then(() => tool.parse(args as Record<string, string>)))).toBe(
        'tool/bad-arguments',
      )
    }
  })
})
