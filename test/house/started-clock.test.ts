import { expect, it } from 'vitest'
import { clockFrom } from '../../src/house/started-clock.ts'

it('begins at the given time, goes on at the pace of the machine and wakes by its own time', async () => {
  const clock = clockFrom('2026-04-01T18:00:00+02:00')
  const began = clock.now()
  expect(began - Date.parse('2026-04-01T16:00:00Z')).toBeLessThan(1000)
  await new Promise<void>((wake) => {
    clock.wakeAt(began + 5, wake)
    setTimeout(() => {}, 50)
  })
  expect(clock.now()).toBeGreaterThanOrEqual(began + 5)
  let woken = false
  clock.wakeAt(began + 10, () => {
    woken = true
  })()
  await new Promise((next) => setTimeout(next, 20))
  expect(woken).toBe(false)
})

it.each(['', 'tomorrow', '2026-13-01'])('does not begin at %j', (text) => {
  expect(() => clockFrom(text)).toThrow(expect.objectContaining({ code: 'clock/invalid', kind: 'use' }))
})
