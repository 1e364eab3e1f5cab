import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import type { Card } from '../../src/domain/escalation.ts'
import type { House } from '../support/house.ts'
import { asking, forward, refused, stateOf, theCard } from './asking-house.ts'
import { ada, mail, mailer, proposes, settle } from './scene.ts'

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
