import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { type TestContext, vi } from 'vitest'
import { bin, build } from './built.ts'
import { type Ended, Running } from './running.ts'

/** Every command is a process of its own, and the machine may be busy. */
vi.setConfig({ testTimeout: 90_000 })

const nobody = 65_534

/** Ends what hangs, long before the test runner would. */
const longest = 60_000

export interface How {
  cwd?: string
  stdin?: string
  env?: Record<string, string>
  /** Options of Node, before the program. */
  node?: readonly string[]
  /** Another user to run as. */
  uid?: number
}

/** A user's place: settings and a folder of their own, with nothing of the environment that the tests run in. */
export class Desk {
  readonly root: string
  readonly config: string
  readonly #running = new Set<Running>()

  constructor(root: string) {
    this.root = root
    this.config = this.folder('config')
    this.folder('tmp')
  }

  path(...names: string[]): string {
    return join(this.root, ...names)
  }

  folder(name: string): string {
    const path = this.path(name)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** Files by path, the folders on the way made as needed. */
  write(files: Readonly<Record<string, string>>, folder = this.root): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }

  copy(from: string, to: string): void {
    cpSync(from, this.path(to), { recursive: true })
  }

  get env(): Record<string, string> {
    const { PATH = '', SystemRoot } = process.env
    return {
      PATH,
      ...(SystemRoot !== undefined && { SystemRoot }),
      HOME: this.root,
      XDG_CONFIG_HOME: this.config,
      APPDATA: this.config,
      TMPDIR: this.path('tmp'),
      TZ: 'Europe/Berlin',
      LANG: 'C.UTF-8',
    }
  }

  /** Begins a process that goes on by itself. */
  spawn(program: string, words: readonly string[], { cwd = this.root, env = {}, uid }: How = {}): Running {
    const child = spawn(program, words, {
      cwd,
      env: { ...this.env, ...env },
      stdio: 'pipe',
      timeout: longest,
      killSignal: 'SIGKILL',
      ...(uid !== undefined && { uid, gid: uid }),
    })
    const running = new Running(child)
    this.#running.add(running)
    void running.ended.then(() => this.#running.delete(running))
    return running
  }

  /** Begins the command. */
  begin(words: readonly string[], how: How = {}): Running {
    return this.spawn(process.execPath, [...(how.node ?? []), bin, ...words], how)
  }

  /** Runs the command to its end. */
  run(words: readonly string[], how: How = {}): Promise<Ended> {
    const running = this.begin(words, how)
    running.end(how.stdin)
    return running.ended
  }

  /** Runs the command for a program, which expects it to succeed; returns what it printed. */
  async json(words: readonly string[], how: How = {}): Promise<unknown> {
    const { code, out, err } = await this.run([...words, '--json'], how)
    if (code !== 0) throw new Error(`undermind ${words.join(' ')} ended with ${code}:\n${out}${err}`)
    return JSON.parse(out)
  }

  /** Lets something be done by one who may not use a folder of this desk: another user, where this one may use everything. */
  async without(folder: string, use: (how: How) => Promise<void>): Promise<void> {
    if (process.getuid?.() === 0) {
      chmodSync(this.root, 0o755)
      return use({ uid: nobody })
    }
    chmodSync(folder, 0)
    try {
      await use({})
    } finally {
      chmodSync(folder, 0o700)
    }
  }

  /** The store of a workspace, beside whoever has it open. */
  store(workspace: string, options: { readonly?: boolean } = { readonly: true }): Database.Database {
    return new Database(join(workspace, '.undermind/state.db'), options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.signal('SIGKILL')))
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A desk for one test, cleared when it has finished. */
export function desk(test: TestContext): Desk {
  build()
  const made = new Desk(realpathSync(mkdtempSync(join(tmpdir(), 'undermind-e2e-'))))
  test.onTestFinished(() => made[Symbol.asyncDispose]())
  return made
}
