/** One word of an allow-list entry: itself, any one argument, or any more of them. */
export type PatternWord = { kind: 'word'; text: string } | { kind: 'one' } | { kind: 'more' }

/** A word, or why the text is no list of words. */
type Read = { words: PatternWord[] } | { wrong: string }

const shellMarks = /[;|&<>`$\\(){}[\]]/

/**
 * The words of an allow-list entry. Quotes, single or double, keep together what stands in them and take it as it is;
 * outside of them a lone `*` is any argument, `**` at the end any more, and nothing else has a meaning.
 */
export const patternWords = (entry: string): Read => {
  const words: PatternWord[] = []
  let rest = entry.trim()
  while (rest !== '') {
    const found = /^(?:"[^"]*"|'[^']*'|[^\s"'])+/.exec(rest)
    if (found === null) return { wrong: 'a quote in it is not closed' }
    const [raw] = found
    rest = rest.slice(raw.length)
    if (rest !== '' && !/^\s/.test(rest)) return { wrong: 'a quote in it is not closed' }
    rest = rest.trimStart()
    const bare = raw.replace(/"[^"]*"|'[^']*'/g, '')
    if (raw === '*') words.push({ kind: 'one' })
    else if (raw === '**') words.push({ kind: 'more' })
    else if (bare.includes('*'))
      return { wrong: 'a * in it is part of a word; it stands for a whole argument or nothing' }
    else if (shellMarks.test(bare))
      return { wrong: 'it holds marks of a shell, and no shell reads it; quote what is meant' }
    else words.push({ kind: 'word', text: raw.replace(/"([^"]*)"|'([^']*)'/g, (_all, a, b) => a ?? b ?? '') })
  }
  return { words }
}

const plainWord = /^[\p{L}\p{N}_@%+=:,./^~-]+$/u

/** A command on one line, so that two different ones never read the same. */
export const commandLine = (command: readonly string[]): string =>
  command.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
