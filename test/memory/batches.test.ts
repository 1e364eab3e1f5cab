import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { id, type TaskId } from '../../src/domain/ids.ts'
import { planBatches } from '../../src/memory/batches.ts'
import { situationReport } from '../../src/memory/report.ts'

const task = (name: string, given: { title?: string; judgedThrough?: number; inputs?: string[] } = {}) => ({
  id: id<TaskId>(name),
  title: 'Check urgent mail',
  judgedThrough: 0,
  inputs: [] as string[],
  ...given,
})

const ids = (batches: { tasks: { id: TaskId }[] }[]): string[][] =>
  batches.map(({ tasks }) => tasks.map((one) => one.id))

describe('tasks that are due together', () => {
  it('are judged in one call when they look at the same changes', () => {
    const tasks = [task('a'), task('b'), task('c')]
    expect(planBatches(tasks, { tokens: 1000 })).toEqual([{ tasks, from: 0, inputs: [] }])
    expect(planBatches([], { tokens: 1000 })).toEqual([])
  })

  it('are judged apart when they have seen different changes or look at different inputs', () => {
    const batches = planBatches(
      [
        task('a', { judgedThrough: 5 }),
        task('b', { judgedThrough: 5, inputs: ['mail', 'inbox/**'] }),
        task('c', { judgedThrough: 7 }),
        task('d', { judgedThrough: 5 }),
        task('e', { judgedThrough: 5, inputs: ['inbox/**', 'mail', 'mail'] }),
      ],
      { tokens: 1000 },
    )
    expect(ids(batches)).toEqual([['a', 'd'], ['b', 'e'], ['c']])
    expect(batches.map(({ from, inputs }) => ({ from, inputs }))).toEqual([
      { from: 5, inputs: [] },
      { from: 5, inputs: ['mail', 'inbox/**'] },
      { from: 7, inputs: [] },
    ])
  })

  it('are dealt to as few calls as their tokens need', () => {
    const tasks = Array.from({ length: 1000 }, (_, at) => task(`tk_${at}`, { title: `Check mailbox ${at}` }))
    const whole = planBatches(tasks, { tokens: 1_000_000 })
    expect(whole).toHaveLength(1)
    const tokens = sectionTokens(tasks)
    expect(planBatches(tasks, { tokens: Math.ceil(tokens / 4) + 20 })).toHaveLength(4)
    expect(planBatches(tasks, { tokens: Math.ceil(tokens / 4) - 20 })).toHaveLength(5)
  })

  it('are alone when they are too long for any company', () => {
    const tasks = [task('a', { title: '长'.repeat(500) }), task('b')]
    expect(ids(planBatches(tasks, { tokens: 100 }))).toEqual([['a'], ['b']])
    expect(ids(planBatches(tasks, { tokens: 0 }))).toEqual([['a'], ['b']])
    expect(ids(planBatches(tasks, { tokens: Number.NaN }))).toEqual([['a'], ['b']])
  })

  it('are each in one batch whose section has room, of their own window', () => {
    const given = fc.record({
      title: fc.string({ minLength: 1, maxLength: 200 }),
      judgedThrough: fc.integer({ min: 0, max: 2 }),
      inputs: fc.subarray(['mail', 'a/**']),
    })
    fc.assert(
      fc.property(fc.array(given, { maxLength: 40 }), fc.integer({ min: 20, max: 400 }), (list, tokens) => {
        const tasks = list.map((one, at) => task(`t${at}`, one))
        const batches = planBatches(tasks, { tokens })
        expect(batches.flatMap((batch) => batch.tasks).sort(byName)).toEqual([...tasks].sort(byName))
        for (const batch of batches) {
          if (batch.tasks.length > 1) expect(sectionTokens(batch.tasks)).toBeLessThanOrEqual(tokens)
          for (const one of batch.tasks)
            expect([one.judgedThrough, [...one.inputs].sort()]).toEqual([batch.from, [...batch.inputs].sort()])
          const order = batch.tasks.map((one) => tasks.indexOf(one))
          expect(order).toEqual([...order].sort((a, b) => a - b))
        }
      }),
    )
  })
})

const byName = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

/** What the section of these tasks adds to a report. */
const sectionTokens = (tasks: ReturnType<typeof task>[]): number => {
  const material = { now: 0, timezone: 'UTC', goals: [], changes: [], surfaced: [], health: [] }
  const listed = tasks.map((one) => ({ ...one, intent: 'write' as const }))
  const tokens = (shown: typeof listed): number => situationReport({ ...material, tasks: shown }, 1_000_000).tokens
  return tokens(listed) - tokens([])
}
