import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/actors/digest.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { ToolCall } from '../../src/domain/escalation.ts'
import type { EvaluationId } from '../../src/domain/ids.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { timedIds } from '../../src/house/ids.ts'
import { retryFailed } from '../../src/house/retry.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'

const call = (what: string): ToolCall => ({ tool: 'deploy', arguments: { what } })

/** A house where a task has proposed calls of a tool that fails for what is in `broken`. */
async function houseWith(calls: ToolCall[], broken: Set<string>) {
  const done: string[] = []
  const deploy: Tool = {
    name: 'deploy',
    description: 'Deploys.',
    repeatable: true,
    parse: (args) => args,
    target: (args) => String(args.what),
    async run({ what }) {
      if (broken.has(String(what))) throw new Fault('tool/aborted', `${what} is broken.`)
      done.push(String(what))
      return `${what} deployed`
    },
  }
  const proposal = { title: 'Deploy it', summary: 'Deploy', priority: 'normal' as const, calls, provenance: [] }
  const provider = scriptedProvider({
    decide: ({ title }) => (title === 'Watch the build' ? { decision: 'escalate' } : { decision: 'skip' }),
    analyse: () => ({ kind: 'proposal', proposal }),
  })
  const home = await house({ tasks: ['Watch the build'], files: { 'a.md': 'a' }, provider, tools: [deploy] })
  await home.tick()
  const ids = timedIds(home.clock)

  const card = (given: string) => {
    const found = home.runtime.stores.escalations.get(given as EvaluationId)
    if (!found) throw new Error(`no card ${given}`)
    return found
  }
  return {
    home,
    done,
    card,
    async approve(given: string) {
      const { id, digest } = card(given)
      await home.runtime.answers.approve(id, digest, { by: 'user' })
      return home.runtime.evaluationSettled(id)
    },
    retry: (given: string) => {
      const { host, stores } = home.runtime
      const journal = (evaluation: EvaluationId) => home.runtime.whyEvaluation(evaluation).journal
      return retryFailed({ host, stores, ids, journal }, given)
    },
    first: home.cards()[0]?.id ?? ('' as EvaluationId),
  }
}

describe('an approved action that failed', () => {
  it('is asked about again on a new card with the same proposal, and stays failed itself', async () => {
    const broken = new Set(['web'])
    const { first, approve, retry, card, home, done } = await houseWith([call('web')], broken)
    expect(await approve(first)).toMatchObject({ state: 'failed' })
    const again = await retry(first)

    const { title, summary, priority, calls, provenance } = card(again)
    expect(card(again)).toMatchObject({ state: 'open', kind: 'proposal', fingerprint: card(first).fingerprint })
    expect({ title, calls }).toEqual({ title: 'Deploy it', calls: [call('web')] })
    expect(card(again).digest).toBe(digestOf(again, { title, summary, priority, calls, provenance }))
    expect(home.runtime.stores.evaluations.get(again)).toMatchObject({
      state: 'awaitingApproval',
      retryOf: first,
      tick: null,
    })
    expect(home.runtime.stores.evaluations.get(first)).toMatchObject({ state: 'failed' })

    broken.clear()
    expect(await approve(again)).toMatchObject({ state: 'acted', text: 'web deployed' })
    expect(done).toEqual(['web'])
  })

  it('has one card for it, however often and from wherever it is asked for again', async () => {
    const { first, approve, retry, home } = await houseWith([call('web')], new Set(['web']))
    await approve(first)
    const all = await Promise.all([retry(first), retry(first), retry(first)])
    expect(new Set(all).size).toBe(1)
    expect(home.cards()).toHaveLength(1)
  })

  it('does not make again the calls that went through', async () => {
    const broken = new Set(['web'])
    const { first, approve, retry, card, done } = await houseWith([call('db'), call('web'), call('docs')], broken)
    expect(await approve(first)).toMatchObject({ state: 'failed' })
    expect(done).toEqual(['db'])
    const again = await retry(first)
    expect(card(again).calls).toEqual([call('web'), call('docs')])
    broken.clear()
    expect(await approve(again)).toMatchObject({ state: 'acted' })
    expect(done).toEqual(['db', 'web', 'docs'])
  })

  it('may be tried again after the new card was skipped', async () => {
    const { first, approve, retry, home } = await houseWith([call('web')], new Set(['web']))
    await approve(first)
    const again = await retry(first)
    await home.runtime.answers.dismiss(again, { by: 'user' })
    expect(await retry(first)).not.toBe(again)
  })

  it('is tried again through the later one, once that was carried out too', async () => {
    const broken = new Set(['web'])
    const { first, approve, retry } = await houseWith([call('web')], broken)
    await approve(first)
    const second = await retry(first)
    await approve(second)
    await expect(retry(first)).rejects.toMatchObject({
      code: 'approval/not-failed',
      message: expect.stringContaining(`as ${second}, which is failed`),
    })
    const third = await retry(second)
    broken.clear()
    await approve(third)
    await expect(retry(second)).rejects.toMatchObject({ message: expect.stringContaining('which is acted') })
  })

  it('is not tried again for a task that was deleted', async () => {
    const { first, approve, retry, home } = await houseWith([call('web')], new Set(['web']))
    await approve(first)
    await home.write('HEARTBEAT.md', '- Another\n')
    await home.tick()
    await expect(retry(first)).rejects.toMatchObject({ code: 'approval/not-failed' })
  })
})

describe('what did not fail', () => {
  it('cannot be tried again: a card that waits, was skipped, or went well', async () => {
    const { first, approve, retry, home } = await houseWith([call('web')], new Set())
    await expect(retry('ev_nobody')).rejects.toMatchObject({ code: 'approval/unknown', kind: 'use' })
    await expect(retry(first)).rejects.toMatchObject({ code: 'approval/not-failed', kind: 'use' })
    expect(await approve(first)).toMatchObject({ state: 'acted' })
    await expect(retry(first)).rejects.toMatchObject({
      code: 'approval/not-failed',
      message: expect.stringContaining('its action is acted'),
    })
    expect(home.cards()).toEqual([])
    const skipped = await houseWith([call('web')], new Set())
    await skipped.home.runtime.answers.dismiss(skipped.first, { by: 'user' })
    await expect(skipped.retry(skipped.first)).rejects.toMatchObject({
      message: expect.stringContaining('it was dismissed'),
    })
  })
})
