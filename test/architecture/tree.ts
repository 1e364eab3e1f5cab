import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser'

/** Texts of source files by path below the folder, with forward slashes. */
export type Tree = ReadonlyMap<string, string>

/** A node of a file's syntax tree; the names and children are those of TS-ESTree. */
export interface Syntax {
  type: string
  start: number
  [property: string]: unknown
}

export interface SourceFile {
  path: string
  text: string
  syntax: Syntax
  comments: Array<{ value: string; start: number }>
  /** What the parser could not read. A file that cannot be read has no imports that could be seen. */
  problems: string[]
}

/** Where a node stands: what contains it, and as what. */
export interface Place {
  parents: readonly Syntax[]
  key: string
}

const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)

export const readTree = (folder: string): Tree => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  return new Map(
    names
      .filter(isSource)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

export const parseTree = (tree: Tree): SourceFile[] =>
  [...tree].map(([path, text]) => {
    const { program, comments, errors } = parseSync(posix.basename(path), text)
    return { path, text, syntax: asSyntax(program), comments, problems: errors.map((error) => error.message) }
  })

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const asSyntax = (value: unknown): Syntax => {
  if (!isSyntax(value)) throw new TypeError('The parser returned no syntax tree')
  return value
}

/** Every node below and including `node`, parents before children. */
export function* nodesOf(node: Syntax, place: Place = { parents: [], key: '' }): Generator<[Syntax, Place]> {
  yield [node, place]
  const parents = [...place.parents, node]
  for (const key of visitorKeys[node.type] ?? [])
    for (const child of [node[key]].flat()) if (isSyntax(child)) yield* nodesOf(child, { parents, key })
}

/** A child that is one node. */
export const child = (node: Syntax | undefined, key: string): Syntax | undefined => {
  const value = node?.[key]
  return isSyntax(value) ? value : undefined
}

/** A child that is a list of nodes. */
export const children = (node: Syntax | undefined, key: string): Syntax[] => {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isSyntax) : []
}

export const nameOf = (node: Syntax | undefined): string | undefined =>
  node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined

/** The text of a string that is written out, in quotes of any kind. */
export const stringOf = (node: Syntax | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  const parts = node?.type === 'TemplateLiteral' ? children(node, 'quasis') : []
  const value = parts.length === 1 ? parts[0]?.value : undefined
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : undefined
}

/** What a member access or an object's property is called, where that can be read. */
export const keyOf = (node: Syntax | undefined, key: 'property' | 'key'): string | undefined => {
  const name = child(node, key)
  return stringOf(name) ?? (node?.computed === true ? undefined : nameOf(name))
}

export const lineAt = (file: SourceFile, offset: number): number => file.text.slice(0, offset).split('\n').length
