/** What a tool wants a path for. */
export type Access = 'read' | 'write'

interface Protection {
  /** Matched against the plain form of one name of a path, its 8.3 short form on NTFS included. */
  name: RegExp
  why: string
  mayRead: boolean
}

const protections: Protection[] = [
  { name: /^(\.undermind.*|underm~\d+)$/, why: "it holds undermind's own state", mayRead: false },
  { name: /^(\.git|git~\d+)$/, why: 'it is a git repository, which git alone may change', mayRead: false },
  { name: /^(undermind\.toml|underm~\d+\.tom)$/, why: "it holds undermind's settings", mayRead: false },
  { name: /^(\.mcp\.json|mcp~\d+\.jso)$/, why: 'it names the programs that are started as skills', mayRead: false },
  { name: /^(\.env.*|env~\d+(\..*)?)$/, why: 'files named .env… hold secrets', mayRead: false },
  { name: /^(heartbeat\.md|heartb~\d+\.md)$/, why: 'only the user writes HEARTBEAT.md', mayRead: true },
]

/**
 * What is left of a name once everything is taken away that some file system ignores or folds: case (HFS+, APFS, NTFS),
 * Unicode form and marks, invisible characters (HFS+), dots and spaces at the end (NTFS). It is coarser than any of them.
 */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{M}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .trim()
    .replace(/[.\s]+$/, '')

/** Why no tool may use a file or folder of this name, at any depth; null when it may. */
export const protection = (name: string, access: Access): string | null => {
  // Full-width forms of / \ : become the real ones in the plain form, and are read as what they look like.
  const pieces = name
    .normalize('NFKC')
    .split(/[\\/:]/)
    .map(plainName)
  const found = protections.find((rule) => pieces.some((piece) => rule.name.test(piece)))
  return found === undefined || (access === 'read' && found.mayRead) ? null : found.why
}
