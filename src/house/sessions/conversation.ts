import type { ChatMessage } from '../../domain/chat.ts'
import type { CycleSummary, Session, SessionMessage, WorldDiff } from '../../domain/session.ts'
import { cutText, oneLine } from '../../memory/cut.ts'
import { fenceAround, fenceRule, withoutFences } from '../../memory/fence.ts'
import { localMinute, localTime } from '../../memory/local-time.ts'
import { maskSecrets } from '../../memory/secrets.ts'
import { countTokens, grainsPerToken } from '../../memory/tokens.ts'
import { inbound } from './inbound.ts'

/** Messages that prompts look back on. */
export const messagesSeen = 40
/** Entries of the world diff that prompts look back on. */
export const diffsSeen = 20

export interface Scene {
  session: Session
  /** In their order, those that are to be answered last. */
  messages: readonly SessionMessage[]
  /** Messages after this one are to be answered. */
  from: number
  summaries: readonly CycleSummary[]
  diffs: readonly WorldDiff[]
  /** What is wanted, where that has been said already. */
  brief: string | null
  now: number
  timezone: string
}

/** A part of a prompt, and the share of its room that it may take at most. */
interface Part {
  heading: string
  /** The most important last: what does not fit is left out from the front, and not even looked at. */
  lines: (() => string)[]
  share: number
}

/** The user message of a prompt: everything that others wrote is fenced, masked, and cut to what there is room for. */
export function sceneText(scene: Scene, room: number): string {
  const { session, from, brief, now, timezone } = scene
  const isOurs = session.kind === 'master'
  const asked = scene.messages.filter(({ seq, role }) => seq > from && role === 'user')
  const wanted = asked.map(({ body }) => inbound(body).text).join('\n\n')
  const line = (message: SessionMessage) => () => lineOf(message, timezone)
  const before = scene.messages.filter((one) => !asked.includes(one))
  // Names too are what others chose.
  const names = `${oneLine(session.agent, 200)}, session ${oneLine(session.session, 200)}`
  const parts: Part[] = [
    { heading: 'The other agent', lines: isOurs ? [] : [() => names], share: 0.05 },
    {
      heading: 'What was done before',
      lines: scene.summaries.map(
        ({ summary }) =>
          () =>
            summary,
      ),
      share: 0.2,
    },
    {
      heading: 'What changed by it',
      lines: scene.diffs.map(
        ({ change }) =>
          () =>
            change,
      ),
      share: 0.05,
    },
    { heading: 'Conversation', lines: before.map(line), share: 0.2 },
    { heading: 'New messages', lines: isOurs ? [] : asked.map(line), share: 0.3 },
    { heading: 'Brief', lines: isOurs || brief === null ? [] : [() => brief], share: 0.1 },
  ]
  const filled = parts.flatMap((part) => partText(part, room)).join('\n\n')
  const fence = fenceAround([filled])
  const data = filled === '' ? '' : `${fenceRule(fence)}\n${fence.open}\n${filled}\n${fence.close}`
  const own = isOurs ? `The person writes:\n${cut(wanted, room * 0.4)}` : ''
  const where = `It is ${localTime(now, timezone)}.`
  return [where, data, own].filter((piece) => piece !== '').join('\n\n')
}

/** Text as a model may see it. */
export const shown = (text: string): string => withoutFences(maskSecrets(text))

const cut = (text: string, tokens: number): string => cutText(maskSecrets(text), Math.floor(tokens) * grainsPerToken)

function partText({ heading, lines, share }: Part, room: number): string[] {
  const kept: string[] = []
  let left = Math.floor(room * share)
  for (const given of [...lines].reverse()) {
    const line = shown(given())
    const tokens = countTokens(line) + 1
    if (tokens > left) {
      // Of the most important one the beginning is better than nothing.
      if (kept.length === 0) kept.push(cut(line, left))
      break
    }
    kept.push(line)
    left -= tokens
  }
  const missing = lines.length - kept.length
  const gap = missing > 0 ? [`(${missing} earlier left out)`] : []
  return kept.length === 0 ? [] : [[`## ${heading}`, ...gap, ...kept.reverse()].join('\n')]
}

function lineOf({ seq, role, body, at }: SessionMessage, timezone: string): string {
  const { text, label } = role === 'user' ? inbound(body) : { text: body, label: null }
  const who = role === 'user' ? 'they' : role === 'assistant' ? 'you' : 'remark'
  return `#${seq} ${who}${label === null ? '' : ` (${label})`}, ${localMinute(at, timezone) ?? 'some time'}: ${text}`
}

/** Makes a conversation fit: the oldest answers of tools go first, then the end of the heaviest message. */
export function fitted(
  messages: readonly ChatMessage[],
  room: number,
  tokens: (all: readonly ChatMessage[]) => number,
) {
  const fit = [...messages]
  for (let at = 0; at < fit.length && tokens(fit) > room; at++) {
    const message = fit[at]!
    if (message.role === 'tool') fit[at] = { ...message, text: '(left out: there was no more room)' }
  }
  // Rules are the last to go, and what has no words has none to lose.
  const weight = ({ role, text }: ChatMessage) => countTokens(text) * (role === 'system' ? 1e-6 : 1)
  for (let excess = tokens(fit) - room; excess > 0; excess = tokens(fit) - room) {
    const heaviest = fit.reduce((most, one, at) => (weight(one) > weight(fit[most]!) ? at : most), 0)
    const message = fit[heaviest]
    if (!message || message.text === '') break
    const allowed = countTokens(message.text) - excess
    fit[heaviest] = { ...message, text: allowed > 0 ? cutText(message.text, allowed * grainsPerToken) : '' }
  }
  return fit
}
