import type { ChatMessage } from '../../domain/chat.ts'
import type { Cycle, Session } from '../../domain/session.ts'
import { fenceAround, fenceRule } from '../../memory/fence.ts'
import { countTokens } from '../../memory/tokens.ts'
import { promptRoom } from './ask.ts'
import { diffsSeen, messagesSeen, sceneText, shown } from './conversation.ts'
import { coreInstructions, steeringIntroduction } from './instructions.ts'
import type { SessionParts, Talker } from './parts.ts'

/** Of the core's window, the part that its first prompt may fill; the rest is for its work. */
const beginningShare = 0.6

/** How the core's conversation begins. Advice stands last among its instructions, fenced, and ranks below all of them. */
export function corePrompt(
  { stores, clock, timezone }: Pick<SessionParts, 'stores' | 'clock' | 'timezone'>,
  core: Talker,
  session: Session,
  cycle: Cycle,
): ChatMessage[] {
  const system = [coreInstructions[session.kind === 'master' ? 'master' : 'peer'], ...advice(cycle)].join('\n\n')
  const scene = {
    session,
    messages: stores.sessions.messages(session.id, { before: cycle.through + 1, limit: messagesSeen }),
    from: cycle.from,
    summaries: stores.cycles.summaries(session.id, session.evicted),
    diffs: stores.cycles.diffs(session.id, session.remembered).slice(-diffsSeen),
    brief: cycle.brief,
    now: clock.now(),
    timezone: timezone(),
  }
  const room = (promptRoom(core) - countTokens(system)) * beginningShare
  return [
    { role: 'system', text: system },
    { role: 'user', text: sceneText(scene, Math.max(0, room)) },
  ]
}

function advice({ steering }: Cycle): string[] {
  if (steering === null) return []
  const text = shown(steering.text)
  const fence = fenceAround([text])
  return [`${steeringIntroduction} ${fenceRule(fence)}\n${fence.open}\n${text}\n${fence.close}`]
}
