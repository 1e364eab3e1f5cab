import type { ChatMessage, ChatRequest } from '../../domain/chat.ts'
import type { JudgeRequest } from '../../domain/model.ts'
import type { SituationReport } from '../../domain/report.ts'
import { cut } from '../builtin/quote.ts'
import type { Room } from './budget.ts'
import { judgeInstructions } from './instructions.ts'
import { plainLine } from './plain-line.ts'
import { judgementSchema } from './schemas.ts'

const longestProblem = 200
/** Of its own answer a model is shown no more than this. */
const mostOfAnswer = 1500

/** A call for judgement, and the call for what was wrong with the first answer, which begins with the same messages. */
export function judgementRequest({ report, repair }: JudgeRequest, room: Room): ChatRequest {
  const first: ChatMessage[] = [
    { role: 'system', text: judgeInstructions },
    { role: 'user', text: report.text },
  ]
  const messages = repair ? [...first, ...repairMessages(repair, first, room)] : first
  const tasks = repair ? openTasks(report, repair.problems) : report.tasks.map(({ id }) => id)
  const promptTokens = room.promptTokens(messages)
  return {
    messages,
    schema: judgementSchema(tasks, report.changes),
    promptTokens,
    maxTokens: room.forJudgement(promptTokens, tasks.length),
  }
}

/** The tasks that problems name by their first word; all of them where that tells nothing. */
function openTasks({ tasks }: SituationReport, problems: readonly string[]): string[] {
  const ids = tasks.map(({ id }) => id as string)
  const named = new Set(problems.map((problem) => problem.slice(0, problem.indexOf(': '))))
  const open = ids.filter((id) => named.has(id))
  return open.length > 0 ? open : ids
}

const whatIsWrong = 'Your answer cannot be used for these tasks:'
const askAgain = 'Answer again in the same form, for these tasks only.'

/** The model's own answer comes back to it as such, however short: conversations go by turns. */
function repairMessages(
  { answer, problems }: NonNullable<JudgeRequest['repair']>,
  first: readonly ChatMessage[],
  room: Room,
): ChatMessage[] {
  const own = (text: string): ChatMessage => ({ role: 'assistant', text: text === '' ? '…' : text, calls: [] })
  const ask = (lines: readonly string[]): ChatMessage => ({
    role: 'user',
    text: [whatIsWrong, ...lines.map((line) => `- ${line}`), askAgain].join('\n'),
  })
  const left = room.left([...first, own(''), ask([])])
  const told = room.fit(problems.map((problem) => cut(plainLine(problem), longestProblem)).join('\n'), left / 2)
  const question = ask(told === '' ? [] : told.split('\n'))
  const rest = room.left([...first, own(''), question])
  return [own(room.fit(answer.trim().replaceAll(/\s{9,}/g, ' '), Math.min(mostOfAnswer, rest))), question]
}
