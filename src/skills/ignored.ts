import ignore, { type Ignore } from 'ignore'

/** Tells which paths the .gitignore files on the way to them leave out. */
export interface Ignored {
  ignores(path: string, isFolder: boolean): boolean
  /** The same with the .gitignore of a folder, for everything below it. `folder` is '' for the workspace. */
  within(folder: string, gitignore: string): Ignored
}

// The matcher tries a pattern anew at each star; a stranger's .gitignore could use them to stop the process.
const mostStars = 3
const mostPatterns = 2000

const isBounded = (pattern: string): boolean =>
  pattern.length <= 500 &&
  pattern.split('/').filter((piece) => /^\*{2,}$/.test(piece)).length <= mostStars - 1 &&
  pattern.split('/').every((piece) => (piece.match(/\*+/g)?.length ?? 0) <= mostStars)

const options = { allowRelativePaths: true, ignorecase: false }

interface Layer {
  folder: string
  rules: Ignore
}

const chain = (layers: readonly Layer[]): Ignored => ({
  ignores(path, isFolder) {
    // The nearest file that says anything decides.
    for (const { folder, rules } of layers.toReversed()) {
      const below = folder === '' ? path : path.slice(folder.length + 1)
      const { ignored, unignored } = rules.test(isFolder ? `${below}/` : below)
      if (ignored || unignored) return ignored
    }
    return false
  },
  within(folder, gitignore) {
    const patterns = gitignore.split('\n').slice(0, mostPatterns).filter(isBounded)
    return chain([...layers, { folder, rules: ignore(options).add(patterns) }])
  },
})

/** No .gitignore yet. */
export const nothingIgnored: Ignored = chain([])
