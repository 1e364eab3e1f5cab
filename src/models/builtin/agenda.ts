import { datesIn } from './dates.ts'
import { type Note, sameSubject, wordsOf } from './notes.ts'
import { type Line, readLine } from './reading.ts'
import type { Scene } from './scene.ts'
import { any, Signal } from './signals.ts'

const mostLines = 2000
/** A shorter quote may stand in the agenda by chance. */
const shortestQuote = 8

/** What AGENDA.md holds, as far as it matters for what is to be noted in it. */
export class Agenda {
  readonly #text: string
  readonly #scene: Scene
  readonly #lines: { line: Line; subject: ReadonlySet<string> }[]
  readonly #known = new WeakMap<Line, boolean>()

  constructor(text: string, scene: Scene) {
    this.#text = text
    this.#scene = scene
    this.#lines = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-mostLines)
      .map((text) => readLine(text))
      .map((line) => ({ line, subject: wordsOf(line) }))
  }

  /** True when a line must be started before something is appended. */
  get endsInMidLine(): boolean {
    return this.#text !== '' && !this.#text.endsWith('\n')
  }

  /** Whether it holds the quoted line, or a line on the same subject with the same date. */
  has(note: Note): boolean {
    const before = this.#known.get(note.line)
    if (before !== undefined) return before
    const has =
      (note.quote.text.length >= shortestQuote && this.#text.includes(note.quote.text)) ||
      this.#lines.some(({ line, subject }) => sameSubject(subject, note.subject) && this.#names(line, note.day))
    this.#known.set(note.line, has)
    return has
  }

  #names(line: Line, day: number): boolean {
    const moved = any(line.signals, Signal.moved)
    return datesIn(line.text, line.dateLanguages, this.#scene.now, moved).some((date) => date.day === day)
  }
}
