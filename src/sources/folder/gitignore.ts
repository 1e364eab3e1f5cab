// The matcher goes back over the path once more for each `**` in the middle of a pattern. Nobody needs more of them
// than this; a stranger's folder could use them to stop the process.
const mostDoubleStars = 2
const mostDoubleStarred = 64

const innerDoubleStars = (pattern: string): number => pattern.split('/').filter((part) => /^\*{2,}$/.test(part)).length

const literal = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, '\\$&')

/** The same pattern as it would stand in a .gitignore of the root. */
const rebase = (directory: string, pattern: string): string => {
  const negated = pattern.startsWith('!')
  const body = negated ? pattern.slice(1) : pattern
  const anchored = body.slice(0, -1).includes('/')
  const below = anchored ? body.replace(/^\//, '') : `**/${body}`
  return `${negated ? '!' : ''}/${literal(directory)}/${below}`
}

/**
 * The patterns of a .gitignore, seen from the root. `directory` is where it stands, '' for the root. Patterns with
 * three or more `**`, and those with two after the first 64, are left out.
 */
export const patternsOf = (directory: string, gitignore: string): string[] => {
  const patterns: string[] = []
  let doubleStarred = 0
  for (const line of gitignore.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const trimmed = line.replace(/(?<!\\) +$/, '')
    if (/^!?\/?$/.test(trimmed) || trimmed.startsWith('#')) continue
    const plain = trimmed.replaceAll(/(?<=^|\/|!)(\*\*\/)+/g, '**/')
    const stars = innerDoubleStars(plain)
    if (stars > mostDoubleStars) continue
    if (stars === mostDoubleStars && ++doubleStarred > mostDoubleStarred) continue
    patterns.push(directory === '' ? plain : rebase(directory, plain))
  }
  return patterns
}
