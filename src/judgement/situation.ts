import type { Change } from '../domain/change.ts'
import { day, minute } from '../domain/clock.ts'
import { id, type SourceId, type TaskId } from '../domain/ids.ts'
import type { ReportMaterial, ReportTask } from '../domain/report.ts'
import type { CaseChange, JudgementCase } from './case.ts'

/** Cases that are judged in one call, and what a report on them is made from. */
export interface Situation {
  asked: { task: ReportTask; case: JudgementCase }[]
  /** What AGENDA.md holds, the same for all of them. */
  agenda: string | null
  material: ReportMaterial
}

/**
 * Shares cases out into situations of at most `size`, in their order. Together are those that could be one user's moment:
 * the same language, time, zone, goals and agenda, and no item of one that is another's too.
 */
export function situationsOf(cases: readonly JudgementCase[], size: number): Situation[] {
  const groups: JudgementCase[][] = []
  const open = new Map<string, JudgementCase[][]>()
  for (const one of cases) {
    const moment = JSON.stringify([one.lang, Date.parse(one.now), one.zone, one.goals, one.agenda])
    const known = open.get(moment) ?? []
    open.set(moment, known)
    const group = known.find((group) => group.length < size && !group.some((other) => collide(one, other)))
    if (group) group.push(one)
    else {
      const fresh = [one]
      known.push(fresh)
      groups.push(fresh)
    }
  }
  return groups.map(situationOf)
}

const collide = (one: JudgementCase, other: JudgementCase): boolean =>
  one.task.title === other.task.title || one.changes.some(({ key }) => other.changes.some((its) => its.key === key))

function situationOf(group: readonly JudgementCase[]): Situation {
  const { now: written, zone, goals, agenda } = group[0]!
  const now = Date.parse(written)
  // The ids say nothing of the cases: their names would give the answers away.
  const asked = group.map((one, index) => ({
    task: { id: id<TaskId>(`task_${index + 1}`), ...one.task, inputs: [] },
    case: one,
  }))
  const changes = group.flatMap((one) => one.changes)
  return {
    asked,
    agenda,
    material: {
      now,
      timezone: zone,
      tasks: asked.map(({ task }) => task),
      goals: goals.map((text, index) => ({ id: id(`goal_${index + 1}`), text, createdAt: now - 30 * day })),
      changes: changes.map((change, index) => changeOf(change, index + 1, now - (changes.length - index) * minute)),
      surfaced: asked.flatMap(({ task, case: { surfaced } }) =>
        surfaced.map((text, index) => ({
          evaluation: id(`ev_${task.id}_${index + 1}`),
          task: task.id,
          state: 'acted' as const,
          text,
          at: now - (surfaced.length - index) * day,
        })),
      ),
      health: [],
    },
  }
}

function changeOf(given: CaseChange, seq: number, at: number): Change {
  const { source, key, kind, author, time, removed, external } = given
  const title = given.title ?? key.split('/').at(-1) ?? key
  const isMail = key.endsWith('.eml')
  return {
    seq,
    source: id<SourceId>(source),
    key,
    kind,
    itemKind: isMail ? 'mail' : key.endsWith('.md') ? 'markdown' : 'file',
    title,
    author,
    time: time !== undefined ? Date.parse(time) : isMail ? at : null,
    link: key,
    external,
    at,
    added: isMail && kind === 'added' ? [`Subject: ${title}`, ...given.added] : given.added,
    removed,
    omitted: 0,
  }
}
