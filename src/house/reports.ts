import type { Change } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { TickId } from '../domain/ids.ts'
import type { ReportMaterial, ReportTask, SituationReport } from '../domain/report.ts'
import type { DueTask } from '../domain/task.ts'
import type { Batch, Plan } from '../domain/world.ts'
import { planBatches } from '../memory/batches.ts'
import { watches } from '../memory/inputs.ts'
import { roomForTasks, situationReport } from '../memory/report.ts'
import { breathe } from './slices.ts'
import type { Stores } from './stores.ts'

export interface ReportParts {
  stores: Stores
  clock: Clock
  timezone(): string
  /** How many tokens one report may hold. */
  budget(): number
}

const page = 100
const surfacedPerTask = 5
/** Beyond this many tasks in a batch, what each has surfaced is not looked up one by one. */
const mostTasksWithHistory = 200

/** Builds situation reports from rows. Building has no side effect, and the same rows give the same report. */
export class Reports {
  readonly #parts: ReportParts
  /** Reports of batches that are being judged; built again from the rows where a restart has lost them. */
  readonly #ofBatches = new Map<string, SituationReport>()

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /**
   * Shares a tick's tasks out into batches, each with the window that its report can show. Tasks that the tick has opened
   * before a restart keep their batches; the others' are counted from the first free one.
   */
  async plan(tick: TickId, tasks: DueTask[], head: number): Promise<Plan> {
    const batches: Batch[] = []
    const opened = this.#parts.stores.evaluations.ofTick(tick)
    const first = firstFreeBatch(opened)
    const known = new Set(opened.map(({ task }) => task))
    const fresh = tasks.filter(({ id }) => !known.has(id))
    for (const window of planBatches(fresh, { tokens: Number.POSITIVE_INFINITY })) {
      const { tasks: _none, ...material } = this.#material([], window.inputs, window.from, head)
      const room = roomForTasks(material, this.#parts.budget())
      for (const group of planBatches(window.tasks, { tokens: room })) {
        const report = this.of(group.tasks, group.from, head)
        this.#keep(batchKey(tick, first + batches.length), report)
        batches.push({
          tasks: group.tasks.map(({ id, intent, retryOf }) => ({ id, intent, retryOf })),
          from: group.from,
          through: report.left > 0 && report.through !== null ? report.through : head,
          tainted: report.hasExternalContent,
        })
        await breathe()
      }
    }
    return { batches }
  }

  /** The report that a batch was planned on. Its evaluations say which tasks and changes it covers. */
  ofBatch(tick: TickId, batch: number): SituationReport {
    const key = batchKey(tick, batch)
    const known = this.#ofBatches.get(key)
    if (known) return known
    const { stores } = this.#parts
    const rows = stores.evaluations.ofTick(tick).filter((row) => row.batch === batch)
    const tasks = rows.flatMap(({ task }) => stores.tasks.get(task) ?? [])
    const report = this.of(
      tasks,
      Math.min(...rows.map(({ from }) => from)),
      Math.max(...rows.map(({ through }) => through)),
    )
    this.#keep(key, report)
    return report
  }

  #keep(key: string, report: SituationReport): void {
    if (this.#ofBatches.size >= mostKept) this.#ofBatches.delete(this.#ofBatches.keys().next().value ?? '')
    this.#ofBatches.set(key, report)
  }

  /** The report on the changes after `from` up to `through`, for tasks that share their inputs. */
  of(tasks: readonly DueTask[], from: number, through: number): SituationReport {
    return situationReport(this.#material(tasks, tasks[0]?.inputs ?? [], from, through), this.#parts.budget())
  }

  #material(tasks: readonly DueTask[], inputs: readonly string[], from: number, through: number): ReportMaterial {
    const { stores, clock, timezone } = this.#parts
    const withHistory = tasks.length > mostTasksWithHistory ? [] : tasks
    return {
      now: clock.now(),
      timezone: timezone(),
      tasks: tasks.map(asReportTask),
      goals: stores.tasks.goals(),
      changes: this.#changes(inputs, from, through),
      surfaced: withHistory.flatMap((task) => stores.evaluations.surfaced(task.id, surfacedPerTask)),
      health: stores.changes
        .sources()
        .flatMap(({ title, failure }) => (failure === null ? [] : [`${title}: ${failure}`])),
    }
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

/** The number of a tick's next batch. Batches once opened are never planned anew: their evaluations carry their windows. */
export const firstFreeBatch = (opened: readonly Pick<Evaluation, 'batch'>[]): number =>
  Math.max(-1, ...opened.map(({ batch }) => batch)) + 1

const mostKept = 32
const batchKey = (tick: TickId, batch: number): string => `${tick} ${batch}`

const asReportTask = ({ id, title, intent, inputs }: DueTask): ReportTask => ({ id, title, intent, inputs })
