import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CliParts, Dashboard } from '../../../src/cli/parts.ts'
import { run } from '../../../src/cli/run.ts'
import type { News } from '../../../src/domain/news.ts'
import type { Door } from '../../../src/rpc/door.ts'
import type { StepQuery, StepView } from '../../../src/rpc/inspector.ts'
import { methods } from '../../../src/rpc/methods/index.ts'
import type { Stdio } from '../../../src/rpc/stdio.ts'

// Outputs show local times.
process.env.TZ = 'Europe/Berlin'

/** 18:00 on 1 April 2026 in Berlin. */
export const now = Date.parse('2026-04-01T16:00:00Z')

export type Answer = unknown | ((params: Record<string, unknown>) => unknown)
export type Answers = Record<string, Answer>

export interface Call {
  method: string
  params: Record<string, unknown>
}

/**
 * A runtime in memory that gives the answers it was told to give. It holds questions and answers to the schemas of the
 * real methods, so that neither side of a test can drift from them.
 */
export class FakeDoor implements Door {
  daemon = true
  isOpen = true
  readonly calls: Call[] = []
  readonly answers: Answers
  readonly #listeners = new Set<(news: News) => void>()
  readonly #watchers = new Set<(step: StepView) => void>()

  constructor(answers: Answers) {
    this.answers = Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [name.includes('.') ? name : `subconscious.${name}`, answer]),
    )
  }

  async call(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const real = methods.get(method)
    if (!real) throw new Error(`There is no method ${method}`)
    // Calling without services tells whether the parameters are ones that it takes.
    real.params.parse(params)
    this.calls.push({ method, params })
    if (!Object.hasOwn(this.answers, method)) throw new Error(`Nobody said what ${method} answers`)
    const answer = this.answers[method]
    const given: unknown = typeof answer === 'function' ? answer(params) : answer
    return real.result.parse(await given)
  }

  async subscribe(listener: (news: News) => void): Promise<() => void> {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(query: StepQuery, listener: (step: StepView) => void) {
    this.calls.push({ method: 'watch', params: { ...query } })
    this.#watchers.add(listener)
    return { from: query.sinceSeq ?? 0, head: 0, stop: () => void this.#watchers.delete(listener) }
  }

  step(...steps: StepView[]): void {
    for (const one of steps) for (const watcher of this.#watchers) watcher(one)
  }

  get listeners(): number {
    return this.#listeners.size
  }

  emit(...news: News[]): void {
    for (const one of news) for (const listener of this.#listeners) listener(one)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOpen = false
  }
}

export interface Home {
  door: FakeDoor
  parts: CliParts
  /** Changed where a test wants another terminal. */
  io: {
    isTTY: boolean
    columns: number
    stdin: string
    stdio: Stdio
    confirm: (question: string) => boolean | null
  }
  env: Record<string, string | undefined>
  trusted: { trusted: boolean; reason?: 'never' | 'changed' }
  dashboard: Promise<Dashboard | null>
  hasBrowser: boolean
  /** What was asked of the parts, in order. */
  asked: string[]
  out(): string
  err(): string
  undermind(...argv: string[]): Promise<number>
  /** Ends what goes on, as Ctrl-C does. */
  interrupt(): void
}

/** Nothing is at this place or above it that makes a workspace. */
export const cwd = join(tmpdir(), 'undermind-cli-nowhere', 'notes')

export function home(answers: Answers = {}): Home {
  const door = new FakeDoor(answers)
  let out = ''
  let err = ''
  const io: Home['io'] = {
    isTTY: false,
    columns: 80,
    stdin: '',
    stdio: { input: new PassThrough(), output: new PassThrough() },
    confirm: () => null,
  }
  const env: Home['env'] = {}
  const asked: string[] = []
  const stops = new Set<() => void>()
  const self: Home = {
    door,
    io,
    env,
    asked,
    trusted: { trusted: true },
    dashboard: Promise.resolve(null),
    hasBrowser: true,
    out: () => out,
    err: () => err,
    undermind: (...argv) => {
      out = ''
      err = ''
      return run(argv, self.parts)
    },
    interrupt: () => {
      for (const stop of stops) stop()
    },
    parts: {
      version: '0.1.0',
      io: {
        out: (text) => {
          out += text
        },
        err: (text) => {
          err += text
        },
        get isTTY() {
          return io.isTTY
        },
        get rows() {
          return 24
        },
        get columns() {
          return io.columns
        },
        stdin: async () => io.stdin,
        stdio: () => io.stdio,
        confirm: async (question) => {
          asked.push(`confirm ${question}`)
          return io.confirm(question)
        },
      },
      env,
      cwd,
      now: () => now,
      connect: async (workspace, options) => {
        asked.push(`connect ${workspace} ${JSON.stringify(options)}`)
        return door
      },
      serve: async (workspace, options) => {
        asked.push(`serve ${workspace} ${JSON.stringify(options)}`)
        return Object.assign(door, {
          workspace,
          dashboard: self.dashboard,
          stop: async () => {
            asked.push('stop')
            await door[Symbol.asyncDispose]()
          },
        })
      },
      init: async (dir, options) => {
        asked.push(`init ${dir} ${JSON.stringify(options)}`)
        return { root: dir, made: ['.undermind', 'undermind.toml', 'HEARTBEAT.md'] }
      },
      trust: {
        state: async () => self.trusted,
        grant: async (workspace) => {
          asked.push(`grant ${workspace}`)
          return { putAside: null }
        },
        revoke: async (workspace) => void asked.push(`revoke ${workspace}`),
      },
      parse: {
        heartbeat: async (file) => [`a task of ${file}`],
        intent: (title) => (/^(email|pay|book)/i.test(title) ? 'write' : 'read'),
        decisions: async (_, tasks) =>
          Object.fromEntries(tasks.map((task, index) => [task, index ? 'failed' : 'skip'])),
      },
      eval: async () => {
        throw new Error('Nobody said what eval measures')
      },
      stately: () => {
        asked.push('stately')
        return {
          actor: ({ id, state }) => void asked.push(`stately actor ${id} ${state}`),
          step: ({ actor, event, to }) => void asked.push(`stately step ${actor} ${event} ${to}`),
          stop: () => void asked.push('stately stop'),
        }
      },
      openInBrowser: async (address) => {
        asked.push(`open ${address}`)
        return self.hasBrowser
      },
      diagrams: async () => ({ tick: 'stateDiagram-v2\n  [*] --> working', evaluation: 'stateDiagram-v2\n' }),
      exampleWorkspace: async () => '/tmp/undermind example',
      onSignal: (stop) => {
        stops.add(stop)
        return () => void stops.delete(stop)
      },
    },
  }
  return self
}
