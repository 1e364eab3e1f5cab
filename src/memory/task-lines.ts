import type { ReportTask } from '../domain/report.ts'
import type { Steps } from '../domain/steps.ts'
import { oneLine, weighLine } from './cut.ts'
import { withoutFences } from './fence.ts'
import { type ListSection, listNeed, listSection, weighingLines } from './list-section.ts'
import { maskSecrets } from './secrets.ts'

type NamedTask = Pick<ReportTask, 'id' | 'title' | 'intent'>

const taskLine = ({ id, title, intent }: NamedTask): string =>
  `- ${id} (${intent}) ${withoutFences(maskSecrets(oneLine(title, 1000)))}`

const section = { heading: '## Tasks to judge', fenced: false, noun: 'tasks' }

const tasksPerStep = 20

export function* taskSection(tasks: readonly NamedTask[]): Steps<ListSection> {
  const lines: string[] = []
  for (const [at, task] of tasks.entries()) {
    if (at % tasksPerStep === 0) yield
    lines.push(taskLine(task))
  }
  return { ...section, lines, weights: yield* weighingLines(lines), total: lines.length }
}

/** What the section of tasks weighs before the first task. */
export const taskFrameWeight: number = listNeed(listSection({ ...section, lines: [''] })) - weighLine('')

/** What a task adds to its section, whatever its intent. */
export const weighTask = (task: Pick<NamedTask, 'id' | 'title'>): number =>
  weighLine(taskLine({ ...task, intent: 'write' }))
