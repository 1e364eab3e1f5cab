import type { ReportTask } from '../domain/report.ts'
import { oneLine, weighLine } from './cut.ts'
import { withoutFences } from './fence.ts'
import { type ListSection, listNeed, listSection } from './list-section.ts'
import { maskSecrets } from './secrets.ts'

type NamedTask = Pick<ReportTask, 'id' | 'title' | 'intent'>

const taskLine = ({ id, title, intent }: NamedTask): string =>
  `- ${id} (${intent}) ${withoutFences(maskSecrets(oneLine(title, 1000)))}`

const list = (lines: string[]): ListSection =>
  listSection({ heading: '## Tasks to judge', fenced: false, lines, noun: 'tasks' })

export const taskSection = (tasks: readonly NamedTask[]): ListSection => list(tasks.map(taskLine))

/** What the section of tasks weighs before the first task. */
export const taskFrameWeight: number = listNeed(list([''])) - weighLine('')

/** What a task adds to its section, whatever its intent. */
export const weighTask = (task: Pick<NamedTask, 'id' | 'title'>): number =>
  weighLine(taskLine({ ...task, intent: 'write' }))
