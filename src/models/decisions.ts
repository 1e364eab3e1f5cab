import type { Change } from '../domain/change.ts'
import { Decision } from '../domain/decision.ts'
import type { Failure } from '../domain/errors.ts'
import type { JSONType } from '../domain/json.ts'
import { atOnce, type Steps } from '../domain/steps.ts'
import { findingValues, valuesIn } from './answer-values.ts'
import type { JSONObject, JSONRead } from './json-value.ts'
import { type SourceReader, sourceReader } from './provenance.ts'

/** Something wrong with an answer; `task` is the id that it named, '' when it named none. */
export interface DecisionProblem {
  task: string
  problem: string
}

/** What an answer says about the tasks it was asked about. */
export interface DecisionReading {
  /** The ids that were asked about, in that order. */
  tasks: readonly string[]
  decisions: Map<string, Decision>
  /** Every task without a decision has one; further ones are about items that were left aside. */
  problems: DecisionProblem[]
  /** True when the answer held no complete item on any of the tasks. */
  unreadable: boolean
}

/**
 * Reads a model's answer. Each item stands for itself: a bad, unknown, repeated or missing one costs only itself, and
 * the first valid one for a task counts. Never throws. `cutOff` says that the model stopped before its end; `changes`
 * are those it was shown, which its sources are held against.
 */
export const readDecisions = (
  answer: string,
  tasks: readonly string[],
  options: { cutOff?: boolean; changes?: readonly Change[] } = {},
): DecisionReading => atOnce(readingDecisions(answer, tasks, options))

/** The same in steps. */
export function* readingDecisions(
  answer: string,
  tasks: readonly string[],
  options: { cutOff?: boolean; changes?: readonly Change[] } = {},
): Steps<DecisionReading> {
  const sourcesOf = sourceReader(options.changes)
  const asked = new Set(tasks)
  const decisions = new Map<string, Decision>()
  const bad = new Map<string, string>()
  const aside = new Map<string, string>()
  let named = false
  const values = yield* findingValues(answer, (read) => itemsOf(read).length > 0)
  for (const [at, { item, whole }] of values.reads.flatMap(itemsOf).entries()) {
    if (at % itemsPerStep === 0) yield
    const task = taskOf(item) ?? ''
    if (!asked.has(task)) {
      if (aside.size < mostAside) aside.set(shorten(task), task === '' ? 'names no task' : 'was not asked about')
      continue
    }
    named ||= whole
    if (decisions.has(task)) {
      aside.set(task, 'was answered twice; the first answer counts')
      continue
    }
    const verdict = whole ? decisionOf(item, sourcesOf) : 'the answer on it is not complete'
    if (typeof verdict === 'string') bad.set(task, bad.get(task) ?? verdict)
    else decisions.set(task, verdict)
  }
  const missing =
    options.cutOff || values.cutOff ? 'the answer was cut off before it' : 'the answer does not contain it'
  const open = [...asked].filter((task) => !decisions.has(task))
  return {
    tasks: [...asked],
    decisions,
    problems: [
      ...open.map((task) => ({ task, problem: bad.get(task) ?? missing })),
      ...[...aside].map(([task, problem]) => ({ task, problem })),
    ],
    unreadable: asked.size > 0 && !named,
  }
}

const itemsPerStep = 50

/** How many items that belong to no task are told of. */
const mostAside = 20

interface Item {
  item: JSONObject
  /** False when the text ended, or stopped being JSON, inside the item. */
  whole: boolean
}

/** The items of a list, of `{ "evaluations": … }`, or the object as the only one. */
const itemsOf = ({ value, open }: JSONRead): Item[] => {
  const list = Array.isArray(value) ? value : 'evaluations' in value ? value.evaluations : undefined
  if (list === undefined) return isItem(value) ? [{ item: value, whole: !open.includes(value) }] : []
  const entries = Array.isArray(list) ? list : [list]
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return valuesIn(entry, () => true).reads.flatMap(itemsOf)
    return isItem(entry) ? [{ item: entry, whole: !open.includes(entry) }] : []
  })
}

const isItem = (value: JSONType | undefined): value is JSONObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ('decision' in value || taskOf(value) !== undefined)

const taskOf = (item: JSONObject): string | undefined => {
  for (const key of ['task_id', 'taskId', 'id']) {
    const named = item[key]
    if (typeof named === 'string') return named.trim()
    if (typeof named === 'number') return String(named)
  }
  return undefined
}

const wordsForSkip = new Set(['noop', 'none', 'ignore'])

const mayBeBlank = new Set(['text', 'needs'])

const isAbsent = ([field, value]: [string, JSONType]): boolean =>
  value === null || (mayBeBlank.has(field) && typeof value === 'string' && value.trim() === '')

/** The decision, or what is wrong with the item. Fields that are null count as absent, and so do texts of white space. */
const decisionOf = (item: JSONObject, sourcesOf: SourceReader): Decision | string => {
  const fields = Object.fromEntries(Object.entries(item).filter((field) => !isAbsent(field)))
  const said = fields.decision
  if (typeof said === 'string') {
    const word = said.trim().toLowerCase()
    fields.decision = wordsForSkip.has(word) ? 'skip' : word
  }
  // What tools are still to do has not been done, whatever the text says of it.
  if (fields.needs === 'tools') delete fields.text
  const result = Decision.safeParse({ ...fields, sources: sourcesOf(fields.sources) })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.join('.') ?? ''
  if (field !== 'decision') return `"${field}" is wrong: ${issue?.message ?? 'not as asked for'}`
  return said === undefined
    ? 'the answer on it has no decision'
    : `the decision ${shorten(JSON.stringify(said))} is none of skip, act, escalate`
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79)}…`)

/** For the repair call: a line on each task that has no decision yet. */
export const openProblems = ({ decisions, problems, tasks }: DecisionReading): string[] => {
  const asked = new Set(tasks)
  return problems
    .filter(({ task }) => asked.has(task) && !decisions.has(task))
    .map(({ task, problem }) => `${task}: ${problem}`)
}

/** Adds what a second answer, to the tasks still open, decided; what the first one decided stays. */
export const mergeRepair = (first: DecisionReading, repair: DecisionReading): DecisionReading => {
  const asked = new Set(first.tasks)
  const decisions = new Map(first.decisions)
  for (const [task, decision] of repair.decisions)
    if (asked.has(task) && !decisions.has(task)) decisions.set(task, decision)
  const latest = new Map<string, string>()
  for (const { task, problem } of [...repair.problems, ...first.problems])
    if (asked.has(task) && !decisions.has(task) && !latest.has(task)) latest.set(task, problem)
  return {
    tasks: first.tasks,
    decisions,
    problems: [...latest].map(([task, problem]) => ({ task, problem })),
    unreadable: first.unreadable && repair.unreadable,
  }
}

/** The failure of each task that is still without a decision when the repair call has been made. */
export const noVerdicts = ({ tasks, decisions, problems }: DecisionReading): Map<string, Failure> => {
  const first = new Map(problems.toReversed().map(({ task, problem }) => [task, problem]))
  return new Map(tasks.filter((task) => !decisions.has(task)).map((task) => [task, noVerdict(first.get(task))]))
}

const noVerdict = (problem = 'the answer does not contain it'): Failure => ({
  code: 'model/no-verdict',
  message: `The model gave no usable decision, nor when asked again: ${problem}. If this goes on, choose another model.`,
})

/** One word for each task, for showing. */
export const describeDecisions = ({
  tasks,
  decisions,
}: DecisionReading): Record<string, Decision['decision'] | 'failed'> =>
  Object.fromEntries(tasks.map((task) => [task, decisions.get(task)?.decision ?? 'failed']))
