/**
 * What is left of two texts without the whole lines that both begin or end with. Every line of what is left has its line
 * end, the last one too.
 */
export function withoutCommonEnds(before: string, after: string): [before: string, after: string] {
  const was = ended(before)
  const is = ended(after)
  const start = commonStart(was, is)
  const end = commonEnd(was, is, start)
  return [was.slice(start, was.length - end), is.slice(start, is.length - end)]
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function commonStart(was: string, is: string): number {
  const most = Math.min(was.length, is.length)
  let start = 0
  while (start < most && was.charCodeAt(start) === is.charCodeAt(start)) start += 1
  return start === 0 ? 0 : was.lastIndexOf('\n', start - 1) + 1
}

function commonEnd(was: string, is: string, start: number): number {
  const most = Math.min(was.length, is.length) - start
  let end = 0
  while (end < most && was.charCodeAt(was.length - 1 - end) === is.charCodeAt(is.length - 1 - end)) end += 1
  if (end === 0 || (startsLine(was, was.length - end) && startsLine(is, is.length - end))) return end
  return was.length - 1 - was.indexOf('\n', was.length - end)
}

const startsLine = (text: string, at: number): boolean => at === 0 || text.charCodeAt(at - 1) === 10
