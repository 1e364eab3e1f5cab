import { moneyText } from '../domain/money.ts'
import { count } from './numbers.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { rowLines } from './row-lines.ts'
import { duration, localTime } from './times.ts'
import type { Change, EvaluationReason, TaskReason } from './views.ts'
import { wrap, wrapBehind } from './wrap.ts'

const mostLines = 8

/** Why a task ran when it did, why not since, and when next. */
export const taskReasonLines = (reason: TaskReason, { paint, columns }: Page): string[] => [
  ...wrap(printableLine(reason.task.title), columns).map((line) => paint('bold', line)),
  ...[`Schedule: ${reason.schedule}`, reason.lastText, reason.nowText, reason.nextText].flatMap((text) =>
    wrapBehind('  ', printable(text), columns),
  ),
]

const shortened = (lines: readonly string[], omitted = 0): { shown: readonly string[]; more: number } => ({
  shown: lines.slice(0, mostLines),
  more: Math.max(0, lines.length - mostLines) + omitted,
})

const changeLines = (change: Change, { paint, columns }: Page): string[] => {
  const lines = [...change.removed.map((line) => `- ${line}`), ...change.added.map((line) => `+ ${line}`)]
  const { shown, more } = shortened(lines, change.omitted)
  const title = change.title === '' || change.title === change.key ? '' : `: ${printableLine(change.title)}`
  const external = change.external ? ' (external)' : ''
  return [
    ...wrapBehind('  ', `${printableLine(change.kind)} ${printableLine(change.key)}${title}${external}`, columns),
    ...shown.flatMap((line) => wrapBehind('    ', printableLine(line), columns)).map((line) => paint('gray', line)),
    ...(more > 0 ? [paint('gray', `    … ${count(more, 'more line')}`)] : []),
  ]
}

const hasText = (one: unknown): one is { text: string } =>
  typeof one === 'object' && one !== null && 'text' in one && typeof one.text === 'string'

/** What the model said, each answer on lines of its own; a machine's JSON is laid out to be read. */
const answersOf = (answer: string): string[] => {
  try {
    const answers: unknown = JSON.parse(answer)
    return Array.isArray(answers)
      ? answers.map((one: unknown) => (hasText(one) ? one.text : typeof one === 'string' ? one : JSON.stringify(one)))
      : [answer]
  } catch {
    return [answer]
  }
}

const callLines = (reason: EvaluationReason, { paint, columns }: Page): string[] => {
  const { call } = reason
  if (!call) return ['  No model was asked.']
  const { provider, model, purpose, promptTokens, completionTokens, durationMs } = call
  const money = call.cost === null ? '' : `${moneyText(call.cost)}, `
  const cost = `${promptTokens} + ${completionTokens} tokens, ${money}${duration(durationMs)}`
  const { shown, more } = shortened(answersOf(call.answer).flatMap((answer) => answer.split('\n')))
  return [
    ...wrapBehind('  ', printableLine(`${provider} (${model}), ${purpose}: ${cost}`), columns),
    ...shown.flatMap((line) => wrapBehind('    ', printableLine(line), columns)).map((line) => paint('gray', line)),
    ...(more > 0 ? [paint('gray', `    … ${count(more, 'more line')}`)] : []),
  ]
}

const eventName = (event: string): string => {
  try {
    const read: unknown = JSON.parse(event)
    return read !== null && typeof read === 'object' && 'type' in read ? String(read.type) : event
  } catch {
    return event
  }
}

/** What an evaluation was judged on, what the model answered, and the way it took. */
export const evaluationReasonLines = (reason: EvaluationReason, page: Page): string[] => {
  const { paint, now } = page
  const { evaluation, task, changes, moreChanges, journal } = reason
  const title = (text: string): string => paint('bold', text)
  return [
    ...rowLines({ ...evaluation, title: evaluation.title ?? task?.title }, page, {
      whole: true,
      reason: true,
      dated: true,
    }),
    '',
    title('Judged on'),
    ...(changes.length === 0 ? ['  No changes: it ran at its time, or was asked to.'] : []),
    ...changes.flatMap((change) => changeLines(change, page)),
    ...(moreChanges > 0 ? [`  … ${count(moreChanges, 'more change')}`] : []),
    '',
    title('Asked'),
    ...callLines(reason, page),
    '',
    title('Went'),
    ...journal.map(({ at, event, toState }) =>
      printableLine(`  ${localTime(at, now())} ${eventName(event)} → ${toState}`),
    ),
  ]
}
