import { afterEach, describe, expect, it, vi } from 'vitest'
import { atOnce, type Steps } from '../../src/domain/steps.ts'
import { inTurns, slices } from '../../src/house/slices.ts'

afterEach(() => void vi.restoreAllMocks())

/** Each step takes so many milliseconds by the machine's time. */
function* counting(steps: number, clock: { now: number }, each: number): Steps<number> {
  for (let n = 0; n < steps; n++) {
    clock.now += each
    yield
  }
  return steps
}

const turned = () => {
  const clock = { now: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  return clock
}

describe('a long computation', () => {
  it('lets everything else have its turn after every two milliseconds of it', async () => {
    const clock = turned()
    let turns = 0
    let running = true
    const other = () => {
      turns++
      if (running) setImmediate(other)
    }
    setImmediate(other)
    expect(await inTurns(counting(100, clock, 0.5))).toBe(100)
    running = false
    expect(turns).toBeGreaterThanOrEqual(24)
  })

  it('that is short is not held up', async () => {
    const clock = turned()
    let turns = 0
    setImmediate(() => turns++)
    expect(await inTurns(counting(3, clock, 0.5))).toBe(3)
    expect(turns).toBe(0)
  })

  it('that fails says so', async () => {
    turned()
    // biome-ignore lint/correctness/useYield: it fails before its first step
    function* failing(): Steps<number> {
      throw new Error('no')
    }
    await expect(inTurns(failing())).rejects.toThrow('no')
    expect(() => atOnce(failing())).toThrow('no')
  })

  it('comes to the same all at once', () => {
    expect(atOnce(counting(100, { now: 0 }, 1))).toBe(100)
  })
})

it('a list is cut into pieces without losing any of it', () => {
  expect([...slices([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...slices([], 2)]).toEqual([])
})
