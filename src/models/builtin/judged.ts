import type { z } from 'zod'
import type { Decision, Execution } from '../../domain/decision.ts'
import { answerOf, sourceOf } from './answer.ts'
import { type FixedWords, fixedWords } from './fixed-words.ts'
import type { Plan } from './plan.ts'
import { daysOf } from './proposal.ts'

/** One item of an answer, in the form that every provider's answers are read in. */
type Judged = z.input<typeof Decision> & { task_id: string }

export function judgedBy(plan: Plan): Judged {
  const { match, notes, task } = plan
  const { ask, findings, looked } = match
  const say = fixedWords(ask.chinese)
  const task_id = task.id
  if (ask.needsTools && (findings.length > 0 || !ask.conditional)) {
    const sources = findings.length > 0 ? answerOf(match).sources : []
    return { task_id, decision: 'act', reason: say.needsTools, needs: 'tools', sources }
  }
  if (findings.length === 0) return { task_id, decision: 'skip', reason: nothingIn(plan, say) }
  if (notes.length > 0) {
    return {
      task_id,
      decision: 'escalate',
      reason: say.toNote(daysOf(notes, plan.scene.now.year, say)),
      sources: notes.map(({ finding, line }) => sourceOf(finding, line)),
    }
  }
  const remark = ask.notes && plan.agenda === null ? say.noAgenda : undefined
  return { task_id, decision: 'act', reason: say.found(looked, findings.length), ...answerOf(match, remark) }
}

/** What is to be said of a task when nothing is proposed for it. */
export function resultOf(plan: Plan, remark?: string): Execution {
  if (plan.match.findings.length > 0) return answerOf(plan.match, remark)
  const say = fixedWords(plan.match.ask.chinese)
  return { text: [nothingIn(plan, say), ...(remark === undefined ? [] : [remark]), say.mark].join('\n'), sources: [] }
}

const nothingIn = ({ match }: Plan, say: FixedWords): string =>
  say.nothing(match.looked, match.routine, match.known, match.shortened)
