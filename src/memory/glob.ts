import ignore, { type Ignore } from 'ignore'

const mostDoubleStars = 2
/** The matcher goes back over a key once more for each double star and each folder, which takes seconds in deep ones. */
const deepestKey = 40
/** A matcher remembers every key it was asked about; after so many of all together they are made anew. */
const mostRemembered = 20_000

const matchers = new Map<string, Ignore | null>()
let remembered = 0

/** Whether a glob as in a .gitignore covers a key. One with a mistake in it covers nothing. */
export function globCovers(glob: string, key: string): boolean {
  remembered += 1
  if (remembered > mostRemembered) {
    matchers.clear()
    remembered = 1
  }
  let matcher = matchers.get(glob)
  if (matcher === undefined) {
    matcher = mistakeInGlob(glob) === null ? ignore({ allowRelativePaths: true, ignorecase: false }).add(glob) : null
    matchers.set(glob, matcher)
  }
  return matcher !== null && key !== '' && matcher.ignores(shallow(key))
}

/** What is wrong with a glob, as the end of a sentence and a piece of advice, or null. */
export function mistakeInGlob(glob: string): string | null {
  if (/^[/\s]*$/.test(glob)) return 'it is empty. Give the id of a source, or a glob over keys such as inbox/**.'
  if (/[\p{Cc}\p{Cs}]/u.test(glob)) return 'it holds a control character. Write it as plain text.'
  if (glob.startsWith('!')) return 'a glob cannot take items away. Name only what the task looks at.'
  if (glob.startsWith('#')) return 'it reads as a comment. Write \\# for a name that starts with #.'
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(glob)) return 'keys have no . or .. in them. Write it from the root of the source.'
  if ((glob.match(/\*{2,}/g)?.length ?? 0) > mostDoubleStars)
    return `it has more than ${mostDoubleStars} double stars. Use a wider glob.`
  const unescaped = glob.replaceAll(/\\./gs, '')
  if (unescaped.endsWith('\\')) return 'it ends in a backslash. Write \\\\ for a backslash in a name.'
  if (unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']'))
    return 'it has a [ that nothing closes. Write \\[ for one in a name.'
  return null
}

/** A key without its middle folders where it has very many. */
function shallow(key: string): string {
  const folders = key.split('/')
  return folders.length <= deepestKey ? key : [...folders.slice(0, deepestKey - 1), folders.at(-1)].join('/')
}
