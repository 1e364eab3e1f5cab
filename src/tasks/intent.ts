import type { Intent, TaskEffect } from '../domain/task.ts'
import { clausesOf } from './clauses.ts'
import { askedInChinese } from './intent-chinese.ts'
import type { Asked } from './intent-clause.ts'
import { askedByClause } from './intent-clause.ts'

/**
 * What the user asks for, judged by the verb that leads each clause of the title, in English, Chinese and German. A word
 * elsewhere decides nothing ("Summarize messages removed yesterday" is `read`), and doubt means `read`.
 */
export const intentByRule = (title: string): Intent => (asked(title).some(({ write }) => write) ? 'write' : 'read')

/**
 * The effects of undermind's built-in tools that the title asks for in so many words: a change of a file that it names
 * as a plain relative path (`append_file`, `write_file`), a commit (`git_commit`), a command in backticks
 * (`run_command`), or telling the user (`notify`).
 */
export const effectsOf = (title: string): TaskEffect[] => {
  const effects = new Map<string, TaskEffect>()
  for (const effect of asked(title).flatMap((each) => each.effects))
    effects.set(`${effect.tool} ${effect.target}`, effect)
  return [...effects.values()]
}

const asked = (title: string): Asked[] => {
  const clauses = clausesOf(title).map(askedByClause)
  return /\p{Script=Han}/u.test(title) ? [...clauses, askedInChinese(title)] : clauses
}
