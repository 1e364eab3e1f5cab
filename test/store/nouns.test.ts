import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { id, type TaskId } from '../../src/domain/ids.ts'
import type { Task } from '../../src/domain/task.ts'
import { blankTask, memoryWorld } from '../../src/house/blank-task.ts'
import { type Stores, stores } from '../../src/house/stores.ts'
import { type Db, openStore } from '../../src/store/open.ts'

let db: Db
let rows: Stores
beforeEach(() => {
  db = openStore({ file: ':memory:', synchronous: 'normal' })
  rows = stores(db)
})
afterEach(() => void db.close())

const task = (name: string, change: Partial<Task> = {}): Task => ({
  ...blankTask(name, 5),
  id: id<TaskId>(`task_${name}`),
  origin: 'user',
  source: 'user',
  ...change,
})

describe('tasks', () => {
  it('come back as they were put, whatever they hold', () => {
    const full = task('full', {
      intent: 'write',
      effects: [{ tool: 'append_file', target: 'A “quoted” name.md' }],
      schedule: { kind: 'cron', expression: '0 9 * * 1' },
      inputs: ['inbox/**', 'a\nb'],
      onlyIfChanged: true,
      catchUp: 'skip',
      maxLatenessMs: 7,
      paused: 'why not',
      lastRunAt: 1,
      nextRunAt: 2,
      retryAt: 3,
      attempts: 4,
      retryOf: 'ev_1',
      judgedThrough: 9,
    })
    rows.tasks.insert(full)
    expect(rows.tasks.get(full.id)).toEqual(full)
    expect(rows.tasks.standing(full.id)).toEqual({
      id: full.id,
      schedule: full.schedule,
      nextRunAt: 2,
      attempts: 4,
    })
    expect(rows.tasks.byTitle(memoryWorld, 'full')).toEqual(full)
  })

  it('are not there under another id or title', () => {
    expect(rows.tasks.get(id<TaskId>('task_0'))).toBeUndefined()
    expect(rows.tasks.standing(id<TaskId>('task_0'))).toBeUndefined()
    expect(rows.tasks.byTitle(memoryWorld, 'nothing')).toBeUndefined()
    expect(rows.tasks.lowestMark()).toBeNull()
  })

  it('change in what is named and in nothing else, nothing included', () => {
    const before = task('one')
    rows.tasks.insert(before)
    rows.tasks.update(before.id, {})
    expect(rows.tasks.get(before.id)).toEqual(before)
    rows.tasks.update(before.id, { enabled: false, inputs: ['a'], paused: 'x' })
    rows.tasks.update(before.id, { paused: null })
    expect(rows.tasks.get(before.id)).toEqual({ ...before, enabled: false, inputs: ['a'] })
  })

  it('hand out what many share, and what one does to it reaches no other', () => {
    rows.tasks.insert(task('one', { inputs: ['a'] }))
    rows.tasks.insert(task('two', { inputs: ['a'] }))
    const [one] = rows.tasks.list()
    expect(() => one?.inputs.push('b')).toThrow(TypeError)
    expect(rows.tasks.list().map(({ inputs }) => inputs)).toEqual([['a'], ['a']])
  })

  it('have as many different schedules as they like', () => {
    const many = 1500
    for (let n = 0; n < many; n++)
      rows.tasks.insert(task(`${n}`, { schedule: { kind: 'every', minutes: n + 1 }, createdAt: n }))
    const schedules = rows.tasks.list().map(({ schedule }) => schedule.kind === 'every' && schedule.minutes)
    expect(schedules).toEqual(Array.from({ length: many }, (_, n) => n + 1))
  })

  it('hold back the oldest change that an enabled one has not been judged on', () => {
    rows.tasks.insert(task('one', { judgedThrough: 7 }))
    rows.tasks.insert(task('two', { judgedThrough: 3, enabled: false }))
    rows.tasks.insert(task('three', { judgedThrough: 2, retired: true }))
    rows.tasks.insert(task('four', { judgedThrough: 1, completed: true }))
    rows.tasks.insert(task('five', { judge: 'check-health' }))
    expect(rows.tasks.lowestMark()).toBe(7)
    rows.tasks.insert(task('six', { judgedThrough: 4, paused: 'Failed 6 times' }))
    expect(rows.tasks.lowestMark()).toBe(4)
  })
})

describe('changes', () => {
  it('are numbered on and on, also after all of them were let go of', () => {
    const change = (key: string, at: number) =>
      rows.changes.append({
        source: id('folder'),
        key,
        kind: 'added',
        itemKind: 'file',
        title: key,
        author: null,
        time: null,
        link: key,
        external: true,
        at,
        added: ['line'],
        removed: [],
        omitted: 0,
        beforeHash: null,
        afterHash: 'h',
      })
    expect(rows.changes.head()).toBe(0)
    for (let n = 1; n <= 5; n++) expect(change(`${n}`, n)).toBe(n)
    expect(rows.changes.prune(5, 4, 2)).toBe(2)
    expect(rows.changes.prune(5, 4, 2)).toBe(1)
    expect(rows.changes.between(0, 9, 9).map(({ seq }) => seq)).toEqual([4, 5])
    expect(rows.changes.prune(4, 100, 9)).toBe(1)
    expect(rows.changes.prune(9, 100, 9)).toBe(1)
    expect(rows.changes.head()).toBe(5)
    expect(change('6', 6)).toBe(6)
  })
})

describe('small things under a name', () => {
  it('are kept as they are, the last one counts, and there is none before', () => {
    expect(rows.records.kept('it')).toBeUndefined()
    for (const value of [{ deep: [1, null, 'x'] }, null, 0, 'text']) {
      rows.records.keep('it', value)
      expect(rows.records.kept('it')).toEqual(value)
    }
  })
})
