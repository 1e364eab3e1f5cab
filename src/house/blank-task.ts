import { id, type WorldId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'

export const memoryWorld = id<WorldId>('memory')

/** A task with nothing decided but its words. */
export const blankTask = (title: string, now: number): Omit<Task, 'id' | 'origin' | 'source'> => ({
  world: memoryWorld,
  title,
  judge: 'model',
  intent: 'read',
  intentBy: 'rule',
  asksToWrite: false,
  effects: [],
  schedule: { kind: 'every-tick' },
  inputs: [],
  onlyIfChanged: false,
  catchUp: 'once',
  maxLatenessMs: null,
  enabled: true,
  paused: null,
  completed: false,
  retired: false,
  createdAt: now,
  lastRunAt: null,
  nextRunAt: null,
  retryAt: null,
  attempts: 0,
  retryOf: null,
  judgedThrough: 0,
})
