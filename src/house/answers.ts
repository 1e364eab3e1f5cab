import type { ActorHost } from '../actors/actor-host.ts'
import { heartbeatId } from '../actors/heartbeat.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Card, ToolCall } from '../domain/escalation.ts'
import { type EvaluationId, type Ids, id } from '../domain/ids.ts'
import type { Tool } from '../domain/tool.ts'
import { isEditOf } from '../machines/evaluation-setup.ts'
import type { AnswerEvent } from '../machines/instance-words.ts'
import { allowWrite } from './ask-to-write.ts'
import type { Stores } from './stores.ts'

export interface AnswersParts {
  host: Pick<ActorHost, 'dispatch' | 'write'>
  stores: Stores
  clock: Clock
  ids: Ids
  tools: ReadonlyMap<string, Tool>
  assertTrusted(): void
  /** Whether there is a model that could carry out a plan in words. */
  hasAgent(): Promise<boolean>
}

/** Who answers, and from which door; kept with the answer. `message`: an id of the caller's, so that a repeated request is one answer. */
export interface Answerer {
  by: string
  message?: string
}

type Order = AnswerEvent extends infer Event
  ? Event extends AnswerEvent
    ? Omit<Event, 'evaluation' | 'by' | 'answer'>
    : never
  : never

/**
 * The user's answers to cards. An answer goes to the evaluation through the heartbeat and its instance; the first one
 * counts, and whoever comes later is told who was first.
 */
export class Answers {
  readonly #parts: AnswersParts

  constructor(parts: AnswersParts) {
    this.#parts = parts
  }

  /**
   * Carries out what the card shows, or the user's edit of its calls. Resolves when the approval is durable.
   * Throws `approval/unknown`, `approval/answered`, `approval/changed`, `approval/not-an-edit`, `workspace/untrusted`, or what a tool says of edited arguments.
   */
  async approve(given: string, digest: string, who: Answerer, calls?: ToolCall[]): Promise<Card> {
    const card = this.#card(given)
    if (this.#isRepeated(card, who)) return card
    this.#assertOpen(card)
    if (card.digest !== digest) throw changed(card)
    if (card.calls.length === 0 && !(await this.#parts.hasAgent())) {
      throw new Fault(
        'approval/needs-agent',
        'This card holds a plan in words. Carrying it out needs an agent: set [models.cloud] in undermind.toml.',
        { id: card.id },
      )
    }
    if (!card.calls.every((call) => call.tool === allowWrite)) this.#parts.assertTrusted()
    if (calls !== undefined && !isEditOf(card.calls, calls)) {
      throw Fault.use(
        'approval/not-an-edit',
        'An edit may change the arguments of the calls that the card shows, not which calls they are. Dismiss the card, or reply what you want instead.',
        { id: card.id },
      )
    }
    const checked = calls?.map(({ tool, arguments: args }) => ({ tool, arguments: this.#tool(tool).parse(args) }))
    return this.#answer(card, who, { type: 'approve', digest, ...(checked && { calls: checked }) })
  }

  dismiss(given: string, who: Answerer): Promise<Card> {
    return this.#answer(this.#card(given), who, { type: 'dismiss', reason: 'user' })
  }

  /** Has the action reconsidered in the light of a reply; throws `approval/no-reply` where there is a plain question to answer first. */
  async respond(given: string, text: string, who: Answerer): Promise<Card> {
    const card = this.#card(given)
    if (card.kind !== 'proposal' && card.state === 'open') {
      throw Fault.use(
        'approval/no-reply',
        card.kind === 'unknown'
          ? 'An action of this card was interrupted and may have happened. Look, then say whether it happened; there is nothing to reconsider before that.'
          : 'This card asks whether a task may write. Approve it or dismiss it.',
        { id: card.id },
      )
    }
    return this.#answer(card, who, { type: 'respond', text })
  }

  /** Says whether an interrupted action happened. */
  resolve(given: string, happened: boolean, who: Answerer): Promise<Card> {
    const card = this.#card(given)
    if (card.kind !== 'unknown')
      throw Fault.use('approval/not-unknown', 'Nothing is unknown about this card: approve or dismiss it.', {
        id: card.id,
      })
    return this.#answer(card, who, { type: 'checked', happened })
  }

  async cancel(evaluation: EvaluationId, who: Answerer): Promise<void> {
    const { host, ids } = this.#parts
    const event: AnswerEvent = {
      type: 'cancelEvaluation',
      evaluation,
      by: who.by,
      answer: ids.next('answer'),
      reason: `Cancelled by ${who.by}`,
    }
    await host.dispatch({ to: heartbeatId, event })
  }

  async #answer(card: Card, who: Answerer, order: Order): Promise<Card> {
    if (this.#isRepeated(card, who)) return card
    this.#assertOpen(card)
    const { host, ids, stores } = this.#parts
    const answer = who.message ?? ids.next<EvaluationId>('answer')
    const event = { ...order, evaluation: card.id, by: who.by, answer } as AnswerEvent
    const outcome = await host.dispatch({
      to: heartbeatId,
      event,
      ...(who.message !== undefined && { id: who.message }),
    })
    const now = stores.escalations.get(card.id) ?? card
    const stays = now.state === 'open'
    // Both lead back to an open card, which names no answer.
    const isBack = order.type === 'checked' || (order.type === 'respond' && outcome === 'duplicate')
    if (now.answer === answer || (stays && isBack)) return now
    if (stays) throw changed(now)
    throw answered(now)
  }

  #isRepeated = (card: Card, who: Answerer): boolean => who.message !== undefined && card.answer === who.message

  #card(given: string): Card {
    const card = this.#parts.stores.escalations.get(id<EvaluationId>(given))
    if (!card)
      throw Fault.use('approval/unknown', `There is no card ${given}. undermind approvals list shows what waits.`, {
        id: given,
      })
    return card
  }

  #assertOpen(card: Card): void {
    if (card.state !== 'open') throw answered(card)
  }

  #tool(name: string): Tool {
    const tool = this.#parts.tools.get(name)
    if (!tool) throw Fault.use('tool/unknown', `There is no tool ${name} here.`, { tool: name })
    return tool
  }
}

const changed = (card: Card) =>
  new Fault('approval/changed', 'The card has changed since it was shown. Look at it again before you answer.', {
    id: card.id,
    digest: card.digest,
  })

function answered(card: Card): Fault {
  const at = card.answeredAt === null ? '' : ` at ${new Date(card.answeredAt).toISOString()}`
  const what: Record<Card['state'], string> = {
    open: 'still open',
    approved: `already approved by ${card.answeredBy ?? 'undermind'}${at}`,
    dismissed: `already skipped by ${card.answeredBy ?? 'undermind'}${at}`,
    expired: `expired unanswered${at}`,
    withdrawn: `withdrawn${at}: its task was deleted or disabled`,
    superseded: `superseded by a newer one${at}`,
    cancelled: `cancelled${at}`,
  }
  return new Fault('approval/answered', `This card was ${what[card.state]}. Nothing was changed.`, {
    id: card.id,
    state: card.state,
  })
}
