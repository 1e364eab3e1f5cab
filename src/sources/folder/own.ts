import ignore from 'ignore'

/**
 * Tells which keys the user calls their own. The globs read like those of a .gitignore (`notes/`, `*.md`,
 * `/plan.md`, `journal/**`); one that begins with `!` takes away, wherever it stands and whatever the others say.
 * Upper and lower case differ. Without a glob nothing is own.
 */
export const ownedBy = (globs: readonly string[]): ((key: string) => boolean) => {
  const options = { ignorecase: false }
  const yes = ignore(options).add(globs.filter((glob) => !glob.startsWith('!')))
  const no = ignore(options).add(globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)))
  return (key) => yes.ignores(key) && !no.ignores(key)
}
