import type { Change } from '../../../src/domain/change.ts'
import { Decision } from '../../../src/domain/decision.ts'
import { id } from '../../../src/domain/ids.ts'
import type { ReportTask, SituationReport, Surfaced } from '../../../src/domain/report.ts'
import { builtinProvider } from '../../../src/models/builtin/provider.ts'

/** 1 April 2026, 18:00 in Berlin: a Wednesday. */
export const now = Date.UTC(2026, 3, 1, 16, 0)
export const still = new AbortController().signal

let seq = 0

export const change = (key: string, added: string[], rest: Partial<Change> = {}): Change => {
  seq += 1
  return {
    seq,
    source: id('folder'),
    key,
    kind: 'added',
    itemKind: key.endsWith('.md') ? 'markdown' : 'file',
    title: key.split('/').at(-1) ?? key,
    author: null,
    time: null,
    link: key,
    external: true,
    at: now,
    added,
    removed: [],
    omitted: 0,
    ...rest,
  }
}

/** A mail as a folder source gives it: the subject, then the body. */
export const mail = (key: string, subject: string, body: string[] = [], rest: Partial<Change> = {}): Change =>
  change(key, [subject, ...body], { itemKind: 'mail', title: subject, time: now - 3_600_000, ...rest })

export const edited = (key: string, added: string[], removed: string[] = []): Change =>
  change(key, added, { kind: 'modified', removed })

export const task = (title: string, rest: Partial<ReportTask> = {}): ReportTask => ({
  id: id(`task:${title}`),
  title,
  intent: 'read',
  inputs: [],
  ...rest,
})

export const report = (
  tasks: ReportTask[],
  changes: Change[],
  rest: Partial<SituationReport> = {},
): SituationReport => ({
  text: '',
  tokens: 0,
  now,
  timezone: 'Europe/Berlin',
  tasks,
  goals: [],
  changes,
  surfaced: [],
  through: changes.at(-1)?.seq ?? null,
  left: 0,
  hasExternalContent: true,
  ...rest,
})

export const told = (text: string, state: Surfaced['state'] = 'acted'): Surfaced => ({
  evaluation: id('ev'),
  task: id('other'),
  state,
  text,
  at: now,
})

export const withAgenda = (text: string | null) => builtinProvider({ agenda: async () => text })

/** Judges a report and reads the answer as the runtime does. */
export async function judge(situation: SituationReport, agenda: string | null = null): Promise<Map<string, Decision>> {
  const answer = await withAgenda(agenda).judge({ report: situation }, still)
  const { evaluations } = JSON.parse(answer.text) as { evaluations: { task_id: string }[] }
  return new Map(evaluations.map((item) => [item.task_id, Decision.parse(item)]))
}

export async function judgeOne(
  title: string,
  changes: Change[],
  rest: { agenda?: string | null; task?: Partial<ReportTask>; report?: Partial<SituationReport> } = {},
): Promise<Decision> {
  const one = task(title, rest.task)
  const decisions = await judge(report([one], changes, rest.report), rest.agenda ?? null)
  const decision = decisions.get(one.id)
  if (!decision) throw new Error(`no decision on "${title}"`)
  return decision
}

export const textOf = (decision: Decision): string => (decision.decision === 'act' ? (decision.text ?? '') : '')

/** The quotes of a text, as they stand between its quotation marks. */
export const quotesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^"(.*)"(?: …)? — .+$/.exec(line)?.[1] ?? [])
