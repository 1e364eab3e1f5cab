import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import { agentHouse, agentThat, use } from './agent-house.ts'
import { ada, mail, mailer, proposes, settle } from './scene.ts'
import { scripted } from './scripted-house.ts'

describe('what has aged', () => {
  it('is let go of, all but what people come back to', async () => {
    const { tool, sent } = mailer()
    const { home } = await scripted(
      {
        decide: ({ title }) => ({ decision: title === 'Ask' ? 'escalate' : 'skip', reason: 'as ever' }),
        analyse: () => proposes('Tell them', [mail('team')]),
      },
      { files: { 'a.md': 'one' }, tools: [tool] },
    )
    const { runtime } = home
    await runtime.tasks.add({ title: 'Ask' })
    for (let n = 0; n < 30; n++) await runtime.tasks.add({ title: `Watch ${n}` })
    const first = await home.tick()
    const [card] = home.cards()
    await runtime.answers.approve(card!.id, card!.digest, ada)
    await settle(home)
    await runtime.tasks.add({ title: 'Ask again', schedule: { kind: 'every', minutes: 60 } })
    home.clock.set(home.clock.now() + 31 * day)
    await home.write('b.md', 'two')
    await home.tick()
    await runtime.compact()

    const old = first.evaluations.map(({ id }) => runtime.whyEvaluation(id))
    expect(old.map(({ journal }) => journal.length)).toEqual(old.map(() => 1))
    expect(new Set(old.map(({ call }) => call))).toEqual(new Set([null]))
    const asked = old.find(({ evaluation }) => evaluation.id === card!.id)!
    expect(JSON.parse(asked.journal[0]!.event)).toMatchObject({
      type: 'summary',
      states: [
        ['inProgress.judging', expect.any(Number), 'xstate.init'],
        ['inProgress.analysing', expect.any(Number), 'verdict'],
        ['awaitingApproval', expect.any(Number), 'xstate.done.actor.analyse'],
        ['inProgress.carryingOut', expect.any(Number), 'approve'],
        ['acted', expect.any(Number), 'xstate.done.actor.carryOut'],
      ],
    })
    expect(asked).toMatchObject({ evaluation: { state: 'acted', reason: 'as ever' }, card: { answeredBy: ada.by } })
    expect(() => runtime.replay(card!.id)).toThrow(expect.objectContaining({ code: 'replay/summarised' }))
    expect(sent).toEqual(['team: hello'])

    const rows = runtime.log({ limit: 500 }).length
    await runtime.compact()
    expect(runtime.log({ limit: 500 })).toHaveLength(rows)
  })

  it('of changes is what every enabled task has been judged on', async () => {
    const files = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`n/${n}.md`, 'one']))
    const { home } = await scripted({}, { files })
    const { runtime } = home
    const { changes } = runtime.stores
    const kept = () => changes.between(0, changes.head(), 10_000).length
    await runtime.tasks.add({ title: 'Watch' })
    await runtime.tasks.add({ title: 'Wait', schedule: { kind: 'once', at: '2027-01-01T00:00:00Z' } })
    await home.tick()
    expect(kept()).toBe(450)
    home.clock.set(home.clock.now() + 29 * day)
    await runtime.tasks.edit('Wait', { enabled: false })
    await runtime.compact()
    expect(kept()).toBe(450)
    home.clock.set(home.clock.now() + 2 * day)
    await runtime.tasks.edit('Wait', { enabled: true })
    await runtime.compact()
    expect(kept()).toBe(450)
    await runtime.tasks.edit('Wait', { enabled: false })
    await runtime.compact()
    expect(kept()).toBe(0)
    const head = changes.head()
    await home.write('n/0.md', 'two')
    await home.tick()
    expect([changes.head() > head, kept()]).toEqual([true, 1])
  })

  it('of agents is all but what they did, which can be taken back for as long as before', async () => {
    const written = { path: 'DECISIONS.md', content: 'It is booked.\n' }
    const agent = agentThat([use('read_file', { path: 'a.md' })], [use('write_file', written)], 'It stands there.')
    const { home } = await agentHouse('Keep a summary of the decisions in DECISIONS.md', 'act', agent, {
      files: { 'a.md': 'one' },
    })
    const { evaluations } = await home.tick()
    const { runtime, clock } = home
    const [run] = runtime.stores.agentRuns.ofEvaluation(evaluations[0]!.id)
    await runtime.compact()
    expect(runtime.stores.agentRuns.steps(run!.id).length).toBeGreaterThan(4)
    clock.set(clock.now() + 29 * day)
    await runtime.compact()
    expect(runtime.replay(evaluations[0]!.id).every(({ recorded, replayed }) => recorded === replayed)).toBe(true)
    expect(await runtime.undo(evaluations[0]!.id)).toMatchObject([{ path: 'DECISIONS.md', outcome: 'removed' }])
    clock.set(clock.now() + 2 * day)
    await runtime.compact()
    expect(runtime.stores.agentRuns.ofEvaluation(evaluations[0]!.id)).toEqual([])
    expect(runtime.stores.agentRuns.steps(run!.id)).toEqual([])
    expect(runtime.whyEvaluation(evaluations[0]!.id).evaluation).toMatchObject({
      state: 'acted',
      text: expect.stringContaining('Wrote DECISIONS.md'),
    })
  })

  it('of changes is everything where no task is left to look at them', async () => {
    const { home } = await scripted({}, { files: { 'a.md': 'one' } })
    const { runtime } = home
    await home.tick()
    home.clock.set(home.clock.now() + 31 * day)
    await runtime.compact()
    const { changes } = runtime.stores
    expect([changes.between(0, changes.head(), 10).length, changes.head()]).toEqual([0, 1])
  })
})
