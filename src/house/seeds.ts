import { id, type TaskId } from '../domain/ids.ts'
import type { Task, TaskJudge } from '../domain/task.ts'
import { blankTask } from './blank-task.ts'
import type { Stores } from './stores.ts'

const seeds: readonly { id: string; title: string; judge: TaskJudge }[] = [
  { id: 'task_seed_skills', title: 'Check connected skills for errors or disconnections', judge: 'check-skills' },
  { id: 'task_seed_memory', title: 'Review new memory for actionable items', judge: 'model' },
  { id: 'task_seed_health', title: 'Monitor system health (local model, memory, connections)', judge: 'check-health' },
]

/** Makes sure of the three tasks that every workspace has; their fixed ids make doing so twice harmless. */
export function plantSeeds(stores: Stores, now: number): void {
  for (const seed of seeds) {
    const task: Task = {
      ...blankTask(seed.title, now),
      id: id<TaskId>(seed.id),
      judge: seed.judge,
      origin: 'seed',
      source: 'system',
    }
    if (!stores.tasks.get(task.id) && !stores.tasks.byTitle(task.world, task.title)) stores.tasks.insert(task)
  }
}
