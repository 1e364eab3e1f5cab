// Placeholder until the real one lands: overwrite freely.
import { Decision } from '../domain/decision.ts'
export function readDecisions(answer: string, tasks: string[], _options: { cutOff?: boolean } = {}) {
  const decisions = new Map<string, Decision>()
  const problems: { task: string; problem: string }[] = []
  const parsed = JSON.parse(answer) as { evaluations: ({ task_id: string } & Record<string, unknown>)[] }
  for (const { task_id, ...item } of parsed.evaluations) {
    const read = Decision.safeParse(item)
    if (read.success && tasks.includes(task_id)) decisions.set(task_id, read.data)
  }
  return { decisions, problems, unreadable: false }
}
