import type { CliParts } from '../cli/parts.ts'
import { Fault } from '../domain/errors.ts'
import type { Provider } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { loadSettings } from '../settings/load.ts'
import { openWorkspace, type WorkspacePaths } from '../settings/workspace.ts'
import { ownCaseFiles, readCases } from './case-files.ts'
import { type CaseWorkspace, evaluate } from './judge-cases.ts'
import type { MindParts } from './minds.ts'
import { namedMind } from './named-mind.ts'
import { isTrusted } from './open.ts'
import { systemClock, systemRandom } from './system-clock.ts'

/** Who asks: what is set in the environment and in the user's own file counts everywhere. */
export interface EvalPlace {
  env: MindParts['env']
  userConfigDir: string
}

/** Who is judged under a name, see `namedMind`. Labelled cases are no work of a workspace: nothing of them is booked there. */
export async function providerFor(
  name: string | null,
  { agenda }: CaseWorkspace,
  parts: Pick<MindParts, 'settings' | 'env'>,
  signal: AbortSignal,
): Promise<Provider> {
  const { builtinProvider } = await import('../models/builtin/provider.ts')
  const builtin = builtinProvider({ agenda })
  const given = { ...parts, builtin, clock: systemClock, random: systemRandom, guard: <T>(chat: T) => chat }
  return (await namedMind(name, given, signal)).mind.provider
}

/** The settings that count in a folder, as far as the user trusts it. One that was not named need be no workspace. */
async function settingsOf(folder: string, isNamed: boolean, { env, userConfigDir }: EvalPlace): Promise<Settings> {
  const paths = await openWorkspace(folder).catch((error: unknown): WorkspacePaths | null => {
    if (isNamed || !(error instanceof Fault)) throw error
    return null
  })
  const trusted = paths !== null && isTrusted(paths, userConfigDir)
  return loadSettings({ workspace: paths?.root ?? null, userConfigDir, env, trusted }).settings
}

/** What the eval command works with; it needs no workspace. */
export const evalCommand =
  (place: EvalPlace): CliParts['eval'] =>
  async ({ model, files, kind, limit, batch, analyse, workspace, isNamed }, { signal, onProgress }) => {
    const known = await readCases(files.length > 0 ? files : ownCaseFiles())
    const cases = known.filter((one) => kind === null || one.kind === kind)
    if (cases.length === 0) {
      const kinds = [...new Set(known.map((one) => one.kind))].sort()
      const sentence = `There is no case of the kind ${kind}. There are ${kinds.join(', ')}.`
      throw Fault.use('eval/kind-unknown', sentence, { kind, kinds })
    }
    const settings = await settingsOf(workspace, isNamed, place)
    const { grades, ...result } = await evaluate({
      cases: spread(cases, Math.min(limit ?? cases.length, cases.length)),
      batch,
      analyse,
      budget: settings.heartbeat.context_budget_tokens,
      clock: systemClock,
      provider: (cases) => providerFor(model, cases, { settings, env: place.env }, signal),
      signal,
      onProgress,
    })
    const failures = grades.flatMap(({ case: one, outcome, mistakes }) =>
      mistakes.length === 0
        ? []
        : [
            {
              id: one.id,
              kind: one.kind,
              title: one.task.title,
              mistakes,
              decision: outcome.decision,
              keys: outcome.keys,
              said: outcome.text,
              expected: one.expect.decisions,
              must: one.expect.must,
              why: one.expect.why,
            },
          ],
    )
    return { ...result, batch, analysed: analyse, failures }
  }

/** So many of them in their order, as far from each other as they can be: the files go by language. */
const spread = <T>(items: readonly T[], many: number): T[] =>
  Array.from({ length: many }, (_, index) => items[Math.floor((index * items.length) / many)]!)
