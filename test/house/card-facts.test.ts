import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import type { Analysis } from '../../src/domain/decision.ts'
import { asking, forward, theCard } from './asking-house.ts'
import { ada, mail, proposal, proposes, settle } from './scene.ts'

describe('a card', () => {
  it('says when it expires, by the setting', async () => {
    const { home } = await asking(forward, { settings: { 'approvals.expire_days': 3 } })
    const card = theCard(home)
    expect(card.expiresAt - card.createdAt).toBe(3 * day)
    home.clock.set(card.expiresAt - 1)
    await settle(home)
    expect(theCard(home).id).toBe(card.id)
    home.clock.set(card.expiresAt)
    await settle(home)
    expect(home.runtime.stores.escalations.get(card.id)).toMatchObject({ state: 'expired', answeredBy: null })
  })

  it('is not answered by what was shown of another one, though they ask for the same', async () => {
    const { home, sent } = await asking(forward, { tasks: ['Check urgent mail', 'Check the team inbox'] })
    const [one, two] = home.cards()
    expect(one?.calls).toEqual(two?.calls)
    await expect(home.runtime.answers.approve(one!.id, two!.digest, ada)).rejects.toMatchObject({
      code: 'approval/changed',
    })
    await settle(home)
    expect([sent, home.cards().length]).toEqual([[], 2])
  })

  it('that was answered says so to whoever comes later, whatever they had before their eyes', async () => {
    const { home, sent } = await asking(forward)
    const card = theCard(home)
    await home.runtime.answers.dismiss(card.id, ada)
    for (const digest of [card.digest, 'another']) {
      await expect(home.runtime.answers.approve(card.id, digest, ada)).rejects.toMatchObject({
        code: 'approval/answered',
      })
    }
    expect(sent).toEqual([])
  })

  it('that expired unanswered was no answer: the same may be asked again', async () => {
    const { home } = await asking(forward)
    const card = theCard(home)
    home.clock.set(card.expiresAt)
    await settle(home)
    await home.tick(true)
    expect(theCard(home)).toMatchObject({ fingerprint: card.fingerprint })
    expect(theCard(home).id).not.toBe(card.id)
  })

  it('is external as soon as one of the places that led to it is', async () => {
    const from = (external: boolean) => ({ source: 'folder', key: `${external}.md`, external })
    for (const [places, external] of [
      [[from(false), from(true)], true],
      [[from(true)], true],
      [[from(false)], false],
      [[], false],
    ] as const) {
      const { home } = await asking(() => ({
        kind: 'proposal',
        proposal: { ...proposal('Forward it', [mail('team')]), provenance: [...places] },
      }))
      expect(theCard(home).external).toBe(external)
    }
  })

  it('that asks whether a task may write stands beside what the task proposes meanwhile', async () => {
    let to = 0
    const propose = (): Analysis => proposes('Tell them', [mail(`team${to++}`)])
    const { home } = await asking(propose, { tasks: ['Check mail and append new invoices to invoices.csv'] })
    const cards = () => home.cards().map(({ kind, calls }) => [kind, calls[0]?.arguments.to ?? null])
    expect(cards().toSorted()).toEqual([
      ['confirmWrite', null],
      ['proposal', 'team0'],
    ])
    const question = home.cards().find(({ kind }) => kind === 'confirmWrite')!
    await home.tick(true)
    expect(cards().toSorted()).toEqual([
      ['confirmWrite', null],
      ['proposal', 'team1'],
    ])
    await home.runtime.answers.dismiss(question.id, ada)
    expect(cards()).toEqual([['proposal', 'team1']])
  })
})
