import { expect, it } from 'vitest'
import { scripted } from './scripted-house.ts'

it('judges hundreds of tasks that look at dozens of places, each on what it looks at', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 240 }, (_, n) => [`f${String(n).padStart(3, '0')}/a.md`, `line of ${n}`]),
  )
  const { home, provider } = await scripted({}, { files, settings: { 'sources.own': ['**'] } })
  const { runtime } = home
  const tasks = []
  for (let n = 0; n < 210; n++) {
    const folder = `f${String(30 + (n % 40) * 5).padStart(3, '0')}`
    tasks.push(await runtime.tasks.add({ title: `Watch ${n}`, inputs: [`${folder}/**`] }))
  }
  await runtime.tasks.add({ title: 'Watch the last', inputs: ['f239/**'] })
  const tick = await home.tick()
  expect(tick).toMatchObject({ state: 'done', modelCalls: 41 })
  expect(tick.evaluations).toHaveLength(211)
  expect(new Set(tick.evaluations.map(({ state }) => state))).toEqual(new Set(['skipped']))
  for (const { report } of provider.calls.judge) {
    const [folder = ''] = (report.tasks[0]?.inputs[0] ?? '').split('/')
    expect(report.changes.map(({ key }) => key)).toEqual([`${folder}/a.md`])
    expect(new Set(report.tasks.map(({ inputs }) => inputs.join()))).toEqual(new Set([`${folder}/**`]))
  }
  // Of what has changed since, only those that look there are judged.
  await home.write('f239/a.md', 'another line')
  const next = await home.tick()
  expect(next.evaluations.map(({ task }) => runtime.stores.tasks.get(task)?.title)).toEqual(['Watch the last'])
  expect(next.callsAvoided).toBe(210)
})
