import { Fault } from '../domain/errors.ts'
import { globCovers, mistakeInGlob } from './glob.ts'

const mostInputs = 100
const longestInput = 500

/**
 * Whether a task with these inputs looks at an item: they are source ids or globs over keys as in a .gitignore (`*.md`
 * at any depth, `/notes/*.md` and `inbox/**` from the root, `inbox/` with all in it), after `<source id>:` over the keys
 * of that source only. No inputs means everything.
 */
export const watches = (inputs: readonly string[], source: string, key: string): boolean =>
  inputs.length === 0 || inputs.some((input) => input === source || globCovers(globFor(input, source), key))

const globFor = (input: string, source: string): string =>
  input.startsWith(`${source}:`) ? input.slice(source.length + 1) : input

/** The inputs as a task keeps them: trimmed, each once. Throws `task/inputs-invalid` at one that could match nothing. */
export function validateInputs(inputs: readonly string[]): string[] {
  const given = [...new Set(inputs.map((input) => input.trim()))]
  if (given.length > mostInputs)
    throw Fault.use(
      'task/inputs-invalid',
      `Cannot give a task ${given.length} inputs: ${mostInputs} is the most. Use wider globs.`,
      { inputs: given.length },
    )
  for (const input of given) {
    const mistake = mistakeIn(input)
    if (mistake === null) continue
    const shown = JSON.stringify(input.slice(0, 60))
    throw Fault.use('task/inputs-invalid', `Cannot use ${shown} as an input of a task: ${mistake}`, { input })
  }
  return given
}

const mistakeIn = (input: string): string | null =>
  input.length > longestInput
    ? `it is longer than ${longestInput} characters. Use a wider glob.`
    : mistakeInGlob(input.replace(/^[\w.-]+:/, ''))
