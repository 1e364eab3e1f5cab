import { z } from 'zod'
import { method } from '../method.ts'
import { CardRow, CardState, cardRow, LogRow, logRow, ToolCallRow } from '../rows.ts'
import { answerer, answering, given, limit } from './common.ts'

const Answered = z.strictObject({ evaluation: z.string() })

const list = method({
  name: 'subconscious.escalations_list',
  summary: 'Cards that wait for an answer, or all there were; newest first.',
  params: z.strictObject({ state: z.enum(['open', 'all']).default('open'), limit: limit(100) }),
  result: z.array(CardRow),
  run: ({ state, limit: most }, services) => services.cards.list({ open: state === 'open', limit: most }).map(cardRow),
})

const get = method({
  name: 'subconscious.escalations_get',
  summary: 'One card.',
  params: z.strictObject({ id: given }),
  result: CardRow,
  run: ({ id }, services) => cardRow(services.cards.get(id)),
})

const approve = method({
  name: 'subconscious.escalations_approve',
  summary:
    'Carries out what the card shows. digest is that of the card as shown; calls, if given, take the place of its calls. Answers when the approval is durable, or with wait when it has been carried out.',
  params: z.strictObject({
    id: given,
    digest: z.string(),
    calls: z.array(ToolCallRow).min(1).max(100).optional(),
    wait: z.boolean().default(false),
    ...answering,
  }),
  result: z.strictObject({ evaluation: z.string(), state: CardState, outcome: LogRow.optional() }),
  async run({ id, digest, calls, wait, ...who }, services) {
    const card = await services.cards.approve(id, digest, answerer(who), calls)
    const accepted = { evaluation: card.id, state: card.state }
    return wait ? { ...accepted, outcome: logRow(await services.evaluations.outcome(card.id)) } : accepted
  },
})

const dismiss = method({
  name: 'subconscious.escalations_dismiss',
  summary: 'Skips what the card proposes.',
  params: z.strictObject({ id: given, ...answering }),
  result: z.strictObject({ evaluation: z.string(), state: CardState }),
  async run({ id, ...who }, services) {
    const card = await services.cards.dismiss(id, answerer(who))
    return { evaluation: card.id, state: card.state }
  },
})

const respond = method({
  name: 'subconscious.escalations_respond',
  summary: 'Sends a message back: the proposal is thought over again.',
  params: z.strictObject({ id: given, text: z.string().trim().min(1).max(10_000), ...answering }),
  result: Answered,
  run: async ({ id, text, ...who }, services) => ({
    evaluation: (await services.cards.respond(id, text, answerer(who))).id,
  }),
})

const resolve = method({
  name: 'subconscious.escalations_resolve',
  summary: 'Says whether an interrupted action happened.',
  params: z.strictObject({ id: given, happened: z.boolean(), ...answering }),
  result: Answered,
  run: async ({ id, happened, ...who }, services) => ({
    evaluation: (await services.cards.resolve(id, happened, answerer(who))).id,
  }),
})

const retry = method({
  name: 'subconscious.escalations_retry',
  summary: 'Asks again about an approved action that failed: makes a new card.',
  params: z.strictObject({ id: given }),
  result: Answered,
  run: async ({ id }, services) => ({ evaluation: await services.cards.retry(id) }),
})

export const escalations = [list, get, approve, dismiss, respond, resolve, retry]
