import { describe, expect, it, onTestFinished } from 'vitest'
import { gate, mail, mailer, proposes, settle, until } from './scene.ts'
import { heldJudge, rowOf, scripted } from './scripted-house.ts'

describe('a newer tick', () => {
  it('leaves an effect that was started alone: it goes on, is logged, and its task is not judged meanwhile', async () => {
    const held = gate()
    const { tool, sent } = mailer(() => held.passed)
    const append = { ...tool, name: 'append_file', target: () => 'JOURNAL.md' }
    const { judge, asked } = heldJudge()
    let hold = false
    const { home, ranOf } = await scripted(
      {
        judge: (request, signal) => {
          if (hold && request.report.tasks.length === 1) return judge(request, signal)
          const evaluations = request.report.tasks.map(({ id, title }) => ({
            task_id: id,
            decision: title.startsWith('Append') ? 'escalate' : 'act',
            ...(!title.startsWith('Append') && { needs: 'text' }),
          }))
          return {
            text: JSON.stringify({ evaluations }),
            usage: { promptTokens: 0, completionTokens: 0 },
            cutOff: false,
          }
        },
        analyse: () => proposes('Note it', [{ ...mail('journal', 'summary'), tool: 'append_file' }]),
        execute: (_step, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      { tools: [append] },
    )
    onTestFinished(() => held.open())
    const effect = await home.runtime.tasks.add({ title: 'Append the summary to JOURNAL.md' })
    const other = await home.runtime.tasks.add({ title: 'Write something long' })
    const first = await home.runtime.trigger()
    await until(() => ranOf(effect)[0]?.phase === 'carryingOut' && ranOf(other)[0]?.phase === 'executing')
    hold = true
    await home.write('a.md', 'a')
    const second = await home.runtime.trigger()
    await until(() => asked.length === 1)
    expect((await home.runtime.settled(first)).state).toBe('superseded')
    expect(asked[0]?.request.report.tasks.map(({ id }) => id)).toEqual([other.id])
    expect(ranOf(other)[0]?.state).toBe('superseded')
    expect(ranOf(effect)).toMatchObject([{ state: 'inProgress', phase: 'carryingOut' }])
    held.open()
    asked[0]?.answer()
    expect((await home.runtime.settled(second)).state).toBe('done')
    await settle(home)
    expect(sent).toEqual(['journal: summary'])
    expect(ranOf(effect)).toMatchObject([{ state: 'acted', text: 'sent to journal' }])
    expect(rowOf(home, effect).judgedThrough).toBe(ranOf(effect)[0]?.through)
    expect(home.runtime.status().deadLetters).toBe(0)
  })

  it('lets the third one finish after two were superseded in a row, and follows it once', async () => {
    const { judge, asked } = heldJudge()
    const { home } = await scripted({ judge })
    await home.runtime.tasks.add({ title: 'Look' })
    const ticks = []
    for (let n = 1; n <= 3; n++) {
      ticks.push(await home.runtime.trigger())
      await until(() => asked.length === n)
    }
    const later = await Promise.all([
      home.runtime.trigger(),
      home.runtime.trigger({ force: true }),
      home.runtime.trigger(),
    ])
    expect(new Set(later).size).toBe(1)
    asked[2]?.answer()
    const states = await Promise.all(ticks.map(async (tick) => (await home.runtime.settled(tick)).state))
    expect(states).toEqual(['superseded', 'superseded', 'done'])
    await until(() => asked.length === 4)
    asked[3]?.answer()
    expect(await home.runtime.settled(later[0]!)).toMatchObject({ state: 'done', force: true, generation: 4 })
    await settle(home)
    expect(home.runtime.status().worlds[0]).toMatchObject({ generation: 4, totalTicks: 4, state: 'resting' })
  })

  it('waits for the end of a running one where ticks are to finish, and follows it once', async () => {
    const { judge, asked } = heldJudge()
    const { home, shownTo } = await scripted({ judge }, { settings: { 'heartbeat.overlap': 'finish' } })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.write('late.md', 'late')
    const later = await Promise.all(Array.from({ length: 5 }, () => home.runtime.trigger()))
    expect(new Set(later)).toEqual(new Set([later[0]]))
    expect(later[0]).not.toBe(first)
    asked[0]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('done')
    await until(() => asked.length === 2)
    asked[1]?.answer()
    expect((await home.runtime.settled(later[0]!)).state).toBe('done')
    await settle(home)
    expect(shownTo(task).at(-1)).toEqual(['late.md'])
    expect(home.runtime.status().worlds[0]?.totalTicks).toBe(2)
  })

  it('does as the setting says after it was changed', async () => {
    const { judge, asked } = heldJudge()
    const { home } = await scripted({ judge })
    await home.runtime.tasks.add({ title: 'Look' })
    await home.restart({ settings: { 'heartbeat.overlap': 'finish' } })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    await home.runtime.trigger()
    asked[0]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('done')
  })

  it('is one for triggers that come together', async () => {
    const { home } = await scripted()
    await home.runtime.tasks.add({ title: 'Look' })
    const ticks = await Promise.all(Array.from({ length: 10 }, () => home.runtime.trigger()))
    for (const tick of new Set(ticks)) await home.runtime.settled(tick)
    await settle(home)
    expect(home.runtime.status().worlds[0]?.totalTicks).toBeLessThanOrEqual(3)
    expect(home.runtime.status().worlds[0]?.state).toBe('resting')
  })

  it('never runs beside one that a pause made leave', async () => {
    const { judge, asked } = heldJudge()
    const { home, ranOf } = await scripted({ judge })
    const task = await home.runtime.tasks.add({ title: 'Look' })
    const first = await home.runtime.trigger()
    await until(() => asked.length === 1)
    const [, , second] = await Promise.all([home.runtime.pause(), home.runtime.resume(), home.runtime.trigger()])
    await until(() => asked.length === 2)
    asked[1]?.answer()
    expect((await home.runtime.settled(first)).state).toBe('cancelled')
    expect((await home.runtime.settled(second)).state).toBe('done')
    expect(ranOf(task).map(({ state }) => state)).toEqual(['cancelled', 'skipped'])
    expect(home.runtime.status().worlds[0]?.totalTicks).toBe(2)
  })
})
