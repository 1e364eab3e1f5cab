import { describe, expect, it, onTestFinished } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { asking, forward, refused, stateOf, theCard } from './asking-house.ts'
import { ada, afterKill, gate, mail, mailer, pass, proposes, settle, until } from './scene.ts'

describe('a card', () => {
  it('that was skipped silences the same action for its task, and no other', async () => {
    let to = 'team@example.org'
    const { home } = await asking(() => proposes('Forward it', [mail(to)]))
    await home.runtime.answers.dismiss(theCard(home).id, ada)
    const again = await home.tick(true)
    expect(again.of('Check urgent mail')).toMatchObject({ state: 'skipped', reason: 'You skipped this before' })
    expect(home.cards()).toEqual([])
    to = 'boss@example.org'
    await home.tick(true)
    expect(theCard(home).calls).toEqual([mail('boss@example.org')])
  })

  it('is not silenced for another task', async () => {
    const { home } = await asking(forward, { tasks: ['Check urgent mail', 'Check the team inbox'] })
    const [one, two] = home.cards()
    expect([one?.fingerprint, home.cards().length]).toEqual([two?.fingerprint, 2])
    await home.runtime.answers.dismiss(one!.id, ada)
    await home.tick(true)
    expect(home.cards().map(({ id }) => id)).toEqual([two!.id])
  })

  it('may be suggested again once the silence is over', async () => {
    const { home } = await asking(forward)
    await home.runtime.answers.dismiss(theCard(home).id, ada)
    home.clock.set(home.clock.now() + 31 * day)
    await home.tick(true)
    expect(home.cards()).toHaveLength(1)
  })

  it('is refreshed, not doubled, when the same thing is recommended again', async () => {
    const { home } = await asking(forward)
    const card = theCard(home)
    home.clock.set(home.clock.now() + 3 * hour)
    const again = await home.tick(true)
    expect(again.of('Check urgent mail')).toMatchObject({
      state: 'skipped',
      reason: 'Already waiting for your approval',
    })
    expect(theCard(home)).toEqual({ ...card, refreshedAt: home.clock.now() })
  })

  it('gives way to a newer, different one of its task', async () => {
    let to = 'team@example.org'
    const { home } = await asking(() => proposes('Forward it', [mail(to)]))
    const old = theCard(home)
    to = 'boss@example.org'
    await home.tick(true)
    expect(theCard(home).calls).toEqual([mail('boss@example.org')])
    expect(stateOf(home, old)?.state).toBe('superseded')
    expect(home.runtime.stores.escalations.get(old.id)).toMatchObject({ state: 'superseded', answeredBy: null })
  })

  it('is bundled from the sixth new one of a day, and single again the next morning', async () => {
    const tasks = Array.from({ length: 7 }, (_, n) => `Check mailbox ${n}`)
    const { home } = await asking(({ title }) => proposes(title, [mail(`${title.at(-1)}@example.org`)]), { tasks })
    expect(home.cards().filter(({ bundled }) => bundled)).toHaveLength(2)
    expect(home.cards()).toHaveLength(7)
    home.clock.set(home.clock.now() + day)
    await home.runtime.tasks.add({ title: 'Check one more mailbox' })
    await home.tick(true)
    expect(home.cards().find(({ title }) => title === 'Check one more mailbox')?.bundled).toBe(false)
  })

  it('that nobody answers expires, and that is nobody’s answer', async () => {
    const { home } = await asking(({ response }) =>
      proposes('Forward it', [mail(response ? 'boss@example.org' : 'team@example.org')]),
    )
    const card = theCard(home)
    await home.runtime.answers.respond(card.id, 'to my boss rather', ada)
    await settle(home)
    home.clock.set(home.clock.now() + 14 * day - 1)
    await settle(home)
    expect(theCard(home).id).toBe(card.id)
    home.clock.set(home.clock.now() + 1)
    await settle(home)
    expect(home.cards()).toEqual([])
    expect(home.runtime.stores.escalations.get(card.id)).toMatchObject({
      state: 'expired',
      answeredBy: null,
      answer: null,
    })
    expect(stateOf(home, card)).toMatchObject({ state: 'dismissed', reason: 'Expired unanswered' })
    const { sentence } = await refused(home.runtime.answers.approve(card.id, card.digest, ada))
    expect(sentence).not.toContain('ada')
  })

  it('that expired while nobody was there is expired when somebody comes', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    home.clock.set(home.clock.now() + 20 * day)
    await home.restart()
    await settle(home)
    expect((await refused(home.runtime.answers.approve(card.id, card.digest, ada))).sentence).toContain('expired')
    expect(sent).toEqual([])
  })

  it('never stops its task: the schedule goes on while it waits', async () => {
    const { home, provider } = await asking(forward, { settings: { 'heartbeat.interval_minutes': 60 } })
    await home.runtime.start()
    const before = provider.calls.judge.length
    for (let hours = 1; hours <= 3; hours++) {
      await home.write('notes.md', `version ${hours}`)
      await pass(home, hour)
    }
    expect(provider.calls.judge.length).toBe(before + 3)
    expect(home.cards()).toHaveLength(1)
  })

  it('answered while its tick still works leaves that tick, which need not wait for it any more', async () => {
    const others = gate()
    const reconsidered = gate()
    const { tool } = mailer()
    const provider = scriptedProvider({
      decide: ({ title }) =>
        title.startsWith('Check') ? { decision: 'escalate' } : { decision: 'act', needs: 'text' },
      analyse: async ({ response }) => {
        if (response !== undefined) await reconsidered.passed
        return proposes('Forward it', [mail(response ? 'boss@example.org' : 'team@example.org')])
      },
      execute: async ({ task }) => {
        await others.passed
        return { text: `Done: ${task.title}`, sources: [] }
      },
    })
    const home = await house({ tasks: ['Check urgent mail', 'Summarise the notes'], provider, tools: [tool] })
    onTestFinished(() => reconsidered.open())
    const tick = await home.runtime.trigger({ force: true })
    await until(() => home.cards().length > 0)
    await home.runtime.answers.respond(theCard(home).id, 'to my boss rather', ada)
    others.open()
    expect((await home.runtime.settled(tick)).state).toBe('done')
    await home.runtime.settled(await home.runtime.trigger())
    reconsidered.open()
    await settle(home)
    expect(theCard(home).calls).toEqual([mail('boss@example.org')])
    expect(home.runtime.status().deadLetters).toBe(0)
  })
})

describe('a card about an action that may have happened', () => {
  /** A house whose approved mail was interrupted by the end of the process, nobody knows whether before or after. */
  async function interrupted(calls = [mail('team@example.org')]) {
    const never = gate()
    const { tool } = mailer(() => never.passed)
    const { home: killed } = await asking(() => proposes('Forward it', calls), { tools: [tool] })
    onTestFinished(() => never.open())
    const shown = theCard(killed)
    await killed.runtime.answers.approve(shown.id, shown.digest, ada)
    const working = mailer()
    const home = await afterKill(killed, { tools: [working.tool], provider: scriptedProvider() })
    await settle(home)
    return { home, sent: working.sent, shown, card: theCard(home) }
  }

  it('asks instead of doing it again', async () => {
    const { home, sent, shown, card } = await interrupted()
    expect(card).toMatchObject({ id: shown.id, kind: 'unknown', state: 'open', answeredBy: null })
    expect(sent).toEqual([])
    expect(stateOf(home, card)?.state).toBe('awaitingApproval')
    expect((await refused(home.runtime.answers.approve(card.id, shown.digest, ada))).code).toBe('approval/changed')
  })

  it('is settled when the user says that it happened', async () => {
    const { home, sent, card } = await interrupted()
    await home.runtime.answers.resolve(card.id, true, ada)
    await settle(home)
    expect(stateOf(home, card)?.state).toBe('acted')
    expect(sent).toEqual([])
  })

  it('can be run after the user says that it did not happen, once', async () => {
    const { home, sent, card } = await interrupted()
    await home.runtime.answers.resolve(card.id, false, ada)
    const again = theCard(home)
    expect(again.kind).toBe('proposal')
    await home.runtime.answers.approve(again.id, again.digest, ada)
    await settle(home)
    expect(sent).toEqual(['team@example.org: hello'])
  })

  it('goes on with the calls that had not begun', async () => {
    const { home, sent, card } = await interrupted([mail('one@example.org'), mail('two@example.org')])
    await home.runtime.answers.resolve(card.id, true, ada)
    await settle(home)
    expect(sent).toEqual(['two@example.org: hello'])
    expect(stateOf(home, card)?.state).toBe('acted')
  })

  it('is not reconsidered by a model: first it must be known what happened', async () => {
    const { home, card } = await interrupted()
    const { code, sentence } = await refused(home.runtime.answers.respond(card.id, 'hm?', ada))
    expect(code).toBe('approval/no-reply')
    expect(sentence).toContain('happened')
    expect(theCard(home)).toEqual(card)
  })
})
