import { expect } from 'vitest'
import type { Analysis } from '../../src/domain/decision.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { Card } from '../../src/domain/escalation.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { mail, mailer, proposes } from './scene.ts'

/** A house whose only task of a model's recommends what the test says, over and over. */
export async function asking(
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

export const forward = () => proposes('Forward it to the team', [mail('team@example.org')])

export const theCard = (home: Pick<House, 'cards'>): Card => {
  const [card, ...more] = home.cards()
  expect(more).toEqual([])
  return card!
}

export const stateOf = (home: Pick<House, 'runtime'>, { id }: Card) => home.runtime.stores.evaluations.get(id)

/** The code and the sentence with which something is refused. */
export async function refused(asked: Promise<unknown>): Promise<{ code: string; sentence: string }> {
  const error = await asked.then(
    () => expect.fail('was not refused'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Fault)) throw error
  return { code: error.code, sentence: error.message }
}
