import { describe, expect, it } from 'vitest'
import { cloudScene } from './cloud-scene.ts'

describe('what the cloud costs', () => {
  const said = { prompt_tokens: 700, completion_tokens: 50 }
  const counted = (served: Awaited<ReturnType<typeof cloudScene>>) =>
    served.server.reply(() => ({ text: 'All is well.', usage: said }))

  it('is counted as the endpoint counts it, and priced', async () => {
    const served = await cloudScene({ settings: { 'models.cloud.input_price': 2, 'models.cloud.output_price': 10 } })
    counted(served)
    const { home, server, judge } = served
    for (let n = 0; n < 3; n++) {
      await home.write('notes.md', `Question ${n}?\n`)
      await home.tick()
    }
    expect([judge.server.chats().length, server.chats().length]).toEqual([3, 3])
    const { rows, total } = await home.runtime.usage({ days: 1, by: 'model' })
    const [large] = rows.filter(({ key }) => key === 'openai served')
    expect(large).toMatchObject({
      calls: 3,
      cloudCalls: 3,
      promptTokens: 3 * said.prompt_tokens,
      completionTokens: 3 * said.completion_tokens,
      cost: 3 * (said.prompt_tokens * 2 + said.completion_tokens * 10),
    })
    expect(total).toMatchObject({ calls: 6, localCalls: 3, cloudCalls: 3 })
    expect(home.runtime.status().usage).toMatchObject({ calls: 6, cost: large?.cost })
  })

  it.each([
    ['tokens', { 'models.cloud.daily_tokens': 16_000 }],
    ['money', { 'models.cloud.daily_budget': 0.02, 'models.cloud.input_price': 1, 'models.cloud.output_price': 1 }],
  ])('ends with the budget of the day in %s, calmly, and goes on the next day', async (_, settings) => {
    const served = await cloudScene({ settings })
    const { home, server, row, last } = served
    served.server.reply(() => ({ text: 'All is well.', usage: { prompt_tokens: 7000, completion_tokens: 100 } }))
    let ticks = 0
    do {
      await home.write('notes.md', `Question ${++ticks}?\n`)
      await home.tick()
    } while (last().state === 'acted' && ticks < 9)
    expect(last()).toMatchObject({ state: 'failed', failure: { code: 'model/budget' } })
    expect(server.chats()).toHaveLength(ticks - 1)
    expect(ticks).toBeGreaterThan(1)
    const { budget } = home.runtime.status().usage
    expect(budget?.refusedUntil).toBe(row().retryAt)
    expect(row()).toMatchObject({ attempts: 0, paused: null })
    expect(home.runtime.status().worlds[0]).toMatchObject({ consecutiveFailures: 0 })
    const before = server.chats().length
    await home.tick()
    expect(server.chats()).toHaveLength(before)

    home.clock.set(row().retryAt!)
    await home.tick()
    expect(last()).toMatchObject({ state: 'acted', text: 'All is well.' })
    expect(row().judgedThrough).toBe(home.runtime.stores.changes.head())
    expect(home.runtime.status().usage.budget).toMatchObject({ refusedUntil: null })
  })
})
