import { z } from 'zod'
import { Provenance } from '../../domain/escalation.ts'
import { EvaluationState } from '../../domain/evaluation.ts'
import { Route } from '../../domain/usage.ts'
import { method } from '../method.ts'
import { Time, ToolCallRow } from '../rows.ts'
import { snake } from '../snake.ts'
import { given } from './common.ts'
import { Cost } from './usage.ts'

const undo = method({
  name: 'subconscious.undo',
  summary:
    'Puts back what an evaluation changed in files. With force also what was changed since; a copy of that is kept.',
  params: z.strictObject({ evaluation: given, force: z.boolean().default(false) }),
  result: z.array(
    z.strictObject({
      path: z.string(),
      outcome: z.enum(['restored', 'removed', 'unchanged']),
      copy: z.string().nullable(),
    }),
  ),
  run: ({ evaluation, force }, services) => services.evaluations.undo(evaluation, { force }),
})

const ReplayedStep = z.strictObject({
  version: z.int(),
  at: Time,
  event: z.string(),
  recorded: z.string(),
  replayed: z.string(),
})

const decided = {
  decision: z.enum(['skip', 'act', 'escalate']).nullable(),
  reason: z.string().nullable(),
  text: z.string().nullable(),
  sources: z.array(Provenance),
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
}

const Rejudged = z
  .strictObject({
    evaluation: z.string(),
    task: z.string(),
    title: z.string(),
    recorded: z.strictObject({
      ...decided,
      provider: z.string().nullable().meta({ description: 'Null where that is no longer kept.' }),
      model: z.string().nullable(),
      state: EvaluationState,
      card: z.string().nullable().meta({ description: 'Title of the card that came of it.' }),
    }),
    rejudged: z.strictObject({
      ...decided,
      provider: z.string(),
      model: z.string(),
      route: Route,
      analysis: z
        .strictObject({
          kind: z.enum(['result', 'proposal']),
          text: z.string(),
          title: z.string().nullable(),
          calls: z.array(ToolCallRow),
        })
        .nullable(),
    }),
    changes: z.strictObject({
      shown: z.int(),
      missing: z.int().meta({ description: 'Changes it was judged on that are no longer kept.' }),
      left: z.int().meta({ description: 'Changes for which the other model had no room.' }),
    }),
    used: z.strictObject({
      calls: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      cost: Cost,
      duration_ms: z.number(),
    }),
  })
  .meta({ id: 'Rejudged', description: 'What was decided about a task, and what another model decides.' })

const replay = method({
  name: 'subconscious.replay',
  summary:
    'Runs an evaluation again from its journal, without any effect, step by step; with a model, has that judge it again on the same changes.',
  params: z
    .strictObject({ evaluation: given, model: given.optional(), analyse: z.boolean().default(false) })
    .refine(({ model, analyse }) => model !== undefined || !analyse, 'give the model that is to look deeper'),
  result: z.union([z.array(ReplayedStep), Rejudged]),
  run: async ({ evaluation, model, analyse }, services) =>
    model === undefined
      ? services.evaluations.replay(evaluation)
      : snake(await services.evaluations.rejudge(evaluation, { model, analyse })),
})

export const history = [undo, replay]
