import { useQuery } from '@tanstack/react-query'
import type { Row, RowState, UsageBy } from '../rpc/methods.ts'
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

/** What is worth a line of its own on the start page. */
const noticed: readonly RowState[] = ['inProgress', 'acted', 'awaitingApproval', 'failed', 'dismissed']
const mostNoticed = 100

/**
 * What was evaluated since the day began, newest first. What was found is asked for apart from what was passed over: of
 * that there may be so much that nothing else would be among the newest rows.
 */
export function useToday(now: number) {
  const call = useCall()
  const since = startOfDay(now)
  const ask = (state: RowState, limit: number): Promise<Row[]> =>
    call('subconscious.log_list', { since, state, limit }, reading)
  return useQuery({
    queryKey: keys.today(since),
    async queryFn() {
      const rows = await Promise.all([ask('skipped', mostRows), ...noticed.map((state) => ask(state, mostNoticed))])
      return rows.flat().sort((a, b) => b.created_at - a.created_at)
    },
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
