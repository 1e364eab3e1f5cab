import type { Change } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import type { ReportTask, SituationReport, Surfaced } from '../domain/report.ts'
import type { Task } from '../domain/task.ts'
import type { Batch, Plan } from '../domain/world.ts'
import { planBatches } from '../memory/batches.ts'
import { watches } from '../memory/inputs.ts'
import { situationReport } from '../memory/report.ts'
import { breathe } from './slices.ts'
import type { Stores } from './stores.ts'

export interface ReportParts {
  stores: Stores
  clock: Clock
  timezone(): string
  /** How many tokens one report may hold. */
  budget(): number
}

/** Of a report's room, the part that the list of tasks may take. */
const shareOfTasks = 0.6
const page = 100
const surfacedPerTask = 5
/** Beyond this many tasks in a batch, what each has surfaced is not looked up one by one. */
const mostTasksWithHistory = 200

/** Builds situation reports from rows. Building has no side effect, and the same rows give the same report. */
export class Reports {
  readonly #parts: ReportParts

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /** Shares tasks out into batches, each with the window that its report can show. */
  async plan(tasks: Task[], head: number): Promise<Plan> {
    const batches: Batch[] = []
    for (const group of planBatches(tasks, { tokens: this.#parts.budget() * shareOfTasks })) {
      const report = this.of(group.tasks, group.from, head)
      batches.push({
        tasks: group.tasks.map(({ id }) => id),
        from: group.from,
        through: report.left > 0 && report.through !== null ? report.through : head,
        tainted: report.hasExternalContent,
      })
      await breathe()
    }
    return { batches }
  }

  /** The report on the changes after `from` up to `through`, for tasks that share their inputs. */
  of(tasks: readonly Task[], from: number, through: number): SituationReport {
    const { stores, clock, timezone, budget } = this.#parts
    const inputs = tasks[0]?.inputs ?? []
    return situationReport(
      {
        now: clock.now(),
        timezone: timezone(),
        tasks: tasks.map(asReportTask),
        goals: stores.tasks.goals(),
        changes: this.#changes(inputs, from, through),
        surfaced:
          tasks.length > mostTasksWithHistory
            ? []
            : tasks.flatMap((task): Surfaced[] => stores.evaluations.surfaced(task.id, surfacedPerTask)),
        health: stores.changes
          .sources()
          .flatMap(({ title, failure }) => (failure === null ? [] : [`${title}: ${failure}`])),
      },
      budget(),
    )
  }

  *#changes(inputs: readonly string[], from: number, through: number): Generator<Change> {
    for (let after = from; after < through; ) {
      const changes = this.#parts.stores.changes.between(after, through, page)
      for (const change of changes) if (watches([...inputs], change.source, change.key)) yield change
      if (changes.length < page) return
      after = changes.at(-1)!.seq
    }
  }
}

const asReportTask = ({ id, title, intent, inputs }: Task): ReportTask => ({ id, title, intent, inputs })
