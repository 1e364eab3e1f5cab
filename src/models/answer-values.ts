import { type JSONRead, readJSON, readScalar } from './json-value.ts'

/** The JSON of an answer, in order, and whether the answer stopped in the middle of something. */
interface AnswerValues {
  reads: JSONRead[]
  cutOff: boolean
}

const names = 'think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad'
const opening = new RegExp(String.raw`<(?<tag>${names})>|\[think\]|◁think▷`, 'iy')
const closing = new RegExp(String.raw`</(?:${names})>|\[/think\]|◁/think▷`, 'iy')
const channel = /<\|channel\|>\s*(?<name>\w*)/iy
const channelEnd = /<\|(?:channel|end|return|start)\|>/gi
const anyOpening = new RegExp(String.raw`${opening.source}|<\|channel\|>`, 'gi')
const anyClosing = new RegExp(closing.source, 'gi')
const shortestMark = '<think>'.length
const interesting = /[{["<◁]/g
const visible = /\S/g
/** A string that holds JSON: an answer that was encoded twice. */
const encoded = /"(?:\s|\\[nrt])*[{[](?:\s|\\[nrt])*(?:\\"|[{[])/y

/**
 * Finds the JSON objects and arrays in a model's answer, between prose and code fences. What is thinking holds none:
 * neither between thinking marks, nor behind one that is never closed, nor before a closing one, since servers
 * sometimes leave the opening one out. Time grows with the length of the answer only.
 */
export const valuesIn = (text: string, wanted: (read: JSONRead) => boolean): AnswerValues => {
  let reads: JSONRead[] = []
  let cutOff = false
  let at = 0
  for (;;) {
    at = find(interesting, text, at)
    if (at === text.length) return { reads, cutOff }
    const thought = thoughtAt(text, at)
    if (thought !== undefined) {
      if (thought.discardsBefore) reads = []
      cutOff ||= thought.end === text.length
      at = thought.end
    } else if (text[at] === '"') {
      const scalar = matchAt(encoded, text, at) !== null ? readScalar(text, at) : { end: at + 1 }
      if (typeof scalar.value === 'string') {
        const inner = valuesIn(scalar.value, wanted)
        for (const read of inner.reads) reads.push(read)
        cutOff ||= inner.cutOff
      } else cutOff ||= scalar.end >= text.length
      at = scalar.end
    } else if (text[at] === '{' || text[at] === '[') {
      const read = readJSON(text, at)
      const mark = read.open.length > 0 ? markBetween(text, read.closed, read.end) : undefined
      // A closing mark makes what stood before it thinking; it is met again, and acted on, where reading goes on.
      if (!mark?.closes && wanted(read)) reads.push(read)
      cutOff ||= read.open.length > 0 && find(visible, text, read.end) === text.length
      at = mark?.at ?? read.end
    } else at++
  }
}

interface Thought {
  end: number
  /** True when the mark shows that what stood before it was thinking too. */
  discardsBefore: boolean
}

const thoughtAt = (text: string, at: number): Thought | undefined => {
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
const markBetween = (text: string, from: number, to: number): { at: number; closes: boolean } | undefined => {
  if (to - from < shortestMark) return undefined
  const piece = text.slice(from, to)
  let close = piece.length
  for (let at = find(anyClosing, piece, 0); at < piece.length; at = find(anyClosing, piece, at + 1)) close = at
  if (close < piece.length) return { at: from + close, closes: true }
  const open = find(anyOpening, piece, 0)
  return open < piece.length ? { at: from + open, closes: false } : undefined
}

/** The place of the first match at or after `from`, or the end of the text. */
const find = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

const matchAt = (sticky: RegExp, text: string, at: number): RegExpExecArray | null => {
  sticky.lastIndex = at
  return sticky.exec(text)
}
