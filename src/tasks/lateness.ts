import { minute } from '../domain/clock.ts'
import type { Schedule } from '../domain/schedule.ts'
import type { Task } from '../domain/task.ts'
import { nextRun } from './schedule.ts'

/** An occurrence whose time has come: `due` is when it did, or when the first of several missed ones did. */
export interface Occurrence {
  schedule: Schedule
  due: number
  now: number
  zone: string
}

/** What may pass before an occurrence counts as missed: the shortest beat, for a tick that was still running. */
const grace = 5 * minute

/**
 * How late the run that makes up for the missed occurrences is, in milliseconds: the age of the latest of them, since
 * that is the one it stands for. A weekly task found after three weeks is late by days, not by weeks.
 */
export const lateness = (occurrence: Occurrence): number => Math.max(0, occurrence.now - latestDue(occurrence))

/**
 * True when a due occurrence is to be let go rather than made up for. With `catchUp: 'once'` it is when it is later than
 * `maxLatenessMs`; null means one period, and then the latest occurrence is always recent enough. With `skip` it is
 * when it was missed at all: by more than five minutes, or less if `maxLatenessMs` says so.
 */
export const isTooLate = (occurrence: Occurrence & Pick<Task, 'catchUp' | 'maxLatenessMs'>): boolean => {
  const { schedule, catchUp, maxLatenessMs } = occurrence
  if (schedule.kind === 'every-tick') return false
  const most = maxLatenessMs ?? Number.POSITIVE_INFINITY
  return lateness(occurrence) > (catchUp === 'skip' ? Math.min(most, grace) : most)
}

const latestDue = ({ schedule, due, now, zone }: Occurrence): number => {
  if (now <= due) return due
  const next = (after: number) => nextRun(schedule, after, due, zone) ?? Number.POSITIVE_INFINITY
  if (schedule.kind === 'every') return next(now) - schedule.minutes * minute
  if (schedule.kind !== 'cron' || next(due) > now) return due
  let [before, past] = [due, now]
  while (past - before > minute) {
    const middle = Math.floor((before + past) / 2)
    if (next(middle) <= now) before = middle
    else past = middle
  }
  return next(before)
}
