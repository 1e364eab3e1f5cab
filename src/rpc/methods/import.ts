import { z } from 'zod'
import { importKinds } from '../imports.ts'
import { method } from '../method.ts'
import { snake } from '../snake.ts'

const Kind = z.enum(importKinds)

const openhuman = method({
  name: 'import.openhuman',
  summary:
    'Takes over the workspace of an OpenHuman, as far as it is not there already, and says what it could not take.',
  params: z.strictObject({
    dir: z
      .string()
      .min(1)
      .max(4096)
      .meta({ description: 'The whole path of its folder, on the machine that undermind runs on.' }),
    dry_run: z.boolean().default(false).meta({ description: 'Only says what would be done.' }),
  }),
  result: z.strictObject({
    folder: z.string(),
    dry_run: z.boolean(),
    kinds: z.array(
      z.strictObject({ kind: Kind, taken: z.int(), there: z.int(), refused: z.int() }).meta({ id: 'ImportedKind' }),
    ),
    findings: z.array(
      z
        .strictObject({
          kind: Kind,
          effect: z.enum(['refused', 'changed', 'note']),
          text: z.string(),
          count: z.int(),
          examples: z.array(z.string()),
        })
        .meta({ id: 'ImportFinding' }),
    ),
    unreadable: z
      .array(z.string())
      .meta({ description: 'Databases that are there and could not be read, a sentence each.' }),
  }),
  run: async ({ dir, dry_run: dryRun }, services) => snake(await services.imports.openhuman(dir, { dryRun })),
})

const progress = method({
  name: 'import.progress',
  summary: 'How far an import is. Answers when it is further than `seen` rows; null when none is under way.',
  params: z.strictObject({ seen: z.int().min(-1).default(-1) }),
  result: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
  run: async ({ seen }, services) => services.imports.progress(seen),
})

export const imports = [openhuman, progress]
