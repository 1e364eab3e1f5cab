import { describe, expect, it, onTestFinished } from 'vitest'
import { day, hour } from '../../src/domain/clock.ts'
import type { Analysis } from '../../src/domain/decision.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { Card } from '../../src/domain/escalation.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { ada, afterKill, gate, mail, mailer, pass, proposes, settle, until } from './scene.ts'

/** A house whose only task of a model's recommends what the test says, over and over. */
async function asking(
  recommended: (step: { title: string; response?: string }) => Analysis,
  options: HouseOptions = {},
) {
  const { tool, sent } = mailer()
  const provider = scriptedProvider({
    decide: (task) => (task.title.startsWith('Check') ? { decision: 'escalate' } : { decision: 'skip' }),
    analyse: ({ task, response }) => recommended({ title: task.title, ...(response !== undefined && { response }) }),
  })
  const home = await house({
    tasks: ['Check urgent mail'],
    files: { 'notes.md': 'one' },
    provider,
    tools: [tool],
    ...options,
  })
  await home.tick(true)
  return { home, sent, provider }
}

const forward = () => proposes('Forward it to the team', [mail('team@example.org')])

const theCard = (home: Pick<House, 'cards'>): Card => {
  const [card, ...more] = home.cards()
  expect(more).toEqual([])
  return card!
}

const stateOf = (home: Pick<House, 'runtime'>, { id }: Card) => home.runtime.stores.evaluations.get(id)

/** The code and the sentence with which something is refused. */
async function refused(asked: Promise<unknown>): Promise<{ code: string; sentence: string }> {
  const error = await asked.then(
    () => expect.fail('was not refused'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Fault)) throw error
  return { code: error.code, sentence: error.message }
}

describe('an approval', () => {
  it('carries out the call once, however many times and from wherever it comes', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    const answers = await Promise.allSettled([
      home.runtime.answers.approve(card.id, card.digest, ada),
      home.runtime.answers.approve(card.id, card.digest, { by: 'bob (test)' }),
    ])
    await settle(home)
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(
      await refused(answers[1]?.status === 'rejected' ? Promise.reject(answers[1].reason) : Promise.resolve()),
    ).toEqual({
      code: 'approval/answered',
      sentence: expect.stringMatching(
        /already approved by ada \(test\) at 2026-04-01T16:00:00.000Z.*Nothing was changed/,
      ),
    })
    await home.restart()
    expect((await refused(home.runtime.answers.approve(card.id, card.digest, ada))).code).toBe('approval/answered')
    await settle(home)
    expect(sent).toEqual(['team@example.org: hello'])
    expect(stateOf(home, card)).toMatchObject({ state: 'acted', text: 'sent to team@example.org' })
    expect(home.runtime.stores.escalations.get(card.id)).toMatchObject({ state: 'approved', answeredBy: 'ada (test)' })
  })

  it('reaches an evaluation that was asked weeks and restarts ago', async () => {
    const { home, sent } = await asking(forward, { settings: { 'approvals.expire_days': 60 } })
    const card = theCard(home)
    for (let week = 0; week < 5; week++) {
      home.clock.set(home.clock.now() + 7 * day)
      await home.restart()
      await settle(home)
    }
    expect(theCard(home)).toEqual(card)
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(sent).toHaveLength(1)
    expect(stateOf(home, card)?.state).toBe('acted')
  })

  it('is refused on a card that has been dismissed, has expired, was superseded or withdrawn', async () => {
    const gone: Record<string, (home: House, card: Card) => Promise<unknown>> = {
      skipped: (home, card) => home.runtime.answers.dismiss(card.id, ada),
      'expired unanswered': async (home) => {
        home.clock.set(home.clock.now() + 15 * day)
        await settle(home)
      },
      'superseded by a newer one': (home) => home.tick(true),
      withdrawn: (home) => home.runtime.tasks.edit('Check urgent mail', { enabled: false }),
    }
    for (const [word, end] of Object.entries(gone)) {
      let times = 0
      const { home, sent } = await asking(() => proposes('Forward it', [mail(`team${times++}@example.org`)]))
      const card = theCard(home)
      await end(home, card)
      await settle(home)
      expect(await refused(home.runtime.answers.approve(card.id, card.digest, ada))).toEqual({
        code: 'approval/answered',
        sentence: expect.stringContaining(word),
      })
      await settle(home)
      expect(sent).toEqual([])
    }
  })

  it('is refused when it names something else than the card shows, and the card stays open', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    expect(await refused(home.runtime.answers.approve(card.id, 'another digest', ada))).toEqual({
      code: 'approval/changed',
      sentence: expect.stringContaining('Look at it again'),
    })
    expect(theCard(home)).toEqual(card)
    expect(sent).toEqual([])
    expect((await refused(home.runtime.answers.approve('ev_nobody', card.digest, ada))).code).toBe('approval/unknown')
  })

  it('does not carry out a card that has changed between the look and the answer', async () => {
    const { home, sent } = await asking(({ response }) =>
      proposes('Forward it', [mail(response ? 'boss@example.org' : 'team@example.org')]),
    )
    const shown = theCard(home)
    await home.runtime.answers.respond(shown.id, 'to my boss rather', ada)
    await settle(home)
    const now = theCard(home)
    expect(now.id).toBe(shown.id)
    expect(now.digest).not.toBe(shown.digest)
    expect((await refused(home.runtime.answers.approve(now.id, shown.digest, ada))).code).toBe('approval/changed')
    await home.runtime.answers.approve(now.id, now.digest, ada)
    await settle(home)
    expect(sent).toEqual(['boss@example.org: hello'])
  })

  it('counts once when its message is repeated, before and after a restart', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    const who = { ...ada, message: 'message-1' }
    const [first, second] = await Promise.all([
      home.runtime.answers.approve(card.id, card.digest, who),
      home.runtime.answers.approve(card.id, card.digest, who),
    ])
    expect(first.state).toBe('approved')
    expect(second.state).toBe('approved')
    await settle(home)
    await home.restart()
    expect((await home.runtime.answers.approve(card.id, card.digest, who)).state).toBe('approved')
    await settle(home)
    expect(sent).toHaveLength(1)
  })

  it('runs the arguments as the user edited them, checked by the tool first', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    await expect(home.runtime.answers.approve(card.id, card.digest, ada, [mail('')])).rejects.toThrow(
      /needs an address/,
    )
    expect(theCard(home)).toEqual(card)
    await home.runtime.answers.approve(card.id, card.digest, ada, [mail('ada@example.org', 'for me')])
    await settle(home)
    expect(sent).toEqual(['ada@example.org: for me'])
    expect(home.runtime.stores.escalations.get(card.id)?.calls).toEqual([mail('ada@example.org', 'for me')])
  })

  it('never runs another tool, or more or fewer calls, than the card showed', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    const notify = { tool: 'notify', arguments: { title: 'x' } }
    for (const calls of [[], [notify], [mail('a@example.org'), mail('b@example.org')]]) {
      const { code, sentence } = await refused(home.runtime.answers.approve(card.id, card.digest, ada, calls))
      expect(code).toBe('approval/not-an-edit')
      expect(sentence).toContain('arguments')
    }
    expect(theCard(home)).toEqual(card)
    expect(sent).toEqual([])
  })

  it('runs several calls in their order, each once', async () => {
    const { home, sent } = await asking(() => proposes('Tell both', [mail('one@example.org'), mail('two@example.org')]))
    const card = theCard(home)
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(sent).toEqual(['one@example.org: hello', 'two@example.org: hello'])
  })

  it('of a call that fails leaves a failed evaluation, never one that is done', async () => {
    const { tool } = mailer(() => Promise.reject(new Error('the line is dead')))
    const { home } = await asking(forward, { tools: [tool] })
    const card = theCard(home)
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(stateOf(home, card)).toMatchObject({ state: 'failed', failure: { message: 'the line is dead' } })
    expect(home.runtime.tasks.find('Check urgent mail')).toMatchObject({ attempts: 0, paused: null })
  })

  it('is not taken for a plan that nobody here can carry out', async () => {
    const { home } = await asking(() => proposes('Talk to them about it', []))
    const card = theCard(home)
    expect((await refused(home.runtime.answers.approve(card.id, card.digest, ada))).code).toBe('approval/needs-agent')
    expect(theCard(home)).toEqual(card)
  })
})

describe('one inbox from several processes', () => {
  it('is written by one of them at a time: a second runtime is told who has it', async () => {
    const { home } = await asking(forward)
    const { openHouse } = await import('../../src/house/open.ts')
    const second = openHouse({ workspace: home.root, clock: home.clock, env: {}, userConfigDir: `${home.root}-config` })
    expect(await refused(second)).toEqual({
      code: 'workspace/in-use',
      sentence: expect.stringContaining(`process ${process.pid}`),
    })
  })

  it('takes one answer of two given one after the other by different processes', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    await home.restart()
    await home.runtime.answers.approve(card.id, card.digest, { by: 'cli' })
    await home.restart()
    expect(await refused(home.runtime.answers.dismiss(card.id, { by: 'dashboard' }))).toEqual({
      code: 'approval/answered',
      sentence: expect.stringContaining('already approved by cli'),
    })
    await settle(home)
    expect(sent).toHaveLength(1)
  })
})

describe('a paused world', () => {
  it('still hands answers on', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    await home.runtime.pause()
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(sent).toHaveLength(1)
    expect(home.runtime.status().worlds[0]?.state).toBe('paused')
  })
})

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
