import { expect, it } from 'vitest'
import type { Source } from '../../src/domain/change.ts'
import { minute } from '../../src/domain/clock.ts'
import { id, type SourceId } from '../../src/domain/ids.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'

/** A source that holds nothing and says that it changed when the test does. */
function bell(): Source & { ring(): void } {
  let onChange = () => {}
  return {
    id: id<SourceId>('bell'),
    kind: 'bell',
    title: 'Bell',
    async *read() {},
    watch: async (listener) => {
      onChange = listener
      return { async [Symbol.asyncDispose]() {} }
    },
    ring: () => onChange(),
  }
}

const settled = (home: Awaited<ReturnType<typeof house>>) => home.runtime.host.idle()

it('ticks when a source changes, at most thirty times an hour, and only in event-driven mode', async () => {
  for (const [mode, ticks] of [
    ['event_driven', 30],
    ['simple', 1],
  ] as const) {
    const source = bell()
    const settings = { 'subconscious.mode': mode, 'heartbeat.interval_minutes': 120 }
    const home = await house({ sources: [source], settings, provider: scriptedProvider() })
    await home.runtime.start()
    await settled(home)
    const before = home.runtime.status().worlds[0]?.totalTicks ?? 0
    for (let second = 0; second < 3600; second += 20) {
      source.ring()
      await home.clock.advance(20_000, () => settled(home))
    }
    const after = (home.runtime.status().worlds[0]?.totalTicks ?? 0) - before
    expect(after).toBeLessThanOrEqual(ticks)
    expect(after > 20).toBe(mode === 'event_driven')
  }
})

it('does not take what it has just carried out itself for a reason to tick', async () => {
  const source = bell()
  const call = { tool: 'append_file', arguments: { path: 'AGENDA.md', text: 'Call Ana\n' } }
  const provider = scriptedProvider({
    decide: () => ({ decision: 'escalate' as const }),
    analyse: () => ({
      kind: 'proposal' as const,
      proposal: { title: 'Note it', summary: '', priority: 'normal' as const, calls: [call], provenance: [] },
      usage: { promptTokens: 0, completionTokens: 0 },
    }),
  })
  const settings = { 'subconscious.mode': 'event_driven', 'heartbeat.interval_minutes': 120 }
  const home = await house({ sources: [source], settings, provider, tasks: ['Watch the bell'] })
  await home.runtime.start()
  await settled(home)
  await home.clock.advance(10 * minute, () => settled(home))
  const before = home.runtime.status().worlds[0]?.totalTicks
  const [card] = home.runtime.cards()
  if (!card) throw new Error('no card')
  await home.runtime.approve(card)
  source.ring()
  await home.clock.advance(10 * minute, () => settled(home))
  expect(home.runtime.status().worlds[0]?.totalTicks).toBe(before)
})
