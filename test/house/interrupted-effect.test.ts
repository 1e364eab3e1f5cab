import { describe, expect, it } from 'vitest'
import type { Tool } from '../../src/domain/tool.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { ada, afterKill, gate, proposes, settle, until } from './scene.ts'

/** A tool that keeps what was there before, and can tell by that what a killed process has done. */
function stamper(outcome: 'happened' | 'notHappened' | 'unknown' | undefined) {
  const held = gate<string>()
  const seen = { runs: 0, kept: undefined as unknown }
  const tool: Tool = {
    name: 'stamp',
    description: 'Stamps.',
    repeatable: false,
    parse: (args) => args,
    target: (args) => `page ${String(args.page)}`,
    run: (_args, run) => {
      seen.runs++
      run.keepBefore({ path: 'page', before: Buffer.from('blank'), beforeHash: 'b', afterHash: 'a' })
      return seen.runs === 1 ? held.passed : Promise.resolve('stamped')
    },
    ...(outcome && {
      check: async (_args, run) => {
        seen.kept = run.kept()
        return outcome
      },
    }),
  }
  return { tool, seen, end: () => held.open('stamped at last') }
}

async function interrupted(outcome: Parameters<typeof stamper>[0]) {
  const { tool, seen, end } = stamper(outcome)
  const provider = scriptedProvider({
    decide: ({ title }) => ({ decision: title === 'Watch the desk' ? 'escalate' : 'skip' }),
    analyse: () => proposes('Stamp it', [{ tool: 'stamp', arguments: { page: 3 } }]),
  })
  const options = { provider, tools: [tool] }
  const home = await house({ tasks: ['Watch the desk'], ...options })
  await home.tick(true)
  const [card] = home.cards()
  await home.runtime.answers.approve(card!.id, card!.digest, ada)
  await until(() => seen.runs === 1)
  const next = await afterKill(home, options)
  await settle(next)
  end()
  return { next, seen, row: () => next.runtime.stores.evaluations.get(card!.id), card: card! }
}

describe('an effect that was interrupted by a kill', () => {
  it('is done where its tool finds that it happened, by what it had kept', async () => {
    const { row, seen } = await interrupted('happened')
    expect(row()).toMatchObject({ state: 'acted', text: 'page 3: done' })
    expect(seen).toMatchObject({ runs: 1, kept: { path: 'page', beforeHash: 'b', afterHash: 'a' } })
  })

  it('is done now where its tool finds that it did not happen', async () => {
    const { row, seen } = await interrupted('notHappened')
    expect(row()).toMatchObject({ state: 'acted', text: 'stamped' })
    expect(seen.runs).toBe(2)
  })

  it.each(['unknown', undefined] as const)('is asked about where nobody can tell: %s', async (outcome) => {
    const { row, seen, next, card } = await interrupted(outcome)
    expect(row()).toMatchObject({ state: 'awaitingApproval' })
    expect(next.cards()).toMatchObject([{ id: card.id, kind: 'unknown' }])
    await next.runtime.answers.resolve(card.id, true, ada)
    await settle(next)
    expect(row()?.state).toBe('acted')
    expect(seen.runs).toBe(1)
  })
})
