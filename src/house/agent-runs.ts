import type { ActorHost } from '../actors/actor-host.ts'
import type { AgentRun, RunLimits, RunStage } from '../domain/agent.ts'
import type { ChatMessage, ChatModel } from '../domain/chat.ts'
import { minute } from '../domain/clock.ts'
import type { Analysis } from '../domain/decision.ts'
import { Fault, type FaultCode } from '../domain/errors.ts'
import type { Proposal, Provenance } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type ActorId, type EvaluationId, id, type RunId } from '../domain/ids.ts'
import type { Tool } from '../domain/tool.ts'
import type { AgentRunInput } from '../machines/agent-run-words.ts'
import { watches } from '../memory/inputs.ts'
import { briefly } from './agent-conversation.ts'
import type { Stores } from './stores.ts'

export interface AgentRunsParts {
  stores: Stores
  host: Pick<ActorHost, 'write' | 'subscribe'>
  tools: ReadonlyMap<string, Tool>
  /** Model calls that one run may make. */
  steps(): number
}

export interface RunOrder {
  evaluation: Evaluation
  visit: number
  stage: RunStage
  agent: ChatModel
  prompt: readonly ChatMessage[]
}

const tokensPerRun = 200_000
const timePerRun = 10 * minute
/** The part of a context that a conversation may fill before it is summed up. */
const fullAt = 0.6

/** An agent at work for an evaluation: started once however often it is asked for, and waited for. */
export class AgentRuns {
  readonly #parts: AgentRunsParts

  constructor(parts: AgentRunsParts) {
    this.#parts = parts
  }

  /** Resolves with what the run came to; throws what it failed of, and the signal's reason when nobody waits any more. */
  async run(order: RunOrder, signal: AbortSignal): Promise<Analysis> {
    const run = id<RunId>(`${order.evaluation.id}#${order.visit}`)
    if (!(await this.#start(run, order))) throw new Fault('agent/cancelled', 'The agent is no longer wanted.')
    return outcome(await this.#ended(run, signal), this.#parts)
  }

  /** False where the evaluation has ended meanwhile: what then began would be nobody's to call off. */
  async #start(run: RunId, { evaluation, stage, agent, prompt }: RunOrder): Promise<boolean> {
    const { stores, host } = this.#parts
    const limits: RunLimits = {
      steps: this.#parts.steps(),
      tokens: tokensPerRun,
      size: Math.floor(agent.contextTokens * fullAt),
      wallClockMs: timePerRun,
    }
    const { id: self, task, world, tainted } = evaluation
    const input: AgentRunInput = { id: run, evaluation: self, task, world, stage, limits, tainted }
    return host.write((turn) => {
      if (stores.agentRuns.get(run)) return true
      if (stores.evaluations.get(self)?.state !== 'inProgress') return false
      for (const [n, message] of prompt.entries()) {
        const step = { n, kind: 'prompt' as const, message, call: null, effect: false, open: false, at: turn.now }
        stores.agentRuns.addStep(run, step)
      }
      turn.spawn(self as string as ActorId, 'agentRun', run as string as ActorId, input)
      return true
    })
  }

  async #ended(run: RunId, signal: AbortSignal): Promise<AgentRun> {
    for (;;) {
      signal.throwIfAborted()
      const row = this.#parts.stores.agentRuns.get(run)
      if (row && row.endedAt !== null) return row
      await this.#news(run, signal)
    }
  }

  #news(run: RunId, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.#parts.host.subscribe((news) => {
        if (news.type === 'agentRun' && news.id === run) done()
      })
      signal.addEventListener('abort', done)
    })
  }
}

/** What a run that has ended means for its evaluation. */
function outcome(run: AgentRun, { stores, tools }: AgentRunsParts): Analysis {
  const { state, tainted, failure } = run
  const provenance = cameFrom(run, stores)
  switch (state) {
    case 'answered':
      return { kind: 'result', text: told(run, stores), sources: provenance, tainted }
    case 'proposing':
      return {
        kind: 'proposal',
        proposal: proposalOf(run, withOrigin(run, provenance, stores), tools),
        text: told(run, stores),
        tainted,
      }
    case 'unknown': {
      const proposal = proposalOf(run, withOrigin(run, provenance, stores), tools)
      return { kind: 'proposal', proposal, text: proposal.title, unsure: true, tainted }
    }
    case 'failed': {
      const done = run.done.length > 0 ? ` Done before: ${run.done.join(' ')}` : ''
      const code = (failure?.code ?? 'agent/failed') as FaultCode
      throw new Fault(code, `${failure?.message ?? 'The agent failed.'}${done}`)
    }
    default:
      throw new Fault('agent/cancelled', 'The agent was stopped before it had an answer.')
  }
}

/** Nobody is told that something was done unless a tool has said so. */
function told({ done, stage, text, task }: AgentRun, { tasks }: Stores): string {
  const words = text ?? ''
  if (done.length > 0) return [done.join('\n'), words].filter((part) => part !== '').join('\n\n')
  if (stage === 'analyse') return words
  const nothing = /\p{Script=Han}/u.test(tasks.get(task)?.title ?? '') ? '没有更改任何内容。' : 'Nothing was changed.'
  return words === '' ? nothing : `${nothing} ${words}`
}

const longestTitle = 120
const longestSummary = 300

function proposalOf(run: AgentRun, provenance: Provenance[], tools: ReadonlyMap<string, Tool>): Proposal {
  const calls = run.proposed
  const named = calls.map(({ tool, arguments: args }) => `${tool} ${tools.get(tool)?.target(args) ?? ''}`.trim())
  const [plan = ''] = (run.plan ?? '').split('\n', 1)
  return {
    title: briefly(calls.length > 0 ? named.join(', ') : plan, longestTitle),
    summary: briefly(calls.length > 0 ? (run.text ?? '') : (run.plan ?? ''), longestSummary),
    priority: 'normal',
    calls,
    provenance,
  }
}

const mostShown = 5
const mostLooked = 100

/** An action that content from outside has had a part in names some of it, also where neither verdict nor run did. */
function withOrigin(run: AgentRun, named: Provenance[], { changes, evaluations, tasks }: Stores): Provenance[] {
  if (!run.tainted || named.some(({ external }) => external)) return named
  const row = evaluations.get(run.evaluation)
  const inputs = tasks.get(run.task)?.inputs ?? []
  const shown = (row ? changes.between(row.from, row.through, mostLooked) : [])
    .filter(({ external, source, key }) => external && watches(inputs, source, key))
    .map(({ source, key }) => ({ source, key, external: true }))
  const origin = shown.length > 0 ? shown.slice(0, mostShown) : [{ source: 'folder', key: '.', external: true }]
  return [...named, ...origin]
}

/** What the verdict named, and the files that the run has read since. */
function cameFrom(run: AgentRun, { agentRuns, evaluations }: Stores): Provenance[] {
  const judged = evaluations.get(id<EvaluationId>(run.evaluation))?.sources ?? []
  const read = agentRuns
    .steps(run.id)
    .flatMap(({ call, kind }) => (kind === 'tool' && call?.tool === 'read_file' ? [String(call.arguments.path)] : []))
  const known = new Set(judged.map(({ key }) => key))
  const found = [...new Set(read)].filter((key) => !known.has(key))
  return [...judged, ...found.map((key) => ({ source: 'folder', key, external: true }))]
}
