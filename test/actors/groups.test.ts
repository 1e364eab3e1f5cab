import { afterEach, expect, it, vi } from 'vitest'
import { a, stage } from './stage.ts'

afterEach(() => void vi.restoreAllMocks())

/** How many messages each commit took, when every look at the machine's time is a millisecond on and a commit takes `commitMs`. */
async function groupsOf(commitMs: number): Promise<number[]> {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now++)
  const groups: number[] = []
  let steps = 0
  const { host } = await stage({
    groupMs: 2,
    faulty: (ledger) => ({
      commit() {
        now += commitMs
        ledger.commit()
        if (steps > 0) groups.push(steps)
        steps = 0
      },
      appendJournal(row) {
        steps++
        ledger.appendJournal(row)
      },
    }),
  })
  await host.spawn('counter', a, undefined, null)
  await host.dispatchAll(Array.from({ length: 100 }, () => ({ to: a, event: { type: 'add', by: 1 } })))
  return groups
}

it('what is ready together shares a commit for two milliseconds', async () => {
  expect(Math.max(...(await groupsOf(0)))).toBe(2)
})

it('a disk that takes its time gets larger groups, yet not ever larger ones', async () => {
  const groups = await groupsOf(100)
  expect(Math.max(...groups)).toBe(6)
  expect(groups.slice(-2)[0]).toBe(6)
})
