import { Fault } from '../domain/errors.ts'

const longestGlob = 200
const mostAlternatives = 32

/**
 * Whether a path matches a glob: `*` and `?` stay within a name, `**` stands for any number of folders, `{a,b}` for
 * either, and everything else for itself. A glob without a slash is held against the name alone. Takes time that grows
 * with the product of their lengths, whatever they are. Fault `tool/bad-arguments` for a glob that can match nothing.
 */
export const globMatcher = (tool: string, glob: string): ((path: string) => boolean) => {
  const refuse = (why: string) => Fault.use('tool/bad-arguments', `Cannot use ${tool}: the glob ${why}.`, { tool })
  if (glob.trim() === '') throw refuse('is empty; leave it out to take all files')
  if (glob.length > longestGlob) throw refuse(`is longer than ${longestGlob} characters; give a shorter one`)
  if (/^[!/~]|(?:^|\/)\.\.?(?:\/|$)|\\/.test(glob))
    throw refuse('must lead down from the workspace folder: without a leading / or !, without . and .. and backslashes')
  const alternatives = alternativesOf(glob)
  if (alternatives === null) throw refuse(`stands for more than ${mostAlternatives} others; give fewer in braces`)
  const patterns = alternatives.map(patternOf)
  return (path) => {
    const names = path.split('/')
    return patterns.some((pattern) => matches(pattern, pattern.length === 1 ? names.slice(-1) : names))
  }
}

const patternOf = (glob: string): string[] =>
  (glob.endsWith('/') ? `${glob}**` : glob).split('/').filter((piece) => piece !== '')

const alternativesOf = (glob: string): string[] | null => {
  let globs = [glob]
  for (;;) {
    const next = globs.flatMap((each) => {
      const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each)
      if (found === null) return [each]
      const [, before = '', inner = '', after = ''] = found
      return inner.split(',').map((one) => `${before}${one}${after}`)
    })
    if (next.length > mostAlternatives) return null
    if (next.length === globs.length && next.every((each, index) => each === globs[index])) return globs
    globs = next
  }
}

/** Reached from the left: after each piece of the pattern, which numbers of names it can have used up. */
const matches = (pattern: readonly string[], names: readonly string[]): boolean => {
  let reached = new Set([0])
  for (const [index, piece] of pattern.entries()) {
    const next = new Set<number>()
    if (piece === '**') {
      // At the end it stands for something below, and so for a name at least.
      const least = Math.min(...reached) + (index === pattern.length - 1 ? 1 : 0)
      for (let used = least; used <= names.length; used++) next.add(used)
    } else {
      for (const used of reached) if (used < names.length && nameMatches(piece, names[used] ?? '')) next.add(used + 1)
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(names.length)
}

/** A star takes as little as it can; where that fails, only the last star need take more. */
const nameMatches = (piece: string, name: string): boolean => {
  let at = 0
  let star = -1
  let after = 0
  let from = 0
  while (at < name.length) {
    if (piece[from] === '*') {
      star = from++
      after = at
    } else if (from < piece.length && (piece[from] === '?' || piece[from] === name[at])) {
      from++
      at++
    } else if (star >= 0) {
      from = star + 1
      at = ++after
    } else return false
  }
  while (piece[from] === '*') from++
  return from === piece.length
}
