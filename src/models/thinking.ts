import { readJSON } from './json-value.ts'
import { find, markBetween, thoughtAt } from './thinking-marks.ts'

const interesting = /[{[<◁]/g
/** What frames the messages of a model that answers in channels. */
const frames = /<\|start\|>\s*\w*|<\|(?:message|end|return|call|constrain)\|>/gi

/**
 * A model's answer without what it thought on the way, between marks of any usual kind, also where one of the two marks
 * is missing. A mark that stands inside a JSON value or right behind a backtick is quoted and stays. Text without marks
 * comes back as it is. Time grows with the length of the answer only.
 */
export const withoutThinking = (text: string): string => {
  let kept: string[] = []
  let keptTo = 0
  let thought = false
  let channels = false
  let at = 0
  for (;;) {
    at = find(interesting, text, at)
    if (at === text.length) break
    const found = text[at - 1] === '`' ? undefined : thoughtAt(text, at)
    if (found !== undefined) {
      thought = true
      channels ||= text.startsWith('<|', at)
      if (found.discardsBefore) kept = []
      else kept.push(text.slice(keptTo, at))
      at = found.end
      keptTo = at
    } else if (text[at] === '{' || text[at] === '[') {
      const read = readJSON(text, at)
      const mark = read.open.length > 0 ? markBetween(text, read.closed, read.end) : undefined
      at = mark?.at ?? read.end
    } else at++
  }
  if (!thought) return text
  kept.push(text.slice(keptTo))
  const said = kept.join('')
  return (channels ? said.replace(frames, '') : said).trim()
}
