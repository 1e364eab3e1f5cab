import type { EventObject } from 'xstate'
import type { RunStep } from '../domain/agent.ts'
import { type ActorId, id, type RunId } from '../domain/ids.ts'
import type { CountedCall } from '../domain/usage.ts'
import { agentRun, nextCalls } from '../machines/agent-run.ts'
import type { AgentRunContext, Thought } from '../machines/agent-run-words.ts'
import type { ToolCallInput } from '../machines/tool-call.ts'
import { stateName } from './inspection.ts'
import type { Rows } from './ports.ts'
import type { Seat, Turn } from './seat.ts'

/** What thinking, or summing up, comes to: the call as it is kept, the turns that it adds, and what the chart is told. */
export interface Thinking<Told = Thought> {
  kept: { call: CountedCall; steps: Omit<RunStep, 'at'>[] }
  told: Told
}

/** The actor of a run's call of a tool. */
export const toolCallId = (run: RunId, n: number): ActorId => id<ActorId>(`${run}#${n}`)

export const agentRunSeat = (rows: Rows): Seat<typeof agentRun> => ({
  kind: 'agentRun',
  version: 1,
  machine: (turn) =>
    agentRun.provide({
      delays: { wallClock: ({ context }) => context.limits.wallClockMs },
      actions: {
        callTools: ({ self }, { id: run, evaluation, open }) => {
          for (const { n, tool, effect } of nextCalls(open)) {
            const input: ToolCallInput = { run, evaluation, n, tool, effect }
            turn.spawn(self.id as ActorId, 'toolCall', toolCallId(run, n), input)
            if (effect) turn.tell(self.id as ActorId, evaluation as string as ActorId, { type: 'effectBegun' })
          }
        },
        cancelCalls: ({ self }, { id: run, open }) => {
          for (const { n, begun } of open) {
            if (begun) turn.tell(self.id as ActorId, toolCallId(run, n), { type: 'cancel' })
          }
        },
      },
    }),
  complete: (event, actor, turn) => {
    if (!isThinking(event)) return event
    const { kept, told } = event.output
    rows.ticks.recordCall(kept.call)
    for (const step of kept.steps) rows.agentRuns.addStep(actor as string as RunId, { ...step, at: turn.now })
    return { type: 'work.done', output: told } as EventObject
  },
  moved: ({ before, after }, turn) => {
    const { context } = after
    const state = stateName(after.value)
    const mirrored = mirrorOf(context)
    const endedAt = after.status === 'active' ? null : turn.now
    if (before === null) {
      const { evaluation, task, world, stage } = context
      rows.agentRuns.insert({ ...mirrored, evaluation, task, world, stage, state, createdAt: turn.now, endedAt })
    } else rows.agentRuns.move({ ...mirrored, state, endedAt })
    tell(context, state, turn)
  },
})

const isThinking = (event: EventObject): event is { type: 'work.done'; output: Thinking<unknown> } =>
  event.type === 'work.done' && typeof (event as { output?: { kept?: unknown } }).output?.kept === 'object'

/** What a run was unsure of is asked about as what it proposed. */
const mirrorOf = (context: AgentRunContext) => {
  const { id: run, steps, tokens, tainted, done, text, proposed, plan, unsure, failure } = context
  return {
    id: run,
    steps,
    tokens,
    tainted,
    done,
    text,
    proposed: unsure === null ? proposed : [unsure],
    plan,
    failure,
  }
}

const tell = ({ id: run, evaluation }: AgentRunContext, state: string, turn: Turn): void =>
  turn.news({ type: 'agentRun', id: run, evaluation, state })
