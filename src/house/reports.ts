import type { Change } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import type { TickId } from '../domain/ids.ts'
import type { ReportMaterial, ReportTask, SituationReport } from '../domain/report.ts'
import type { DueTask } from '../domain/task.ts'
import type { Batch, Plan } from '../domain/world.ts'
import { planningBatches } from '../memory/batches.ts'
import { watches } from '../memory/inputs.ts'
import { findingRoomForTasks, situationReport, writingReport } from '../memory/report.ts'
import { breathe, inTurns, slices } from './slices.ts'
import type { Stores } from './stores.ts'

export interface ReportParts {
  stores: Stores
  clock: Clock
  timezone(): string
  /** How many tokens a report on so many tasks may hold. */
  budget(tasks: number): number
  /** How many tasks one answer has room for. */
  mostTasks(): number
}

const page = 100
const surfacedPerTask = 5
/** So far back is looked for what had been surfaced by then. */
const mostSurfaced = 500
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
   * before a restart keep their batches, whose windows their evaluations carry; the others' are counted from the first
   * free one.
   */
  async plan(tick: TickId, tasks: DueTask[], head: number): Promise<Plan> {
    const batches: Batch[] = []
    const { evaluations } = this.#parts.stores
    const first = evaluations.openedIn(tick).batches
    const known = new Set(evaluations.tasksOf(tick))
    const fresh = tasks.filter(({ id }) => !known.has(id))
    for (const window of await inTurns(planningBatches(fresh, { tokens: Number.POSITIVE_INFINITY }))) {
      const { tasks: _none, ...material } = this.#material([], window.inputs, window.from, head)
      const budget = this.#parts.budget(Math.min(window.tasks.length, this.#parts.mostTasks()))
      const room = { tokens: await inTurns(findingRoomForTasks(material, budget)), tasks: this.#parts.mostTasks() }
      for (const group of await inTurns(planningBatches(window.tasks, room))) {
        const report = await this.#written(group.tasks, group.from, head)
        this.#keep(batchKey(tick, first + batches.length), report)
        batches.push({
          tasks: group.tasks.map(({ id, intent, retryOf }) => ({ id, intent, retryOf })),
          from: group.from,
          through: report.left > 0 && report.through !== null ? report.through : head,
          tainted: report.hasExternalContent,
        })
      }
    }
    return { batches }
  }

  /** The report that a batch was planned on. Its evaluations say which tasks and changes it covers. */
  async ofBatch(tick: TickId, batch: number): Promise<SituationReport> {
    const key = batchKey(tick, batch)
    const known = this.#ofBatches.get(key)
    if (known) return known
    const { stores } = this.#parts
    const { from, through } = stores.evaluations.windowOf(tick, batch)
    const tasks: DueTask[] = []
    for (const some of slices(stores.evaluations.tasksOf(tick, batch), page)) {
      tasks.push(...some.flatMap((task) => stores.tasks.get(task) ?? []))
      await breathe()
    }
    const report = await this.#written(tasks, from, through)
    this.#keep(key, report)
    return report
  }

  /** Lets go of what was kept for a tick that has been judged. */
  forget(tick: TickId): void {
    for (const key of this.#ofBatches.keys()) if (key.startsWith(`${tick} `)) this.#ofBatches.delete(key)
  }

  #keep(key: string, report: SituationReport): void {
    if (this.#ofBatches.size >= mostKept) this.#ofBatches.delete(this.#ofBatches.keys().next().value ?? '')
    this.#ofBatches.set(key, report)
  }

  /** The report on the changes after `from` up to `through`, for tasks that share their inputs. */
  of(
    tasks: readonly DueTask[],
    from: number,
    through: number,
    tokens: number = this.#parts.budget(tasks.length),
  ): SituationReport {
    return situationReport(this.#material(tasks, tasks[0]?.inputs ?? [], from, through), tokens)
  }

  #written(tasks: readonly DueTask[], from: number, through: number): Promise<SituationReport> {
    const material = this.#material(tasks, tasks[0]?.inputs ?? [], from, through)
    return inTurns(writingReport(material, this.#parts.budget(tasks.length)))
  }

  /**
   * The report on which a task was judged then, as far as it can still be told: its words, its inputs and the goals are
   * those of today, and what was ill then is not known. `missing` says how many changes of its window are no longer kept.
   */
  asThen(
    row: Pick<Evaluation, 'from' | 'through' | 'createdAt'>,
    task: DueTask,
    budget: number,
  ): { report: SituationReport; missing: number } {
    const { from, through, createdAt } = row
    const material = this.#material([task], task.inputs, from, through)
    const surfaced = this.#parts.stores.evaluations
      .surfaced(task.id, mostSurfaced)
      .filter(({ at }) => at < createdAt)
      .slice(0, surfacedPerTask)
    const report = situationReport({ ...material, now: createdAt, surfaced, health: [] }, budget)
    return { report, missing: through - from - this.#kept(from, through) }
  }

  /** How many of these changes are kept; their numbers have no gaps but where some were let go of. */
  #kept(from: number, through: number): number {
    let kept = 0
    for (let after = from; after < through; ) {
      const some = this.#parts.stores.changes.keysBetween(after, through, page)
      kept += some.length
      if (some.length < page) break
      after = some.at(-1)!.seq
    }
    return kept
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

const mostKept = 32
const batchKey = (tick: TickId, batch: number): string => `${tick} ${batch}`

const asReportTask = ({ id, title, intent, inputs }: DueTask): ReportTask => ({ id, title, intent, inputs })
