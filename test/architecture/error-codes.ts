import { child, children, keyOf, nameOf, nodesOf, parseTree, type Syntax, stringOf, type Tree } from './tree.ts'

export interface ErrorCodes {
  /** The files each code stands in. */
  codes: Map<string, string[]>
  /** Faults whose code is put together where it is used, so that nobody can look it up. */
  unclear: string[]
}

const pattern = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/

/**
 * Every error code in the tree. Surely codes are what a Fault is made with and what is compared with or set as `code`;
 * so is, then, any other text of that shape that begins like one of them: a table of codes, an argument of a helper.
 */
export const errorCodes = (tree: Tree): ErrorCodes => {
  const files = parseTree(tree)
  const sure = new Set<string>()
  const found: Array<{ path: string; text: string }> = []
  const unclear: string[] = []
  for (const file of files) {
    for (const [node, { key }] of nodesOf(file.syntax)) {
      const place = codePlace(node)
      for (const text of textsOf(place)) sure.add(text)
      if (place !== undefined && isPutTogether(place)) unclear.push(`${file.path} puts a code together`)
      const isImport = key === 'source'
      const text = stringOf(node)
      if (text !== undefined && pattern.test(text) && !isImport) found.push({ path: file.path, text })
    }
  }
  const beginnings = new Set([...sure].filter((text) => pattern.test(text)).map(beginning))
  const codes = new Map<string, string[]>()
  for (const { path, text } of found)
    if (beginnings.has(beginning(text))) codes.set(text, [...new Set([...(codes.get(text) ?? []), path])])
  return { codes, unclear }
}

const beginning = (code: string): string => code.split('/')[0] ?? code

/** The expression, if any, that this node uses as an error code. */
const codePlace = (node: Syntax): Syntax | undefined => {
  const callee = child(node, 'callee')
  if (node.type === 'NewExpression' && nameOf(callee) === 'Fault') return children(node, 'arguments')[0]
  if (node.type === 'CallExpression' && nameOf(child(callee, 'object')) === 'Fault')
    return children(node, 'arguments')[0]
  if (node.type === 'Property' && keyOf(node, 'key') === 'code') return child(node, 'value')
  if (node.type === 'BinaryExpression' && keyOf(child(node, 'left'), 'property') === 'code') return child(node, 'right')
  return undefined
}

/** The texts that an expression may come to. */
const textsOf = (node: Syntax | undefined): string[] => {
  if (node === undefined) return []
  if (node.type === 'ConditionalExpression')
    return [...textsOf(child(node, 'consequent')), ...textsOf(child(node, 'alternate'))]
  if (node.type === 'TSAsExpression' || node.type === 'ParenthesizedExpression')
    return textsOf(child(node, 'expression'))
  const text = stringOf(node)
  return text === undefined ? [] : [text]
}

const isPutTogether = (node: Syntax): boolean =>
  (node.type === 'TemplateLiteral' && stringOf(node) === undefined && children(node, 'quasis').some(hasSlash)) ||
  (node.type === 'BinaryExpression' && [...nodesOf(node)].some(([part]) => stringOf(part)?.includes('/')))

const hasSlash = (part: Syntax): boolean => JSON.stringify(part.value).includes('/')

/** A row of docs/errors.md: code, what happened, what to do. */
export interface ErrorRow {
  code: string
  cells: string[]
}

export const errorRows = (markdown: string): ErrorRow[] =>
  markdown
    .split('\n')
    .map((line) => /^\| `([^`]+)` \|(.*)\|\s*$/.exec(line))
    .flatMap((row) =>
      row === null ? [] : [{ code: row[1] ?? '', cells: (row[2] ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim()) }],
    )

/** Every way in which the document and the tree disagree, a sentence each. */
export const disagreements = (tree: Tree, markdown: string): string[] => {
  const { codes, unclear } = errorCodes(tree)
  const rows = errorRows(markdown)
  const documented = rows.map((row) => row.code)
  return [
    ...unclear,
    ...[...codes]
      .filter(([code]) => !documented.includes(code))
      .map(([code, paths]) => `${code} (${paths.join(', ')}) is not documented`),
    ...documented.filter((code) => !codes.has(code)).map((code) => `${code} is documented and no longer exists`),
    ...documented
      .filter((code, index) => documented.indexOf(code) !== index)
      .map((code) => `${code} is documented twice`),
    ...rows
      .filter(({ cells }) => cells.length !== 2 || cells.includes(''))
      .map(({ code }) => `${code} lacks what happened or what to do`),
  ]
}
