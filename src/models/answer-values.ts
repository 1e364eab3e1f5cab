import { type JSONRead, readJSON, readScalar } from './json-value.ts'

/** The JSON of an answer, in order, and whether the answer stopped in the middle of something. */
export interface AnswerValues {
  reads: JSONRead[]
  cutOff: boolean
}

const names = 'think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad'
const opening = new RegExp(String.raw`<(?<tag>${names})>|\[think\]|◁think▷`, 'iy')
const closing = new RegExp(String.raw`</(?:${names})>|\[/think\]|◁/think▷`, 'iy')
const channel = /<\|channel\|>\s*(?<name>\w*)/iy
const channelEnd = /<\|(?:channel|end|return|start)\|>/gi
const anyOpening = new RegExp(String.raw`${opening.source}|<\|channel\|>`, 'i')
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
export const valuesIn = (text: string, wanted: (read: JSONRead) => boolean, depth = 0): AnswerValues => {
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
      const scalar = depth < 2 && matchAt(encoded, text, at) !== null ? readScalar(text, at) : { end: at + 1 }
      if (typeof scalar.value === 'string') {
        const inner = valuesIn(scalar.value, wanted, depth + 1)
        for (const read of inner.reads) reads.push(read)
        cutOff ||= inner.cutOff
      } else cutOff ||= scalar.end >= text.length
      at = scalar.end
    } else if (text[at] === '{' || text[at] === '[') {
      const read = readJSON(text, at)
      const complete = read.open.length === 0
      const mark = complete ? undefined : markBetween(text, at, read.end)
      if (mark === undefined) {
        if (wanted(read)) reads.push(read)
        cutOff ||= !complete && find(visible, text, read.end) === text.length
      }
      at = mark ?? read.end
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
 * Where thinking marks stand in a piece that looked like JSON and was not: the last closing one, else the first opening
 * one. Reading goes on from there, so that an odd quotation mark in a thought hides neither.
 */
const markBetween = (text: string, from: number, to: number): number | undefined => {
  if (to - from < shortestMark) return undefined
  const piece = text.slice(from, to)
  const close = [...piece.matchAll(anyClosing)].at(-1)?.index
  const mark = close ?? anyOpening.exec(piece)?.index
  return mark === undefined ? undefined : from + mark
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
