/** Which words a lead uses for what was found. */
export type Looks = 'urgent' | 'failure' | 'dates' | 'status' | 'asks' | 'fits'
export type Things = 'mails' | 'newFiles' | 'changedFiles' | 'goneItems' | 'changes'

/** Everything that the built-in model says in words of its own. */
export interface FixedWords {
  lead(count: number, things: Things, looks: Looks): string
  more(count: number): string
  mark: string
  nothing(looked: number, routine: number, known: number, shortened: number): string
  found(looked: number, fitting: number): string
  toNote(days: string[]): string
  needsTools: string
  noAgenda: string
  agendaHasIt: string
  cannotWeigh: string
  noteTitle(days: string[]): string
  noteSummary: string
  /** A date for people; `year` only where it is not the present one. */
  day(day: number, month: number, year: number | null): string
}

const months = 'January February March April May June July August September October November December'.split(' ')

const englishThings: Record<Things, readonly [string, string]> = {
  mails: ['new mail', 'new mails'],
  newFiles: ['new file', 'new files'],
  changedFiles: ['changed file', 'changed files'],
  goneItems: ['item that is gone', 'items that are gone'],
  changes: ['change', 'changes'],
}
const englishLooks: Record<Looks, readonly [string, string]> = {
  urgent: ['looks urgent', 'look urgent'],
  failure: ['reports a failure', 'report a failure'],
  dates: ['names a deadline or a change of plan', 'name a deadline or a change of plan'],
  status: ['shows a change of status', 'show a change of status'],
  asks: ['asks for something', 'ask for something'],
  fits: ['fits this task', 'fit this task'],
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const english: FixedWords = {
  lead: (count, things, looks) =>
    `${plural(count, ...englishThings[things])} ${englishLooks[looks][count === 1 ? 0 : 1]}:`,
  more: (count) => `and ${count} more`,
  mark: 'Found by rules, without a language model.',
  nothing: (looked, routine, known, shortened) =>
    [
      looked === 0
        ? 'No change to look at.'
        : `Looked at ${plural(looked, 'change', 'changes')}: nothing${known > 0 ? ' new' : ''} that fits this task.`,
      ...(routine > 0 ? [`${plural(routine, 'is', 'are')} routine.`] : []),
      ...(known > 0 ? [`${plural(known, 'line was', 'lines were')} already reported.`] : []),
      ...(shortened > 0 ? [`${plural(shortened, 'change was', 'changes were')} too long to be read whole.`] : []),
    ].join(' '),
  found: (looked, fitting) =>
    `Looked at ${plural(looked, 'change', 'changes')}: ${fitting} of them ${fitting === 1 ? 'fits' : 'fit'} this task.`,
  toNote: (days) => `Not yet in AGENDA.md: ${days.join(', ')}.`,
  needsTools: 'This task needs an agent that can use tools.',
  noAgenda: 'There is no AGENDA.md to note it in.',
  agendaHasIt: 'AGENDA.md has it already.',
  cannotWeigh: 'The reply cannot be weighed without a language model, so nothing is proposed again.',
  noteTitle: (days) => `Note ${days.length > 2 ? `${days.length} dates` : days.join(' and ')} in AGENDA.md`,
  noteSummary: 'Found by rules, without a language model:',
  day: (day, month, year) => `${day} ${months[month - 1]}${year === null ? '' : ` ${year}`}`,
}

const chineseThings: Record<Things, string> = {
  mails: '封新邮件',
  newFiles: '个新文件',
  changedFiles: '个有改动的文件',
  goneItems: '个已不在的条目',
  changes: '处变化',
}
const chineseLooks: Record<Looks, string> = {
  urgent: '看起来紧急',
  failure: '报告了故障',
  dates: '提到期限或计划变更',
  status: '有状态变化',
  asks: '需要回应',
  fits: '符合此任务',
}

const chinese: FixedWords = {
  lead: (count, things, looks) => `${count} ${chineseThings[things]}${chineseLooks[looks]}：`,
  more: (count) => `另有 ${count} 行`,
  mark: '由规则找出，未使用语言模型。',
  nothing: (looked, routine, known, shortened) =>
    [
      looked === 0 ? '没有可查看的变化。' : `查看了 ${looked} 处变化，没有符合此任务的${known > 0 ? '新' : ''}内容。`,
      ...(routine > 0 ? [`其中 ${routine} 处是例行消息。`] : []),
      ...(known > 0 ? [`${known} 行已经报告过。`] : []),
      ...(shortened > 0 ? [`${shortened} 处过长，未能全部读取。`] : []),
    ].join(''),
  found: (looked, fitting) => `查看了 ${looked} 处变化，其中 ${fitting} 处符合此任务。`,
  toNote: (days) => `AGENDA.md 中尚无：${days.join('、')}。`,
  needsTools: '此任务需要能使用工具的代理。',
  noAgenda: '没有可记入的 AGENDA.md。',
  agendaHasIt: 'AGENDA.md 中已有记录。',
  cannotWeigh: '没有语言模型，无法理解这条回复，因此不再次提议。',
  noteTitle: (days) => `将${days.length > 2 ? ` ${days.length} 个日期` : days.join('和')}记入 AGENDA.md`,
  noteSummary: '由规则找出，未使用语言模型：',
  day: (day, month, year) => `${year === null ? '' : `${year}年`}${month}月${day}日`,
}

export const fixedWords = (inChinese: boolean): FixedWords => (inChinese ? chinese : english)
