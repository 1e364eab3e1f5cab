import type { CoreStep, Cycle, Session } from '../../domain/session.ts'
import { oneLine } from '../../memory/cut.ts'
import { maskSecrets } from '../../memory/secrets.ts'
import { thoughts, threadsOf } from './core-plan.ts'

/** What a cycle changed, from its rows alone: the same rows always give the same entry. */
export function diffOf(session: Session, cycle: Cycle, steps: readonly CoreStep[], asked: number) {
  const { agent, session: name } = session
  const used = new Map<string, number>()
  for (const { message } of steps)
    if (message.role === 'tool') used.set(message.tool, (used.get(message.tool) ?? 0) + 1)
  const delta = {
    messages: asked,
    steps: thoughts(steps),
    workers: threadsOf(steps).filter((thread) => thread !== 0).length,
    tools: Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  return {
    signature: oneLine(`${agent}/${name} #${cycle.from + 1}-${cycle.through}`, 300),
    change: `${line('asked', cycle.brief ?? cycle.ask)} → ${line('answered', cycle.answer ?? '')}`,
    delta: JSON.stringify(delta),
  }
}

const line = (what: string, text: string): string => oneLine(`${what}: ${maskSecrets(text)}`, 300)
