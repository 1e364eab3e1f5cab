import type { ActorHost } from '../../actors/actor-host.ts'
import type { Turn } from '../../actors/seat.ts'
import type { TaskId } from '../../domain/ids.ts'
import type { PastStore } from '../../store/past.ts'
import { breathe } from '../slices.ts'
import type { Stores } from '../stores.ts'
import type { TaskBook } from '../task-book.ts'
import { Findings } from './findings.ts'

export interface ImportRunParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  past: PastStore
  book: TaskBook
  /** Only says what would be done. */
  dryRun: boolean
  /** Names a row of there by an id of ours, always the same. */
  ids(prefix: string, kind: string, key: string): string
  now: number
  /** Told of every row that has been looked at. */
  onRows(rows: number): void
}

const slice = 200

/** What one import knows on its way through the tables. */
export class ImportRun {
  readonly parts: ImportRunParts
  readonly findings = new Findings()
  /** The task here that a task of there has become. */
  readonly tasks = new Map<string, TaskId>()

  constructor(parts: ImportRunParts) {
    this.parts = parts
  }

  /**
   * Takes rows over, so many in a transaction: one that is killed has all of a slice or nothing of it, and goes on when it
   * is run again. Whatever `take` counts belongs to its transaction, which may be tried more than once.
   */
  async each<Row>(rows: Iterable<Row>, take: (row: Row, turn: Turn, findings: Findings) => void): Promise<void> {
    let waiting: Row[] = []
    const write = async () => {
      const taken = waiting
      waiting = []
      const counted = await this.#write((turn) => {
        const findings = new Findings()
        for (const row of taken) take(row, turn, findings)
        return findings
      })
      this.findings.add(counted)
      this.parts.onRows(taken.length)
      await breathe()
    }
    for (const row of rows) {
      waiting.push(row)
      if (waiting.length === slice) await write()
    }
    if (waiting.length > 0) await write()
  }

  async #write(change: (turn: Turn) => Findings): Promise<Findings> {
    if (!this.parts.dryRun) return this.parts.host.write(change)
    try {
      return await this.parts.host.write<never>((turn) => {
        throw new NotMeant(change(turn))
      })
    } catch (error) {
      if (error instanceof NotMeant) return error.findings
      throw error
    }
  }
}

/** Thrown to undo what was tried. */
class NotMeant extends Error {
  readonly findings: Findings

  constructor(findings: Findings) {
    super('It was only tried.')
    this.findings = findings
  }
}
