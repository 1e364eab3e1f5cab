const lineEnd = 0x0a

/** Cuts a stream of bytes into lines. Every byte is looked at once, however the stream is cut up. */
export class Lines {
  readonly #most: number
  #ready: Buffer[] = []
  #taken = 0
  #begun: Buffer[] = []
  #begunBytes = 0
  #tooLong = false

  /** `most`: bytes that a line may have. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** True once a line was longer than it may be; nothing after it is kept. */
  get tooLong(): boolean {
    return this.#tooLong
  }

  /** True while a line has begun and not ended. */
  get half(): boolean {
    return this.#begunBytes > 0
  }

  get waiting(): boolean {
    return this.#taken < this.#ready.length
  }

  /** Returns whether a line ended. */
  push(chunk: Buffer): boolean {
    let ended = false
    for (let from = 0; from < chunk.length && !this.#tooLong; ) {
      const to = chunk.indexOf(lineEnd, from)
      this.#grow(chunk.subarray(from, to === -1 ? chunk.length : to))
      if (to === -1) break
      this.end()
      ended = true
      from = to + 1
    }
    return ended
  }

  /** Takes what has come of the last line for all of it. */
  end(): void {
    if (!this.half) return
    this.#ready.push(this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun))
    this.#begun = []
    this.#begunBytes = 0
  }

  /** The next line, without its end; empty lines are left out. */
  next(): Buffer | undefined {
    const line = this.#ready[this.#taken]
    if (line) this.#taken++
    if (!this.waiting) {
      this.#ready = []
      this.#taken = 0
    }
    return line
  }

  #grow(part: Buffer): void {
    if (part.length === 0) return
    this.#begun.push(part)
    this.#begunBytes += part.length
    if (this.#begunBytes <= this.#most) return
    this.#tooLong = true
    this.#begun = []
    this.#begunBytes = 0
  }
}
