import { atOnce, type Steps } from '../domain/steps.ts'
import { type JSONRead, readingJSON, readScalar } from './json-value.ts'
import { find, markBetween, matchAt, thoughtAt } from './thinking-marks.ts'

/** The JSON of an answer, in order, and whether the answer stopped in the middle of something. */
interface AnswerValues {
  reads: JSONRead[]
  cutOff: boolean
}

const interesting = /[{["<◁]/g
const visible = /\S/g
/** Places where a value or a mark may begin that are looked at in a step. */
const foundPerStep = 200
/** A string that holds JSON: an answer that was encoded twice. */
const encoded = /"(?:\s|\\[nrt])*[{[](?:\s|\\[nrt])*(?:\\"|[{[])/y

/**
 * Finds the JSON objects and arrays in a model's answer, between prose and code fences. What is thinking holds none:
 * neither between thinking marks, nor behind one that is never closed, nor before a closing one, since servers
 * sometimes leave the opening one out. Time grows with the length of the answer only.
 */
export const valuesIn = (text: string, wanted: (read: JSONRead) => boolean): AnswerValues =>
  atOnce(findingValues(text, wanted))

/** The same in steps. */
export function* findingValues(text: string, wanted: (read: JSONRead) => boolean): Steps<AnswerValues> {
  let reads: JSONRead[] = []
  let cutOff = false
  let at = 0
  for (let found = 1; ; found++) {
    if (found % foundPerStep === 0) yield
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
        const inner = yield* findingValues(scalar.value, wanted)
        for (const read of inner.reads) reads.push(read)
        cutOff ||= inner.cutOff
      } else cutOff ||= scalar.end >= text.length
      at = scalar.end
    } else if (text[at] === '{' || text[at] === '[') {
      const read = yield* readingJSON(text, at)
      const mark = read.open.length > 0 ? markBetween(text, read.closed, read.end) : undefined
      // A closing mark makes what stood before it thinking; it is met again, and acted on, where reading goes on.
      if (!mark?.closes && wanted(read)) reads.push(read)
      cutOff ||= read.open.length > 0 && find(visible, text, read.end) === text.length
      at = mark?.at ?? read.end
    } else at++
  }
}
