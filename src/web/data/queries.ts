import { useQuery } from '@tanstack/react-query'
import type { UsageBy } from '../rpc/methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { startOfDay } from '../texts/times.ts'

const reading = { repeatable: true }
/** As many as a method gives at a time. */
export const mostRows = 500

/** What each question is kept under; news names them by their first word. */
export const keys = {
  status: ['status'],
  cards: ['cards'],
  tasks: ['tasks'],
  goals: ['goals'],
  today: (since: number) => ['today', since],
  why: (evaluation: string) => ['why', evaluation],
  usage: (days: number, by: UsageBy) => ['usage', days, by],
  doctor: ['doctor'],
} as const

export function useStatus() {
  const call = useCall()
  return useQuery({ queryKey: keys.status, queryFn: () => call('subconscious.status', {}, reading) })
}

export function useCards() {
  const call = useCall()
  return useQuery({
    queryKey: keys.cards,
    queryFn: () => call('subconscious.escalations_list', { state: 'open', limit: mostRows }, reading),
  })
}

export function useTasks() {
  const call = useCall()
  return useQuery({ queryKey: keys.tasks, queryFn: () => call('subconscious.tasks_list', {}, reading) })
}

export function useGoals() {
  const call = useCall()
  return useQuery({ queryKey: keys.goals, queryFn: () => call('subconscious.goals_list', {}, reading) })
}

/** What was evaluated since the day began, newest first. */
export function useToday(now: number) {
  const call = useCall()
  const since = startOfDay(now)
  return useQuery({
    queryKey: keys.today(since),
    queryFn: () => call('subconscious.log_list', { since, limit: mostRows }, reading),
  })
}

export function useWhy(evaluation: string) {
  const call = useCall()
  return useQuery({
    queryKey: keys.why(evaluation),
    queryFn: () => call('subconscious.why', { evaluation }, reading),
  })
}

export function useUsage(days: number, by: UsageBy) {
  const call = useCall()
  return useQuery({
    queryKey: keys.usage(days, by),
    queryFn: () => call('usage.summary', { days, by }, reading),
    placeholderData: (before) => before,
  })
}

/** Asked when the user wants to know: it asks every model a question. */
export function useDoctor(wanted: boolean) {
  const call = useCall()
  return useQuery({
    queryKey: keys.doctor,
    queryFn: () => call('subconscious.doctor', {}, reading),
    enabled: wanted,
  })
}
