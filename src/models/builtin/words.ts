const word = /[\p{L}\p{M}\p{N}]+/gu
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const cjkRuns = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)/u
const beyondAscii = /\P{ASCII}/u
const marks = /\p{M}+/gu
const vowel = /[aeiouy]/

export const hasCjk = (text: string): boolean => cjk.test(text)

/** The words of a text, folded and cut to their stems; scripts written without spaces give pairs of characters. */
export function words(text: string): string[] {
  const found: string[] = []
  for (const [raw] of text.matchAll(word)) {
    if (!beyondAscii.test(raw)) found.push(stem(raw.toLowerCase()))
    else if (!cjk.test(raw)) found.push(stem(fold(raw)))
    else for (const run of raw.split(cjkRuns)) pushRun(run, found)
  }
  return found
}

function pushRun(run: string, found: string[]): void {
  if (run === '') return
  if (!cjk.test(run)) {
    found.push(stem(fold(run)))
    return
  }
  const characters = [...run]
  for (let i = 0; i + 1 < characters.length; i += 1) found.push(`${characters[i]}${characters[i + 1]}`)
}

const fold = (text: string): string => text.toLowerCase().normalize('NFKD').replace(marks, '').replaceAll('ß', 'ss')

/** A light stem, the same for every language: what matters is that the forms of one word meet, not that they are words. */
function stem(text: string): string {
  let left = text
  if (left.length > 4 && left.endsWith('ies')) left = `${left.slice(0, -3)}y`
  else if (left.length > 4 && /(?:x|sh|ch|ss|zz)es$/.test(left)) left = left.slice(0, -2)
  else if (left.length > 3 && left.endsWith('s') && !/(?:ss|us|is)$/.test(left)) left = left.slice(0, -1)
  if (left.length > 5 && left.endsWith('ing') && vowel.test(left.slice(0, -3))) left = left.slice(0, -3)
  else if (left.length > 4 && left.endsWith('ed')) left = left.slice(0, -2)
  else if (left.length > 6 && left.endsWith('en')) left = left.slice(0, -2)
  if (left.length > 4 && left.endsWith('e')) left = left.slice(0, -1)
  if (left.length > 4 && /([bdglmnprt])\1$/.test(left)) left = left.slice(0, -1)
  return left
}
