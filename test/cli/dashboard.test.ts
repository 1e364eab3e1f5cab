import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { home } from './support/fake.ts'
import { status } from './support/rows.ts'

const link = { url: 'http://127.0.0.1:4711', link: 'http://127.0.0.1:4711/open?once=abc' }

describe('undermind dashboard', () => {
  it('prints a link, alone on its line', async () => {
    const it = home({ 'door.link': link })
    expect(await it.undermind('dashboard')).toBe(0)
    expect(it.out()).toBe(`${link.link}\n`)
    expect(it.err()).toBe('')
  })

  it('opens it in the browser where there is one, and prints it where there is none', async () => {
    const it = home({ 'door.link': link })
    expect(await it.undermind('dashboard', '--open')).toBe(0)
    expect(it.asked).toContain(`open ${link.link}`)
    expect(it.out()).toBe('Opened http://127.0.0.1:4711 in the browser.\n')
    it.hasBrowser = false
    expect(await it.undermind('dashboard', '--open')).toBe(0)
    expect(it.out()).toBe(`${link.link}\n`)
    expect(it.err()).toContain('open the link yourself')
    await it.undermind('dashboard', '--json')
    expect(JSON.parse(it.out())).toEqual({ ...link, opened: false })
  })

  it('needs a running undermind that has a dashboard', async () => {
    const it = home({ 'door.link': () => Promise.reject(Fault.use('door/closed', 'No dashboard is served.')) })
    expect(await it.undermind('dashboard')).toBe(2)
    it.door.daemon = false
    expect(await it.undermind('dashboard')).toBe(3)
    expect(it.err()).toContain('undermind start')
  })
})

describe('undermind start', () => {
  const started = async (it: ReturnType<typeof home>, ...argv: string[]) => {
    const ended = it.undermind('start', ...argv)
    for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
    it.interrupt()
    return ended
  }
  const answers = { status: status(), log_list: [] }

  it('shows a link to the dashboard on a line of its own, and what is to know of where it is', async () => {
    const it = home(answers)
    it.dashboard = Promise.resolve({ url: link.url, note: 'Port 80 is taken.', link: () => link.link })
    expect(await started(it)).toBe(0)
    expect(it.out()).toContain(`\nDashboard     ${link.link}\n`)
    expect(it.err()).toContain('Port 80 is taken.')
    await started(it, '--json')
    expect(it.out()).toContain(JSON.stringify({ type: 'dashboard', ...link, note: 'Port 80 is taken.' }))
  })

  it('goes on without one, and says why', async () => {
    const it = home(answers)
    it.dashboard = Promise.reject(Fault.use('door/not-loopback', 'Will not listen at 0.0.0.0.'))
    it.dashboard.catch(() => {})
    expect(await started(it)).toBe(0)
    expect(it.err()).toContain('There is no dashboard: Will not listen at 0.0.0.0.')
    expect(it.out()).not.toContain('Dashboard')
  })
})
