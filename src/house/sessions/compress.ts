import type { CoreStep } from '../../domain/session.ts'
import type { CountedCall } from '../../domain/usage.ts'
import { cutText } from '../../memory/cut.ts'
import { fenceAround, fenceRule } from '../../memory/fence.ts'
import { countTokens, grainsPerToken } from '../../memory/tokens.ts'
import { ask, promptRoom } from './ask.ts'
import { compressBudget } from './compress-budget.ts'
import { shown } from './conversation.ts'
import { conversationOf, threadsOf } from './core-plan.ts'
import { compressInstructions } from './instructions.ts'
import type { SessionParts, Talker } from './parts.ts'

export interface Compressed {
  summary: string
  traceTokens: number
  tokens: number
  calls: CountedCall[]
}

/** The core's work in words, thread by thread, as it is summed up. */
export function traceOf(ask: string, steps: readonly CoreStep[]): string {
  const lines = threadsOf(steps).flatMap((thread) => {
    const said = conversationOf(thread, steps).flatMap((message) => {
      switch (message.role) {
        case 'assistant': {
          const calls = message.calls.map(({ tool, arguments: args }) => `called ${tool} ${args}`)
          return [message.text.trim() === '' ? [] : `said: ${message.text}`, ...calls].flat()
        }
        case 'tool':
          return [`${message.tool} answered: ${message.text}`]
        default:
          return []
      }
    })
    return thread === 0 ? said : [`Worker ${thread}:`, ...said]
  })
  return [`Asked: ${ask}`, ...lines].join('\n')
}

/** Sums work up in a twentieth of its tokens; where no model does it well enough, the record itself is cut. */
export async function compress(
  parts: Pick<SessionParts, 'calls'>,
  talker: Talker | null,
  trace: string,
  signal: AbortSignal,
): Promise<Compressed> {
  const traceTokens = countTokens(trace)
  const budget = compressBudget(traceTokens)
  const calls: CountedCall[] = []
  const said = talker && budget > 0 ? await summaryBy(parts, talker, trace, budget, calls, signal) : undefined
  const words = said ?? shown(trace)
  const summary = countTokens(words) <= budget * (said === undefined ? 1 : tolerance) ? words : beginning(words, budget)
  return { summary, traceTokens, tokens: countTokens(summary), calls }
}

/** A summary may have so many times its budget before it is asked for again. */
const tolerance = 1.5

async function summaryBy(
  parts: Pick<SessionParts, 'calls'>,
  talker: Talker,
  trace: string,
  budget: number,
  calls: CountedCall[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const system = compressInstructions(budget)
  const maxTokens = Math.min(Math.floor(talker.chat.contextTokens / 4), Math.max(256, budget * 2))
  const room = promptRoom(talker) - countTokens(system) - 400
  const record = cutText(shown(trace), Math.max(0, room) * grainsPerToken)
  const fence = fenceAround([record])
  const question = `${fenceRule(fence)}\n${fence.open}\n${record}\n${fence.close}`
  let said: string | undefined
  try {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const again = attempt === 1 ? '' : `\n\nYour summary was too long. At most ${budget} tokens.`
      const messages = [
        { role: 'system' as const, text: system },
        { role: 'user' as const, text: question + again },
      ]
      const { reply, call } = await ask(parts, talker, { purpose: 'compress', messages, maxTokens }, signal)
      calls.push(call)
      const text = shown(reply.text).trim()
      if (text !== '') said = text
      if (text !== '' && countTokens(text) <= budget * tolerance) break
    }
  } catch {
    // The record is there and can be cut; only who calls the work off is heard.
    signal.throwIfAborted()
  }
  return said
}

/** As much of a text as a budget allows, up to the end of a sentence or a word. */
function beginning(text: string, budget: number): string {
  const cut = cutText(text, budget * grainsPerToken)
  if (cut !== '' || budget === 0) return cut
  const [word = ''] = text.trim().split(/\s/, 1)
  return countTokens(word) <= budget ? word : ''
}
