import { Fault } from '../domain/errors.ts'
import { type PatternWord, patternWords } from './command-words.ts'
import { visible } from './visible.ts'
import { wrapperProblem } from './wrappers.ts'

/** What may be run: a program and a pattern of all its arguments. */
export interface AllowedCommand {
  entry: string
  program: string
  args: readonly PatternWord[]
}

/** The entries of `tools.commands` that may be used, and a Fault `tool/bad-allow-list` for each that may not. */
export interface AllowList {
  commands: readonly AllowedCommand[]
  problems: readonly Fault[]
}

export const allowList = (entries: readonly string[]): AllowList => {
  const commands: AllowedCommand[] = []
  const problems: Fault[] = []
  for (const entry of entries) {
    const read = patternWords(entry)
    const wrong = 'wrong' in read ? read.wrong : mistakeIn(entry, read.words)
    const [program, ...args] = 'words' in read ? read.words : []
    if (wrong === null && program?.kind === 'word') commands.push({ entry, program: program.text, args })
    else problems.push(badEntry(entry, wrong ?? 'it names no program'))
  }
  return { commands, problems }
}

const mistakeIn = (entry: string, words: readonly PatternWord[]): string | null => {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(entry))
    return 'it holds a character that cannot be seen'
  if (words.length === 0) return 'it is empty'
  if (words.slice(0, -1).some(({ kind }) => kind === 'more')) return 'a ** in it is not at its end'
  return wrapperProblem(words)
}

const badEntry = (entry: string, why: string): Fault => {
  const shown = visible(entry)
    .replace(/[\n\t]/g, ' ')
    .slice(0, 300)
  const sentence = `The entry “${shown}” of tools.commands is not used: ${why}. Correct or remove it; the other entries work.`
  return Fault.use('tool/bad-allow-list', sentence, { entry: shown, why })
}

/** The entry that allows a command, and what of the command its stars stand for. */
export const allowing = (
  { commands }: AllowList,
  [program = '', ...args]: readonly string[],
): { allowed: AllowedCommand; free: string[] } | null => {
  for (const allowed of commands) {
    if (allowed.program !== program) continue
    const free = freeArguments(allowed.args, args)
    if (free !== null) return { allowed, free }
  }
  return null
}

/** A star never stands for an option: what begins with `-` must be in the entry. */
const freeArguments = (pattern: readonly PatternWord[], args: readonly string[]): string[] | null => {
  const hasMore = pattern.at(-1)?.kind === 'more'
  const fixed = hasMore ? pattern.slice(0, -1) : pattern
  if (args.length < fixed.length || (args.length > fixed.length && !hasMore)) return null
  const free: string[] = []
  for (const [index, arg] of args.entries()) {
    const word = fixed[index]
    if (word?.kind === 'word') {
      if (word.text !== arg) return null
    } else {
      if (arg === '' || arg.startsWith('-')) return null
      free.push(arg)
    }
  }
  return free
}
