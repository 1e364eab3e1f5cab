import { resolve } from 'node:path'
import type { Command } from 'commander'
import { Fault } from '../domain/errors.ts'
import type { Door } from '../rpc/door.ts'
import type { Page } from './page.ts'
import { painter } from './paint.ts'
import type { CliParts } from './parts.ts'
import { printable, printableJson } from './printable.ts'
import { shellWord, workspaceAround } from './workspace.ts'
import { wrap } from './wrap.ts'

/** Options that every command understands. */
export interface GlobalOptions {
  workspace?: string
  json?: boolean
  color?: boolean
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

const testClockOf = (env: CliParts['env']): string | undefined => {
  const given = env.UNDERMIND_CLOCK
  if (given === undefined || given === '') return undefined
  if (isoTime.test(given) && !Number.isNaN(Date.parse(given))) return given
  const sentence = `UNDERMIND_CLOCK is "${given}", which is no ISO time. Set it to one, such as 2026-04-01T18:00:00Z, or unset it.`
  throw Fault.use('cli/clock-invalid', sentence, { clock: given })
}

/** What a command works with: its surroundings, and how it speaks to people and to programs. */
export class Shell implements Page {
  readonly parts: CliParts
  readonly #options: () => GlobalOptions
  #began: number | undefined
  exitCode = 0
  /** Whether the environment may say what time it is. */
  mayTestClock = true

  constructor(parts: CliParts, options: () => GlobalOptions) {
    this.parts = parts
    this.#options = options
  }

  get json(): boolean {
    return this.#options().json === true
  }

  /** Whether a person sits there who reads what is written. */
  get isForPerson(): boolean {
    return this.parts.io.isTTY && !this.json
  }

  get paint() {
    const { io, env } = this.parts
    return painter(io.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' && this.#options().color !== false)
  }

  get columns(): number {
    const { isTTY, columns } = this.parts.io
    return isTTY && columns > 0 ? columns : Number.POSITIVE_INFINITY
  }

  /** Where the clock is to start, as an ISO time; undefined where it tells the real time. */
  get testClock(): string | undefined {
    return this.mayTestClock ? testClockOf(this.parts.env) : undefined
  }

  /** What the environment asks of a runtime. */
  get clockOption(): { testClock?: string } {
    const clock = this.testClock
    return clock === undefined ? {} : { testClock: clock }
  }

  /** The time that it is in the workspace. */
  now = (): number => {
    const clock = this.testClock
    const real = this.parts.now()
    this.#began ??= real
    return clock === undefined ? real : Date.parse(clock) + real - this.#began
  }

  get givenWorkspace(): string | undefined {
    const given = this.#options().workspace
    return given === undefined ? undefined : resolve(this.parts.cwd, given)
  }

  get workspace(): string {
    return this.givenWorkspace ?? workspaceAround(this.parts.cwd)
  }

  /** A command as a person can type it from where they are. */
  command(words: string, workspace = this.workspace): string {
    const where = workspace === workspaceAround(this.parts.cwd) ? '' : ` -w ${shellWord(printable(workspace))}`
    return `undermind${where} ${words}`
  }

  /** Opens the way to the workspace for as long as `use` takes. */
  async withDoor<T>(use: (door: Door) => Promise<T>): Promise<T> {
    await using door = await this.parts.connect(this.workspace, this.clockOption)
    return await use(door)
  }

  /** Lines for a person. */
  say(...lines: string[]): void {
    this.parts.io.out(lines.map((line) => `${line}\n`).join(''))
  }

  /** A sentence for a person, wrapped. */
  tell(sentence: string): void {
    this.say(...wrap(printable(sentence), this.columns))
  }

  /** A value for a program: on one line, unless somebody reads it. */
  print(value: unknown): void {
    this.parts.io.out(`${printableJson(value, this.parts.io.isTTY ? 2 : undefined)}\n`)
  }

  /** One of many values, a line each. */
  printLine(value: unknown): void {
    this.parts.io.out(`${printableJson(value)}\n`)
  }

  /** A remark that is not the result. */
  remark(sentence: string): void {
    for (const line of wrap(printable(sentence), this.columns)) this.parts.io.err(`${this.paint('gray', line)}\n`)
  }

  /** Shows a person that something is going on until it has ended. */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    if (!this.isForPerson) return await work
    this.parts.io.err(this.paint('gray', what))
    try {
      return await work
    } finally {
      this.parts.io.err(`\r${' '.repeat(what.length)}\r`)
    }
  }

  /** Hangs what a command does onto it; the number it comes to, if any, is the exit code. */
  act<Given extends unknown[]>(command: Command, does: (...given: Given) => unknown): Command {
    return command.action(async (...given) => {
      const code = await does(...(given as Given))
      this.exitCode = typeof code === 'number' ? code : 0
    })
  }
}
