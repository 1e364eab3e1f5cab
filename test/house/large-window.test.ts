import { expect, it } from 'vitest'
import { rowOf, scripted } from './scripted-house.ts'

it('shows in several ticks what does not fit into one report, each change once and in order', async () => {
  const many = 60
  const text = (n: number) => `${'some words about the matter '.repeat(60)}${n}\n`
  const files = Object.fromEntries(
    Array.from({ length: many }, (_, n) => [`n${String(n).padStart(2, '0')}.md`, text(n)]),
  )
  const { home, shownTo } = await scripted({ contextTokens: 6000 }, { files })
  const task = await home.runtime.tasks.add({ title: 'Watch' })
  let ticks = 0
  while (shownTo(task).flat().length < many && ticks < many) {
    const tick = await home.tick()
    expect(tick.state).toBe('done')
    const [last] = home.runtime.log({ task: task.id, limit: 1 })
    expect(rowOf(home, task).judgedThrough).toBe(last?.through)
    ticks++
  }
  expect(ticks).toBeGreaterThan(2)
  const shown = shownTo(task).flat()
  expect(new Set(shown).size).toBe(shown.length)
  expect(shown.toSorted()).toEqual(Object.keys(files))
  expect(await home.tick()).toMatchObject({ state: 'quiet' })
})
