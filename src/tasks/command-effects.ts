import type { TaskEffect } from '../domain/task.ts'
import type { Clause } from './clauses.ts'
import { plainFile } from './destination.ts'

/** What the tool that commits calls its target, whatever the files and the message. */
const commitEffect: TaskEffect = { tool: 'git_commit', target: 'git commit' }

const fillers = new Set('all any both the these those this that my our your its new latest today’s todays'.split(' '))
const committed = new Set(
  `additions change changes diff edit edits everything file files it modification modifications result results them these this
  update updates work`.split(/\s+/),
)
const places = new Set(
  'afterwards again daily git immediately locally then with to in as every each once when if after'.split(' '),
)

/**
 * A commit that a clause asks for: of "it", "the changes", "your work" or a file that it names. Whatever else can be
 * committed to, money, time or oneself, is none.
 */
export const commitEffectOf = ({ bare, words }: Clause): TaskEffect | undefined => {
  if (bare[0] !== 'commit') return undefined
  let at = 1
  while (fillers.has(bare[at] ?? '') && bare[at + 1] !== undefined && !places.has(bare[at + 1] ?? '')) at++
  const object = bare[at] ?? ''
  const next = bare[at + 1]
  if (!committed.has(object) && plainFile(words[at] ?? '') === undefined) return undefined
  // "commit it to memory": only into the repository.
  if (next === 'to' || next === 'in' || next === 'into')
    return /^(?:(?:to|in|into) )(?:(?:the|our|my) )?(?:git|repo|repository|main|master|branch)$/.test(
      bare.slice(at + 1).join(' '),
    )
      ? commitEffect
      : undefined
  return next === undefined || places.has(next) || next === 'and' ? commitEffect : undefined
}

const longestCommand = 300

/** The words of a command that stands in backticks, on one line; undefined when a shell would read more in it. */
const quotedCommand = (quoted: string): string | undefined => {
  const words = quoted.trim().split(/ +/)
  const isPlain = words.every((word) => /^[A-Za-z0-9_@%+=:,./^~-]+$/.test(word)) && !/^[-=]|^\w+=/.test(words[0] ?? '')
  return isPlain && quoted.length <= longestCommand ? words.join(' ') : undefined
}

const leads: readonly RegExp[] = [
  /^(?:re-?run|run|execute|launch)\s+(?:the\s+(?:command\s+)?|command\s+)?`([^`]+)`(?=$|[\s.,;:!])/i,
  /^führe\s+(?:den\s+Befehl\s+)?`([^`]+)`\s+aus(?=$|[\s.,;:!])/i,
]

/** A command that a clause asks to be run, word for word in backticks. */
export const runEffectOf = ({ text }: Clause): TaskEffect | undefined => {
  for (const lead of leads) {
    const quoted = lead.exec(text)?.[1]
    const target = quoted === undefined ? undefined : quotedCommand(quoted)
    if (target !== undefined) return { tool: 'run_command', target }
  }
  return undefined
}

/** The same for a clause in Chinese, simplified and without what leads up to it. */
export const chineseCommandEffect = (clause: string): TaskEffect | undefined => {
  const quoted = /^(?:运行|执行|跑)\s*(?:命令\s*)?`([^`]+)`/.exec(clause)?.[1]
  const target = quoted === undefined ? undefined : quotedCommand(quoted)
  if (target !== undefined) return { tool: 'run_command', target }
  return /^提交(?:所有|全部|这些|这个|本次)?(?:更改|修改|改动|变更)(?:到\s*git)?$/i.test(
    clause.trim().replace(/[。.！!]+$/, ''),
  )
    ? commitEffect
    : undefined
}
