import { describe, expect, it } from 'vitest'
import type { TaskEdit } from '../../src/house/task-book.ts'
import { house } from '../support/house.ts'

const seed = 'Review new memory for actionable items'

async function book() {
  const home = await house({ tasks: ['Watch the notes'] })
  return { home, tasks: home.runtime.tasks }
}

describe('a task of the user’s', () => {
  it('has its intent from its words until the user says otherwise, and its effects with it', async () => {
    const { tasks } = await book()
    const task = await tasks.add({ title: 'Watch the garden' })
    expect(task).toMatchObject({ intent: 'read', intentBy: 'rule', effects: [], asksToWrite: false })
    const written = await tasks.edit(task.id, { title: 'Keep a summary of the decisions in DECISIONS.md' })
    expect(written).toMatchObject({
      intent: 'write',
      intentBy: 'rule',
      effects: [
        { tool: 'write_file', target: 'DECISIONS.md' },
        { tool: 'append_file', target: 'DECISIONS.md' },
      ],
    })
    const read = await tasks.edit(task.id, { intent: 'read' })
    expect(read).toMatchObject({ intent: 'read', intentBy: 'user', effects: [] })
    const renamed = await tasks.edit(task.id, { title: 'Keep a summary of the plans in PLANS.md' })
    expect(renamed).toMatchObject({ intent: 'read', intentBy: 'user', effects: [] })
    const again = await tasks.edit(task.id, { intent: 'write' })
    expect(again).toMatchObject({ intent: 'write', effects: [{ target: 'PLANS.md' }, { target: 'PLANS.md' }] })
    const both = await tasks.edit(task.id, { title: 'Watch the plans', intent: 'write' })
    expect(both).toMatchObject({ title: 'Watch the plans', intent: 'write', effects: [] })
    expect(tasks.find(task.id)).toEqual(both)
  })

  it('takes every change that it is given, and none that it is not', async () => {
    const { tasks } = await book()
    const task = await tasks.add({ title: 'Watch the garden', intent: 'read' })
    const changes: TaskEdit[] = [
      { inputs: ['garden/**'] },
      { onlyIfChanged: true },
      { catchUp: 'skip' },
      { maxLatenessMs: 60_000 },
      { enabled: false },
    ]
    let expected = { ...task }
    for (const change of changes) {
      expected = { ...expected, ...change } as typeof task
      expect(await tasks.edit(task.id, change)).toEqual(expected)
    }
    const scheduled = await tasks.edit(task.id, { schedule: { kind: 'cron', expression: '0 9 * * 1' } })
    expect(scheduled).toMatchObject({ schedule: { kind: 'cron' }, nextRunAt: Date.parse('2026-04-06T07:00:00Z') })
    expect(await tasks.edit(task.id, {})).toEqual(scheduled)
    expect(await tasks.edit(task.id, { title: `  ${task.title} ` })).toEqual(scheduled)
  })

  it('that undermind has paused begins afresh when it is enabled', async () => {
    const { home, tasks } = await book()
    const task = await tasks.add({ title: 'Watch the garden' })
    home.runtime.stores.tasks.update(task.id, { paused: 'Failed 6 times', attempts: 6, retryAt: 5 })
    expect(await tasks.edit(task.id, { enabled: true })).toMatchObject({ paused: null, attempts: 0, retryAt: null })
  })

  it.each<[string, TaskEdit, string]>([
    ['a title without words', { title: '   ' }, 'task/title-invalid'],
    ['a title that is too long', { title: 'x'.repeat(501) }, 'task/title-invalid'],
    ['the title of another', { title: 'Watch the notes' }, 'task/exists'],
    ['no schedule', { schedule: 'when the moon is full' }, 'task/schedule-invalid'],
    ['inputs that lead elsewhere', { inputs: ['../**'] }, 'task/inputs-invalid'],
  ])('is not changed by %s', async (_, change, code) => {
    const { tasks } = await book()
    const task = await tasks.add({ title: 'Watch the garden' })
    await expect(tasks.edit(task.id, { onlyIfChanged: true, ...change })).rejects.toMatchObject({ code, kind: 'use' })
    expect(tasks.find(task.id)).toEqual(task)
  })

  it('is one of its words, also when it is added twice', async () => {
    const { tasks } = await book()
    await tasks.add({ title: 'Watch the garden' })
    await expect(tasks.add({ title: ' Watch the garden ' })).rejects.toMatchObject({ code: 'task/exists' })
    expect(() => tasks.add({ title: '' })).toThrow(expect.objectContaining({ code: 'task/title-invalid' }))
  })

  it('is found by its id, the beginning of one that is the only one, or its title, and nothing else', async () => {
    const { tasks } = await book()
    const task = await tasks.add({ title: 'Watch the garden' })
    expect(tasks.find(task.id)).toEqual(task)
    expect(tasks.find('task_seed_me').title).toBe(seed)
    expect(tasks.find('Watch the garden')).toEqual(task)
    expect(() => tasks.find('task_')).toThrow(/More than one task begins with task_/)
    for (const given of ['', 'watch the garden', 'task_zzz']) {
      expect(() => tasks.find(given), given).toThrow(expect.objectContaining({ code: 'task/unknown' }))
    }
  })
})

describe('a system task', () => {
  it('keeps its words and its place, and says what to do instead', async () => {
    const { tasks } = await book()
    for (const [title, rename, remove] of [
      ['Watch the notes', 'Edit its line in HEARTBEAT.md.', 'Remove its line from HEARTBEAT.md, or disable it.'],
      [seed, 'Disable it and add one of your own.', 'Disable it instead.'],
    ] as const) {
      const refused = (how: string, instead: string) =>
        expect.objectContaining({
          code: 'task/is-system',
          message: `“${title}” is a system task and cannot be ${how}. ${instead}`,
        })
      await expect(tasks.edit(title, { title: 'Watch something else' })).rejects.toEqual(refused('renamed', rename))
      await expect(tasks.remove(title)).rejects.toEqual(refused('deleted', remove))
      expect(await tasks.edit(title, { title, enabled: false, inputs: ['notes/**'] })).toMatchObject({
        title,
        enabled: false,
        inputs: ['notes/**'],
      })
    }
  })
})

describe('goals', () => {
  it('are added, reworded and removed, by id or by their words', async () => {
    const { goals } = (await book()).home.runtime
    const goal = await goals.put('  Sleep well ')
    expect(goal.text).toBe('Sleep well')
    expect(await goals.put('Sleep better', goal.id)).toEqual({ ...goal, text: 'Sleep better' })
    expect(await goals.put('Sleep best', 'Sleep better')).toEqual({ ...goal, text: 'Sleep best' })
    expect(await goals.remove('Sleep best')).toMatchObject({ id: goal.id })
    expect(goals.list()).toEqual([])
  })

  it('are refused without words, beyond their number, and where there is none', async () => {
    const { goals } = (await book()).home.runtime
    expect(() => goals.put(' ')).toThrow(expect.objectContaining({ code: 'goal/text-invalid' }))
    expect(() => goals.put('x'.repeat(501))).toThrow(expect.objectContaining({ code: 'goal/text-invalid' }))
    await expect(goals.put('Sleep well', 'goal_none')).rejects.toMatchObject({ code: 'goal/unknown' })
    await expect(goals.remove('goal_none')).rejects.toMatchObject({ code: 'goal/unknown' })
    let refused: unknown
    for (let n = 0; n < 1000 && refused === undefined; n++) {
      await goals.put(`Goal ${n}`).catch((error: unknown) => {
        refused = error
      })
    }
    expect(refused).toMatchObject({ code: 'goal/too-many', message: expect.stringContaining(`${goals.list().length}`) })
    await goals.put('Reworded all the same', goals.list()[0]?.id)
  })
})
