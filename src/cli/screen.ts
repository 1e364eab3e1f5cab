import type { Io } from './parts.ts'

const esc = String.fromCharCode(27)
const enter = `${esc}[?1049h${esc}[?25l`
const exit = `${esc}[?25h${esc}[?1049l`
const home = `${esc}[H`
const toLineEnd = `${esc}[K`
const toEnd = `${esc}[J`

/** The whole terminal for as long as something is shown in it; what stood there before comes back afterwards. */
export class Screen {
  readonly #io: Pick<Io, 'out' | 'rows'>
  #isOver = false
  #lines: string[] = []

  constructor(io: Pick<Io, 'out' | 'rows'>) {
    this.#io = io
    io.out(enter)
  }

  /** Shows as many lines as there is room for, and how many there is none for. */
  show(lines: string[]): void {
    if (this.#isOver) return
    this.#lines = lines
    const room = Math.max(1, this.#io.rows - 1)
    const left = lines.length - room
    const shown = left > 0 ? [...lines.slice(0, room - 1), `… ${left + 1} more lines`] : lines
    this.#io.out(`${home}${shown.map((line) => `${line}${toLineEnd}\n`).join('')}${toEnd}`)
  }

  /** Gives the terminal back, and leaves standing in it what was shown last. */
  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#io.out(`${exit}${this.#lines.map((line) => `${line}\n`).join('')}`)
  }
}
