import { chartRules } from './chart-rules.ts'
import { ambientPower } from './power-rule.ts'
import { clockAndChance } from './time-rule.ts'
import { lineAt, parseTree, type SourceFile, type Tree } from './tree.ts'
import { shortFiles, typesAreKept } from './type-rules.ts'

/** A find: where in the text, and what is wrong there. */
export interface Find {
  offset: number
  says: string
}

/** Something that holds for the text of source files. */
export interface SourceRule {
  appliesTo(path: string): boolean
  check(file: SourceFile): Iterable<Find>
}

export const rules: readonly SourceRule[] = [clockAndChance, ambientPower, ...chartRules, typesAreKept, shortFiles]

/** Everything that breaks a rule, a sentence each. */
export const ruleViolations = (tree: Tree): string[] =>
  parseTree(tree).flatMap((file) => [
    ...file.problems.map((problem) => `${file.path} cannot be parsed: ${problem}`),
    ...rules
      .filter((rule) => rule.appliesTo(file.path))
      .flatMap((rule) => [...rule.check(file)])
      .map(({ offset, says }) => `${file.path}:${lineAt(file, offset)} ${says}`),
  ])
