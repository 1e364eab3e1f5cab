import type { Provider, RawAnswer } from '../domain/model.ts'
import type { SituationReport } from '../domain/report.ts'
import {
  type DecisionReading,
  mergeRepair,
  openProblems,
  readDecisions,
  readingDecisions,
} from '../models/decisions.ts'
import { inTurns } from './slices.ts'

/** What a provider answered about a report, as it came and as it is read. */
interface Verdicts {
  /** The first answer and, where something was wrong with it, the repair. */
  answers: RawAnswer[]
  reading: DecisionReading
}

/** Asks about all tasks of a report: one call, and one repair of what was wrong or missing. Throws what the provider throws. */
export async function askForVerdicts(
  provider: Pick<Provider, 'judge'>,
  report: SituationReport,
  signal: AbortSignal,
): Promise<Verdicts> {
  const first = await provider.judge({ report }, signal)
  const reading = await readVerdictsInTurns(first, report)
  const problems = openProblems(reading)
  if (problems.length === 0) return { answers: [first], reading }
  const repair = await provider.judge({ report, repair: { answer: first.text, problems } }, signal)
  return { answers: [first, repair], reading: mergeRepair(reading, await readVerdictsInTurns(repair, report)) }
}

type Answer = Pick<RawAnswer, 'text' | 'cutOff'>
type Asked = Pick<SituationReport, 'tasks' | 'changes'>

const asRead = ({ text, cutOff }: Answer, { tasks, changes }: Asked) =>
  [text, tasks.map((task) => task.id), { cutOff, changes }] as const

/** Reads an answer about a report: its sources count only where the report has them. */
export const readVerdicts = (answer: Answer, asked: Asked): DecisionReading => readDecisions(...asRead(answer, asked))

/** The same, letting everything else have its turn in between. */
export const readVerdictsInTurns = (answer: Answer, asked: Asked): Promise<DecisionReading> =>
  inTurns(readingDecisions(...asRead(answer, asked)))
