const names = 'think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad'
const opening = new RegExp(String.raw`<(?<tag>${names})>|\[think\]|◁think▷`, 'iy')
const closing = new RegExp(String.raw`</(?:${names})>|\[/think\]|◁/think▷`, 'iy')
const channel = /<\|channel\|>\s*(?<name>\w*)/iy
const channelEnd = /<\|(?:channel|end|return|start)\|>/gi
const anyOpening = new RegExp(String.raw`${opening.source}|<\|channel\|>`, 'gi')
const anyClosing = new RegExp(closing.source, 'gi')
const shortestMark = '<think>'.length

/** A piece of an answer that is no part of what the model had to say. */
interface Thought {
  end: number
  /** True when the mark shows that what stood before it was thinking too. */
  discardsBefore: boolean
}

/**
 * The thinking that a mark at this place begins or ends, if one is there. One that is never closed goes to the end of the
 * text; a closing one makes what stood before it thinking, since servers sometimes leave the opening one out.
 */
export const thoughtAt = (text: string, at: number): Thought | undefined => {
  const closed = matchAt(closing, text, at)
  if (closed !== null) return { end: at + closed[0].length, discardsBefore: true }
  const opened = matchAt(opening, text, at)
  if (opened !== null) {
    const tag = opened.groups?.tag
    const end = tag === undefined ? anyClosing : new RegExp(`</${tag}>`, 'gi')
    const close = find(end, text, at)
    return { end: close + (matchAt(closing, text, close)?.[0].length ?? 0), discardsBefore: false }
  }
  const named = matchAt(channel, text, at)
  if (named === null) return undefined
  const behind = at + named[0].length
  if (named.groups?.name?.toLowerCase() === 'final') return { end: behind, discardsBefore: true }
  return { end: find(channelEnd, text, behind), discardsBefore: false }
}

/**
 * The thinking mark in the last piece of what looked like JSON and was not: the last closing one, else the first opening
 * one. Without this an odd quotation mark in a thought would hide its end. In a piece that was closed, it is content.
 */
export const markBetween = (text: string, from: number, to: number): { at: number; closes: boolean } | undefined => {
  if (to - from < shortestMark) return undefined
  const piece = text.slice(from, to)
  let close = piece.length
  for (let at = find(anyClosing, piece, 0); at < piece.length; at = find(anyClosing, piece, at + 1)) close = at
  if (close < piece.length) return { at: from + close, closes: true }
  const open = find(anyOpening, piece, 0)
  return open < piece.length ? { at: from + open, closes: false } : undefined
}

/** The place of the first match at or after `from`, or the end of the text. The pattern is a global one. */
export const find = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

export const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}
