import { afterEach, expect, it, vi } from 'vitest'
import type { Analysis } from '../../src/domain/decision.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Every look at the stop watch finds that a group of messages has lasted long enough, so that each is one of its own. */
const oneMessageAGroup = () => {
  let ms = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 10
    return ms
  })
}

it('leaves no evaluation behind that was still being opened when its tick was superseded', async () => {
  const home = await house({ tasks: ['Watch the people'], files: { 'notes.md': 'one' }, provider: scriptedProvider() })
  const { runtime } = home
  await runtime.tasks.add({ title: 'Watch the notes', inputs: ['notes.md'] })
  let isSuperseded = false
  const stop = runtime.subscribe((news) => {
    if (isSuperseded || news.type !== 'evaluation' || news.tick === null) return
    isSuperseded = true
    oneMessageAGroup()
    void runtime.host.dispatch({ to: news.tick as string as ActorId, event: { type: 'supersede' } })
  })
  const first = await home.tick()
  stop()
  expect(first.state).toBe('superseded')
  expect(new Set(first.evaluations.map(({ state }) => state))).toEqual(new Set(['superseded']))
  const second = await home.tick()
  expect(second.of('Watch the people')?.state).toBe('skipped')
  expect(second.of('Watch the notes')?.state).toBe('skipped')
})

it('does not take back a card that came to wait while its tick was being cancelled', async () => {
  let propose: (analysis: Analysis) => void = () => {}
  const asked = new Promise<void>((begun) => {
    const analysis = new Promise<Analysis>((resolve) => {
      propose = resolve
    })
    const provider = scriptedProvider({
      decide: ({ title }) => ({ decision: title === 'Watch the people' ? 'escalate' : 'skip' }),
      analyse: () => {
        begun()
        return analysis
      },
    })
    opening = house({ tasks: ['Watch the people'], files: { 'notes.md': 'one' }, provider })
  })
  const home = await opening
  const { runtime } = home
  const tick = await runtime.trigger()
  await asked
  oneMessageAGroup()
  const cancelled = runtime.host.dispatch({
    to: tick as string as ActorId,
    event: { type: 'cancel', reason: 'The user has had enough' },
  })
  propose({ kind: 'proposal', proposal })
  await cancelled
  await runtime.settled(tick)
  await runtime.host.idle()
  expect(runtime.stores.escalations.list(10).map(({ title, state }) => [title, state])).toEqual([['Tell them', 'open']])
})

let opening: ReturnType<typeof house>

const proposal = {
  title: 'Tell them',
  summary: 'They should know.',
  priority: 'normal' as const,
  calls: [{ tool: 'append_file', arguments: { path: 'AGENDA.md', text: 'Tell them' } }],
  provenance: [],
}
