import { useTasks } from '../data/queries.ts'
import { Asked, Empty } from '../parts/asked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useTexts } from '../texts/language.tsx'
import { Goals } from './goals.tsx'
import { NewTask } from './new-task.tsx'
import { TaskEntry } from './task-entry.tsx'

/** Everything that is judged again and again, and what steers the judging. */
export function TasksPage() {
  const { t } = useTexts()
  return (
    <>
      <PageHead title={t('page.tasks')} lead={t('tasks.lead')} />
      <NewTask />
      <Asked query={useTasks()}>
        {(tasks) =>
          tasks.length === 0 ? (
            <Empty>{t('tasks.nothing')}</Empty>
          ) : (
            <ul className="sheet divide-y divide-line">
              {tasks.map((task) => (
                <li key={task.id} className="px-5 py-4">
                  <TaskEntry task={task} />
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
      <Goals />
    </>
  )
}
