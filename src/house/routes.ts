import type { RunStage } from '../domain/agent.ts'
import type { ChatModel } from '../domain/chat.ts'
import { type Clock, minute } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Provider } from '../domain/model.ts'
import type { ReportTask } from '../domain/report.ts'
import type { Settings } from '../domain/settings.ts'
import { reportBudget, tasksPerCall } from '../models/language/budget.ts'

/** Who can be asked: a provider of judgement, and the model that it is made from where there is one. */
export interface Mind {
  provider: Provider
  /** Null for a provider that is no language model. */
  chat: ChatModel | null
  /** Whether it works with tools; null until that has been tried. */
  tools: boolean | null
  /** What is missing before it can be asked at all, such as its key; null when nothing is. */
  missing?(): string | null
}

/** What was found when the local model was last looked for. */
export interface Found {
  mind: Mind
  /** Why it is not the one that one might expect, or why it cannot be used. */
  reason: string | null
  available: boolean
}

export interface RoutesParts {
  settings(): Settings
  clock: Clock
  /** Finds the local model as the settings say. Never throws but for the signal's reason. */
  findLocal(signal: AbortSignal): Promise<Found>
  /** The local mind until it has been looked for. */
  firstLocal: Found
  /** Null where none is set. */
  cloud: Mind | null
}

export type Stage = keyof Settings['models']['routes']

/** A part of the work, who does it, and what stands in the way. */
export interface RouteView {
  stage: Stage
  route: 'local' | 'cloud'
  provider: string
  model: string
  available: boolean
  reason: string | null
}

/** The part of the work that a run does: a plan is carried out by whoever works with tools. */
export const stageOf = (stage: RunStage): Stage => (stage === 'analyse' ? 'analyse' : 'tools')

const stages: readonly Stage[] = ['judge', 'text', 'tools', 'analyse']

/** A look at the local model is good for so long, unless it found nothing. */
const lookAgainAfter = 5 * minute

/**
 * Who does which part of the work. The local model is looked for when there is something to judge, so that one that was
 * started later is found; nothing is ever sent to the cloud that was not routed there.
 */
export class Routes {
  readonly #parts: RoutesParts
  #local: Found
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(parts: RoutesParts) {
    this.#parts = parts
    this.#local = parts.firstLocal
  }

  /** Looks for the local model where nobody has since the start: work that a restart has interrupted goes on with it. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) await this.refresh(signal)
  }

  /** Looks for the local model again where that may have changed. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const isFresh = clock.now() - this.#lookedAt < lookAgainAfter && clock.now() >= this.#lookedAt
    if (isFresh && this.#local.available && this.#local.reason === null) return
    this.#local = await this.#parts.findLocal(signal)
    this.#lookedAt = clock.now()
  }

  /** Who judges due tasks. */
  judge(): Provider {
    return this.#mind('judge').provider
  }

  text(): Provider {
    return this.#mind('text').provider
  }

  /** Who looks deeper; without a cloud model the local one does, which costs nothing. */
  analyst(): Provider {
    return this.#mind('analyse').provider
  }

  /** The model that works with tools in a stage of an agent's run; null where there is none. */
  agent(stage: RunStage): ChatModel | null {
    const mind = this.#mind(stageOf(stage))
    return mind.tools === false ? null : mind.chat
  }

  /** What a report may hold, and how many tasks one answer may decide on: a language model needs room for its answer. */
  room(most: number): { budget(tasks: number): number; mostTasks(): number } {
    const isTalking = () => this.chatOf('judge') !== null
    const context = () => this.judge().contextTokens
    return {
      budget: (tasks) => Math.min(most, isTalking() ? reportBudget(context(), tasks) : context()),
      mostTasks: () => (isTalking() ? tasksPerCall(context()) : Number.POSITIVE_INFINITY),
    }
  }

  /** Which of the two models does a part of the work just now. */
  route(stage: Stage): 'local' | 'cloud' {
    return this.#mind(stage) === this.#parts.cloud ? 'cloud' : 'local'
  }

  /**
   * Why a part of the work cannot be asked for just now, with what to do; null where it can. Looks for a local model that was
   * not there; no model is asked.
   */
  async obstacle(stage: 'judge' | 'analyse', signal: AbortSignal): Promise<string | null> {
    const { cloud, settings } = this.#parts
    const mind = this.#mind(stage)
    if (mind === cloud) return cloud.missing?.() ?? null
    if (stage === 'judge' && settings().models.routes.judge === 'cloud') {
      return 'models.routes.judge is "cloud", and no model is set under [models.cloud] in undermind.toml.'
    }
    // The built-in evaluator is always there to judge; a named model is there or it is not.
    if (stage === 'analyse' || settings().models.local.provider !== 'auto') await this.refresh(signal)
    const { available, reason, mind: local } = this.#local
    if (!available) return reason ?? `${local.provider.model} is not there.`
    if (stage === 'judge' || local.chat !== null) return null
    return `it needs a language model, and there is none${reason === null ? '' : ` (${reason})`}. Start Ollama, or set up [models.cloud] in undermind.toml.`
  }

  /** The language model behind a part of the work; null where a rule does it. */
  chatOf(stage: Stage): ChatModel | null {
    return this.#mind(stage).chat
  }

  /** A model has said that it cannot use tools. */
  lacksTools(stage: RunStage): void {
    this.#mind(stageOf(stage)).tools = false
  }

  /** True for a stage in which nothing but words would come of asking. */
  onlyTalks(stage: RunStage): boolean {
    return this.agent(stage) === null && this.#mind(stageOf(stage)).chat !== null
  }

  /** Why a task that needs tools cannot be carried out. */
  needsAgent(task: Pick<ReportTask, 'id' | 'title'>): Fault {
    const { reason } = this.view().find(({ stage }) => stage === 'tools')!
    const why = reason ?? 'there is no model that can use tools'
    return new Fault(
      'model/needs-agent',
      `Cannot carry out "${task.title}": ${why}. Configure an agent under [models.cloud] in undermind.toml, or set models.routes.tools to "local" where the local model can use tools, then run undermind tasks enable ${task.id}.`,
      { task: task.id },
    )
  }

  view(): RouteView[] {
    return stages.map((stage) => this.#view(stage))
  }

  #view(stage: Stage): RouteView {
    const wanted = this.#parts.settings().models.routes[stage]
    const { provider, tools } = this.#mind(stage)
    const { id, model } = provider
    const known = { stage, provider: id, model }
    if (wanted === 'cloud' && this.#parts.cloud) {
      const reason = stage === 'tools' && tools === false ? `${model} cannot use tools` : null
      return { ...known, route: 'cloud', available: reason === null, reason }
    }
    const missing = wanted === 'cloud' ? 'no model is set under [models.cloud]' : null
    if (stage === 'tools' && (missing !== null || tools === false)) {
      return { ...known, route: wanted, available: false, reason: missing ?? `${model} cannot use tools` }
    }
    const { available, reason } = this.#local
    return {
      ...known,
      route: 'local',
      available: available && (missing === null || stage === 'analyse'),
      reason: reason ?? missing,
    }
  }

  /** The cloud model where the stage is routed to it and there is one; else the local one, which is free. */
  #mind(stage: Stage): Mind {
    const { cloud, settings } = this.#parts
    const wanted = settings().models.routes[stage]
    if (wanted === 'local') return this.#local.mind
    if (cloud) return cloud
    // Tools are a matter of trust: they are not handed to a model that nobody has named for them.
    return stage === 'tools' ? { ...this.#local.mind, tools: false } : this.#local.mind
  }
}
