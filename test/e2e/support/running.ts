import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** Less than a test may take, so that a failure tells what was said instead. */
const longest = 40_000

interface Waiting {
  isThere: () => boolean
  resolve: () => void
  reject: (error: Error) => void
}

/** A process under way. What it says can be waited for, so that nobody has to guess how long it takes. */
export class Running {
  readonly #child: Child
  readonly ended: Promise<Ended>
  out = ''
  err = ''
  #waiting: Waiting[] = []
  #isOver = false

  constructor(child: Child) {
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text
      this.#look()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
      this.#look()
    })
    child.stdin.on('error', () => {}) // whoever ends early does not read
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#isOver = true
        for (const { reject } of this.#waiting)
          reject(this.#failure(`It ended with ${code ?? signal} before it said it`))
        resolve({ code, signal, out: this.out, err: this.err })
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Resolves when it has said this, on standard output or to the errors. */
  until(said: string | RegExp, where: 'out' | 'err' = 'out'): Promise<void> {
    const isThere = (): boolean => (typeof said === 'string' ? this[where].includes(said) : said.test(this[where]))
    if (isThere()) return Promise.resolve()
    if (this.#isOver) return Promise.reject(this.#failure(`It had ended without saying ${said}`))
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(this.#failure(`It did not say ${said} in time`)), longest)
      const settled = (then: () => void) => {
        clearTimeout(late)
        then()
      }
      this.#waiting.push({
        isThere,
        resolve: () => settled(resolve),
        reject: (error) => settled(() => reject(error)),
      })
    })
  }

  /** Goes away from standard output, as `head` does when it has seen enough. */
  stopReading(): void {
    this.#child.stdout.destroy()
  }

  write(text: string): void {
    this.#child.stdin.write(text)
  }

  end(text = ''): void {
    this.#child.stdin.end(text)
  }

  signal(signal: NodeJS.Signals): Promise<Ended> {
    this.#child.kill(signal)
    return this.ended
  }

  #look(): void {
    for (const { isThere, resolve } of this.#waiting) if (isThere()) resolve()
    this.#waiting = this.#waiting.filter(({ isThere }) => !isThere())
  }

  #failure(sentence: string): Error {
    return new Error(`${sentence}.\n--- out\n${this.out}\n--- err\n${this.err}`)
  }
}
