import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/domain/task.ts'
import { whyTask } from '../../src/house/views.ts'
import { asking } from './asking-house.ts'
import { scripted } from './scripted-house.ts'

const time = (at: number) => new Date(at).toISOString()
const noon = Date.parse('2026-04-02T12:00:00Z')

async function asked(change: Partial<Task>, nextTickAt: number | null = noon) {
  const { home } = await scripted({}, { files: { 'a.md': 'one', 'b.md': 'two' } })
  const task = await home.runtime.tasks.add({ title: 'Watch the garden' })
  const { stores } = home.runtime
  stores.tasks.update(task.id, change)
  return { home, ...whyTask(stores, stores.tasks.get(task.id)!, nextTickAt, time) }
}

describe('why a task has not run', () => {
  it.each<[Partial<Task>, string, string]>([
    [{ retired: true }, 'It is retired: its line is gone or it was deleted.', 'It will not run.'],
    [{ completed: true }, 'It is completed.', 'It will not run.'],
    [{ enabled: false }, 'It is disabled.', 'It will not run.'],
    [{ paused: 'Failed 6 times.' }, 'It is paused: Failed 6 times.', 'It will not run.'],
    [
      { attempts: 2, retryAt: noon + 60_000 },
      'Its last run failed (attempt 2); it will be tried again.',
      'Next: 2026-04-02T12:01:00.000Z.',
    ],
    [{ judge: 'check-health' }, 'Nothing has changed in what it checks.', 'Next: 2026-04-02T12:00:00.000Z.'],
  ])('is told of one that is %o', async (change, now, next) => {
    const { nowText, nextText, lastText } = await asked(change)
    expect([nowText, nextText]).toEqual([now, next])
    expect(lastText).toBe(
      change.judge === 'check-health'
        ? 'It is checked by code at each tick and makes news when something changes.'
        : 'It has not run yet.',
    )
  })

  it('is told of one with a time of its own: then, or with the tick that comes after it', async () => {
    expect((await asked({ nextRunAt: noon + 1000 })).nextText).toBe('Next: 2026-04-02T12:00:01.000Z.')
    expect((await asked({ nextRunAt: noon - 1000 })).nextText).toBe('Next: 2026-04-02T12:00:00.000Z.')
    expect((await asked({ nextRunAt: noon }, null)).nextText).toBe('Next: 2026-04-02T12:00:00.000Z.')
  })

  it('is told where nothing ticks by itself', async () => {
    expect((await asked({}, null)).nextText).toBe('It runs at the next tick you ask for.')
  })

  it('is told of one that has run: what came of it, and what waits for it', async () => {
    const { home } = await scripted(
      { decide: () => ({ decision: 'skip', reason: 'nothing to see' }) },
      { files: { 'a.md': 'one' } },
    )
    await home.runtime.tasks.add({ title: 'Watch the garden' })
    await home.tick()
    const why = () => home.runtime.whyTask('Watch the garden')
    expect(why().lastText).toMatch(/^It last ran at 1 Apr 2026.* and ended skipped: nothing to see$/)
    expect(why().nowText).toBe('Inputs unchanged: nothing it looks at has changed since.')
    await home.runtime.tasks.add({ title: 'Watch the beds', inputs: ['beds/**'] })
    await home.write('a.md', 'two')
    await home.write('beds/b.md', 'three')
    await home.runtime.tasks.edit('Watch the garden', { enabled: false })
    await home.tick()
    await home.runtime.tasks.edit('Watch the garden', { enabled: true })
    expect(why().nowText).toBe('2 changes wait for its next run.')
    await home.runtime.tasks.edit('Watch the garden', { inputs: ['beds/**'] })
    expect(why().nowText).toBe('1 change wait for its next run.')
    await home.runtime.tasks.edit('Watch the garden', {
      inputs: ['elsewhere/**'],
      schedule: { kind: 'cron', expression: '0 9 * * *' },
    })
    expect(why().nowText).toBe('It runs at its time whether or not anything changed.')
  })
})

describe('why an evaluation came about', () => {
  it('is told with its changes, its call and its card, and refused for one that there is not', async () => {
    const { home } = await asking(({ title }) => ({ kind: 'result', text: title, sources: [] }))
    const [evaluation] = home.runtime.log({ limit: 10 }).filter(({ state }) => state === 'acted')
    const reason = home.runtime.whyEvaluation(evaluation!.id)
    expect(reason).toMatchObject({ card: null, moreChanges: 0, call: { provider: 'scripted' } })
    expect(reason.changes.map(({ key }) => key)).toContain('notes.md')
    expect(() => home.runtime.whyEvaluation('ev_none')).toThrow(expect.objectContaining({ code: 'evaluation/unknown' }))
  })

  it('holds no more changes than can be read, and says how many there were', async () => {
    const files = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`notes/${n}.md`, `note ${n}`]))
    const { home } = await asking(() => ({ kind: 'result', text: 'done', sources: [] }), { files })
    const [evaluation] = home.runtime.log({ limit: 1 })
    const { changes, moreChanges } = home.runtime.whyEvaluation(evaluation!.id)
    expect([changes.length, changes.length + moreChanges >= 70]).toEqual([50, true])
  })

  it('still tells of one whose task is gone', async () => {
    const { home } = await asking(() => ({ kind: 'result', text: 'done', sources: [] }))
    const task = await home.runtime.tasks.add({ title: 'Check the garden' })
    await home.tick(true)
    await home.runtime.tasks.remove(task.id)
    const [evaluation] = home.runtime.log({ task: task.id, limit: 1 })
    expect(home.runtime.whyEvaluation(evaluation!.id).task).toMatchObject({ id: task.id, retired: true })
  })
})
