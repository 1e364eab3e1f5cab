import type { EventObject } from 'xstate'
import type { Failure } from '../domain/errors.ts'
import type { ActorId, RunId } from '../domain/ids.ts'
import { type ToolOutput, toolCall } from '../machines/tool-call.ts'
import type { Rows } from './ports.ts'
import type { Seat, Turn } from './seat.ts'

/** What a tool came to: its whole answer, for the conversation, and what the chart is told. */
export interface ToolSaid {
  text: string
  told: ToolOutput
}

export const toolCallSeat = (rows: Rows): Seat<typeof toolCall> => ({
  kind: 'toolCall',
  version: 1,
  machine: (turn) =>
    toolCall.provide({
      actions: {
        tellRun: ({ self }, { run, n, effect, outcome, said }) => {
          const call = rows.agentRuns.step(run, n)?.call ?? said.call
          const { brief, tokens } = said
          turn.tell(self.id as ActorId, run as string as ActorId, {
            type: 'toolResult',
            n,
            outcome,
            effect,
            call,
            brief,
            tokens,
          })
        },
      },
    }),
  complete: (event, actor, turn) => {
    if (event.type === 'work.done') {
      const { text, told } = (event as { type: string; output: ToolSaid }).output
      answer(rows, actor, text, turn)
      return { type: 'work.done', output: told } as EventObject
    }
    if (event.type === 'work.failed') {
      const { message } = (event as { type: string; error: Failure }).error
      answer(rows, actor, `Failed: ${message}`, turn)
    }
    return event
  },
})

function answer(rows: Rows, actor: ActorId, text: string, turn: Turn): void {
  const at = actor.lastIndexOf('#')
  const run = actor.slice(0, at) as RunId
  const n = Number(actor.slice(at + 1))
  const step = rows.agentRuns.step(run, n)
  if (step?.message.role === 'tool') rows.agentRuns.answerStep(run, n, { ...step.message, text }, turn.now)
}
