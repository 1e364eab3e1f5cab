import type { z } from 'zod'
import type { Analysis, Decision, Execution } from '../domain/decision.ts'
import type { JudgeRequest, Provider, RawAnswer, StepRequest, Usage } from '../domain/model.ts'
import type { ReportTask } from '../domain/report.ts'

/** What a script answers; everything it leaves out has a plain answer of its own: skip, a short text, a result. */
export interface Script {
  id?: string
  model?: string
  contextTokens?: number
  /** The whole answer to a request, well-formed or not. */
  judge?: (request: JudgeRequest, signal: AbortSignal) => RawAnswer | Promise<RawAnswer>
  /** The decision on one task; a well-formed answer is made of them. Not asked when there is a `judge`. */
  decide?: (task: ReportTask, request: JudgeRequest) => z.input<typeof Decision>
  execute?: (step: StepRequest, signal: AbortSignal) => WithUsage<Execution> | Promise<WithUsage<Execution>>
  analyse?: (step: StepRequest, signal: AbortSignal) => WithUsage<Analysis> | Promise<WithUsage<Analysis>>
  /** False keeps no calls: a long run then holds on to none of its reports. */
  record?: boolean
}

interface ScriptedCalls {
  judge: JudgeRequest[]
  execute: StepRequest[]
  analyse: StepRequest[]
}

type WithUsage<T> = T & { usage?: Usage }

const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }

/** A provider that answers as it is told, for tests and measurements; `calls` are the requests in the order they came. */
export function scriptedProvider(script: Script = {}): Provider & { calls: ScriptedCalls } {
  const calls: ScriptedCalls = { judge: [], execute: [], analyse: [] }
  const keeps = script.record ?? true
  const decide = script.decide ?? (() => ({ decision: 'skip' as const }))

  return {
    id: script.id ?? 'scripted',
    model: script.model ?? 'scripted',
    contextTokens: script.contextTokens ?? 1_000_000,
    calls,

    async judge(request, signal) {
      signal.throwIfAborted()
      if (keeps) calls.judge.push(request)
      if (script.judge) return await script.judge(request, signal)
      const evaluations = request.report.tasks.map((task) => ({ task_id: task.id, ...decide(task, request) }))
      return { text: JSON.stringify({ evaluations }), usage: noUsage, cutOff: false }
    },

    async execute(step, signal) {
      signal.throwIfAborted()
      if (keeps) calls.execute.push(step)
      const execution = (await script.execute?.(step, signal)) ?? { text: `Done: ${step.task.title}`, sources: [] }
      return { usage: noUsage, ...execution }
    },

    async analyse(step, signal) {
      signal.throwIfAborted()
      if (keeps) calls.analyse.push(step)
      const analysis = await script.analyse?.(step, signal)
      return { usage: noUsage, ...(analysis ?? { kind: 'result', text: `Analysed: ${step.task.title}`, sources: [] }) }
    },
  }
}
