import { createHash } from 'node:crypto'
import type { ActorHost } from '../actors/actor-host.ts'
import type { Turn } from '../actors/seat.ts'
import { Fault, failureOf } from '../domain/errors.ts'
import type { Ids } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { HeartbeatFile } from '../tasks/heartbeat-file.ts'
import { effectsOf, intentByRule } from '../tasks/intent.ts'
import { pairRenamed } from '../tasks/renames.ts'
import { blankTask, memoryWorld } from './blank-task.ts'
import { readPlainFile } from './plain-file.ts'
import type { Stores } from './stores.ts'
import type { TaskBook } from './task-book.ts'

export interface HeartbeatTasksParts {
  file: string
  host: Pick<ActorHost, 'write'>
  stores: Stores
  ids: Ids
  book: TaskBook
}

/** How HEARTBEAT.md stands: read with so many tasks, absent, holding words but no task, or not readable. */
export type HeartbeatState =
  | { kind: 'read'; tasks: number }
  | { kind: 'absent' }
  | { kind: 'noTask' }
  | { kind: 'unreadable'; reason: string }

/** What was last made of the file, kept so that the same bytes are not read again. */
interface Kept {
  hash: string
  state: HeartbeatState
}

const keptUnder = 'heartbeat-file'

/** No more is taken into memory; what is too much to parse is told by the parser. */
const largest = 1024 * 1024

/** Keeps the tasks that come from HEARTBEAT.md level with its lines. */
export class HeartbeatTasks {
  readonly #parts: HeartbeatTasksParts
  #kept: Kept | null = null
  #unreadable: string | null = null

  constructor(parts: HeartbeatTasksParts) {
    this.#parts = parts
  }

  get state(): HeartbeatState {
    return this.#unreadable === null
      ? (this.#last()?.state ?? { kind: 'absent' })
      : { kind: 'unreadable', reason: this.#unreadable }
  }

  /** Reads the file and follows what has changed in it. One that cannot be read leaves the tasks as they were. */
  async follow(): Promise<void> {
    try {
      const bytes = await this.#bytes()
      const hash = bytes === null ? 'absent' : createHash('sha256').update(bytes).digest('hex')
      if (hash !== this.#last()?.hash) await this.#take(hash, bytes)
      this.#unreadable = null
    } catch (error) {
      if (!isOfTheFile(error)) throw error
      this.#unreadable = failureOf(error).message
    }
  }

  async #bytes(): Promise<Uint8Array | null> {
    const found = await readPlainFile(this.#parts.file, largest)
    if (found.kind === 'refused')
      throw new Fault('heartbeat/unreadable', `Cannot read HEARTBEAT.md: it ${found.why}. Put a file of tasks there.`)
    return found.kind === 'absent' ? null : found.bytes
  }

  async #take(hash: string, bytes: Uint8Array | null): Promise<void> {
    const { titles, hasText } = bytes === null ? { titles: [], hasText: false } : await parse(bytes)
    const state: HeartbeatState =
      bytes === null
        ? { kind: 'absent' }
        : titles.length === 0 && hasText
          ? { kind: 'noTask' }
          : { kind: 'read', tasks: titles.length }
    const kept = { hash, state }
    await this.#parts.host.write((turn) => {
      this.#match(turn, titles)
      this.#parts.stores.records.keep(keptUnder, kept)
    })
    this.#kept = kept
  }

  #last(): Kept | null {
    this.#kept ??= (this.#parts.stores.records.kept(keptUnder) as Kept | undefined) ?? null
    return this.#kept
  }

  #match(turn: Turn, titles: readonly string[]): void {
    const { stores, book } = this.#parts
    const known = stores.tasks.ofHeartbeatFile()
    // A line whose task is completed still stands for it: it is neither a new task nor, edited, the old one.
    const active = known.filter((task) => !task.retired)
    const gone = active.filter((task) => !titles.includes(task.title))
    const fresh = titles.filter((title) => !active.some((task) => task.title === title))
    const open = gone.filter((task) => !task.completed)
    for (const [task, title] of pairRenamed(open, fresh)) {
      const renamed = { ...task, ...wordsOf(title), title }
      stores.tasks.update(task.id, { ...wordsOf(title), title })
      turn.news({ type: 'task', id: task.id, what: 'changed' })
      gone.splice(gone.indexOf(task), 1)
      fresh.splice(fresh.indexOf(title), 1)
      book.withdrawQuestion(turn, task)
      if (renamed.asksToWrite) book.ask(turn, renamed)
    }
    for (const task of gone) book.retire(turn, task)
    for (const title of fresh) this.#add(turn, title, known)
  }

  /** A line that comes back takes up its history; one that is an open task already is that task. */
  #add(turn: Turn, title: string, known: readonly Task[]): void {
    const { stores, ids, book } = this.#parts
    if (stores.tasks.byTitle(memoryWorld, title)) return
    const former = known.find((task) => task.retired && !task.completed && task.title === title)
    const task: Task = former
      ? { ...former, retired: false }
      : {
          ...blankTask(title, turn.now),
          ...wordsOf(title),
          id: ids.next('task'),
          origin: 'heartbeat',
          source: 'system',
        }
    if (former) stores.tasks.update(former.id, { retired: false })
    else stores.tasks.insert(task)
    turn.news({ type: 'task', id: task.id, what: 'added' })
    if (task.asksToWrite) book.ask(turn, task)
  }
}

/** The parser is large and seldom needed: an unchanged file is never parsed. */
async function parse(bytes: Uint8Array): Promise<HeartbeatFile> {
  const { readHeartbeat } = await import('../tasks/heartbeat-file.ts')
  return readHeartbeat(bytes)
}

/** True for what is wrong with the file; anything else is not its fault. */
const isOfTheFile = (error: unknown): boolean =>
  error instanceof Fault ? error.code.startsWith('heartbeat/') : error instanceof Error && 'syscall' in error

/** What a line's words ask for. A file is not the user's own command: until they confirm, the task only reads. */
function wordsOf(title: string): Pick<Task, 'intent' | 'intentBy' | 'asksToWrite' | 'effects'> {
  const asksToWrite = intentByRule(title) === 'write'
  return { intent: 'read', intentBy: 'rule', asksToWrite, effects: asksToWrite ? effectsOf(title) : [] }
}
