import type { SourceRule } from './source-rules.ts'
import { child, nodesOf, type Syntax } from './tree.ts'

const longest = 300

/** A file is as long as its idea. */
export const shortFiles: SourceRule = {
  appliesTo: () => true,
  *check(file) {
    const lines = file.text.replace(/\n$/, '').split('\n').length
    if (lines > longest) yield { offset: 0, says: `has ${lines} lines; ${longest} is the most a file may have` }
  },
}

/** What the compiler knows is neither thrown away nor overruled. */
export const typesAreKept: SourceRule = {
  appliesTo: () => true,
  *check(file) {
    for (const [node] of nodesOf(file.syntax)) {
      if (node.type === 'TSAnyKeyword') yield { offset: node.start, says: 'uses any' }
      if (
        isAssertion(node) &&
        isAssertion(inner(node)) &&
        child(inner(node), 'typeAnnotation')?.type === 'TSUnknownKeyword'
      )
        yield { offset: node.start, says: 'asserts a type by way of unknown' }
    }
    for (const { value, start } of file.comments)
      if (/^[/*\s]*@ts-(ignore|nocheck|expect-error)\b/.test(value))
        yield { offset: start, says: 'tells the compiler to look away' }
  },
}

const isAssertion = (node: Syntax | undefined): boolean =>
  node?.type === 'TSAsExpression' || node?.type === 'TSTypeAssertion'

const inner = (node: Syntax): Syntax | undefined => {
  const expression = child(node, 'expression')
  return expression?.type === 'ParenthesizedExpression' ? inner(expression) : expression
}
