import type { ActorHost } from '../actors/actor-host.ts'
import { instanceId } from '../actors/heartbeat.ts'
import { type Asked, type Judged, usedUp } from '../actors/tick.ts'
import type { WorkHandler, WorkRun } from '../actors/work.ts'
import type { Clock } from '../domain/clock.ts'
import { type Failure, Fault } from '../domain/errors.ts'
import { type ActorId, type EvaluationId, id, type TaskId, type TickId } from '../domain/ids.ts'
import type { SituationReport } from '../domain/report.ts'
import type { Observation, World } from '../domain/world.ts'
import type { EvaluationEvent, EvaluationInput } from '../machines/evaluation-words.ts'
import type {
  BatchWork,
  CommitWork,
  DealWork,
  LeaveWork,
  LookWork,
  Observed,
  Opened,
  SeenWork,
  TickWork,
} from '../machines/tick-words.ts'
import { noVerdicts } from '../models/decisions.ts'
import type { Judged as ToBeJudged } from '../store/evaluations.ts'
import { inquire } from './asking.ts'
import type { Calls } from './calls.ts'
import type { DueAt } from './due-tasks.ts'
import { asRateCap, passGate } from './gate.ts'
import { Judging } from './judging.ts'
import type { Reports } from './reports.ts'
import type { Routes } from './routes.ts'
import { slices } from './slices.ts'
import type { Stores } from './stores.ts'

export interface TickParts {
  host: Pick<ActorHost, 'dispatchAll' | 'write'>
  stores: Stores
  clock: Clock
  reports: Reports
  calls: Calls
  routes: Routes
  worldOf(due: DueAt): World
}

/** Ticks of all worlds may run at once, so that one that hangs keeps no other waiting; one of each world does. */
const manyAtOnce = Number.POSITIVE_INFINITY
const slice = 100
/** Evaluations made or called back in one transaction; more would hold up everything else. */
const openedAtOnce = 25
const calledBackAtOnce = 25

/** The work a tick orders, one handler for each chair of its chart. All of it may be repeated after a crash. */
export function tickWork(parts: TickParts) {
  const { host, stores } = parts
  const judging = new Judging({
    ...parts,
    provider: () => parts.routes.judge(),
    route: () => parts.routes.route('judge'),
  })
  const due = (work: TickWork): DueAt => dueAtOf(stores, work.tick)

  return {
    'tick.observe': repeatable(async (work: LookWork, { signal }): Promise<Observed> => {
      const at = due(work)
      const world = parts.worldOf(at)
      // A row of an earlier version has no halt.
      await passGate(world, work.halt ?? null, parts, signal)
      const observation = await world.observe(at, signal)
      return {
        toJudge: observation.hasChanges ? 1 : 0,
        token: observation.commitToken,
        tainted: world.origin(observation) === 'tainted',
        callsAvoided: observation.callsAvoided ?? 0,
        rendered: observation.rendered,
        more: observation.more ?? false,
      }
    }),

    'tick.open': repeatable(async (work: SeenWork, { signal }): Promise<Opened> => {
      const at = due(work)
      const { world } = at
      await parts.routes.refresh(signal)
      const reflection = await parts.worldOf(at).reflect(at, seen(work), signal)
      if (reflection.kind === 'ask') return { batches: 0, evaluations: 0, asks: true }
      if (reflection.kind === 'idle') return { batches: 0, evaluations: 0, asks: false }
      const opened = stores.evaluations.openedIn(work.tick)
      const first = opened.batches
      let { evaluations } = opened
      for (const [index, { tasks, from, through, tainted }] of reflection.plan.batches.entries()) {
        const common = {
          world,
          instance: instanceId(world),
          tick: work.tick,
          batch: first + index,
          from,
          through,
          tainted,
        }
        for (const some of slices(tasks, openedAtOnce)) {
          const goesOn = await host.write((turn) => {
            // Once the tick has left, what it opened would never be called back, and its tasks be busy for ever.
            if (stores.ticks.get(work.tick)?.state !== 'working.preparing') return false
            for (const { id: task, intent, retryOf } of some) {
              const self = evaluationIdOf(work.tick, task)
              const former = retryOf === null ? null : id<EvaluationId>(retryOf)
              const input: EvaluationInput = { ...common, id: self, task, intent, retryOf: former }
              turn.spawn(common.instance, 'evaluation', self as string as ActorId, input)
            }
            return true
          })
          if (!goesOn) return { batches: 0, evaluations: 0, asks: false }
          evaluations += some.length
        }
      }
      return { batches: first + reflection.plan.batches.length, evaluations, asks: false }
    }),

    'tick.judge': repeatable(async (work: BatchWork, run): Promise<Judged> => {
      await parts.routes.ready(run.signal)
      const report = await parts.reports.ofBatch(work.tick, work.batch)
      return haltingOnCaps(() => judging.judge(work, report, run.signal))
    }),

    'tick.ask': repeatable(async (work: SeenWork, { signal }): Promise<Asked> => {
      const at = due(work)
      const world = parts.worldOf(at)
      const reflection = await world.reflect(at, seen(work), signal)
      if (reflection.kind !== 'ask')
        throw new Fault('tick/nothing-to-ask', `${world.title} has nothing to ask any more.`)
      const { ask, parse } = reflection
      const inquiry = { tick: at.tick, world: at.world, stage: world.stage ?? 'judge', ask, parse } as const
      return haltingOnCaps(() => inquire(inquiry, parts, signal))
    }),

    'tick.deal': repeatable(async (work: DealWork, run) => {
      // A report is as large as its model has room for.
      await parts.routes.ready(run.signal)
      const verdictFor = await dealer(judging, work, () => parts.reports.ofBatch(work.tick, work.batch))
      for (let after: EvaluationId | null = null; ; ) {
        const rows: ToBeJudged[] = stores.evaluations.judging(work.tick, work.batch, after, slice)
        await host.dispatchAll(rows.map((row) => ({ to: row.id as string as ActorId, event: verdictFor(row) })))
        if (rows.length < slice) break
        after = rows.at(-1)!.id
      }
      if (work.call !== null) judging.forget(work.call)
      return { remaining: 0 }
    }),

    'tick.withdraw': repeatable(async ({ tick, end }: LeaveWork) => {
      const event: EvaluationEvent =
        end === 'superseded'
          ? { type: 'supersede' }
          : { type: 'cancel', reason: end === 'timedOut' ? 'The tick ran out of time' : 'The tick was ended' }
      for (const some of slices(stores.evaluations.openIn(tick), calledBackAtOnce)) {
        await host.write((turn) => {
          for (const evaluation of some) {
            // Looked at again in the transaction that calls it back: what waits or is carried out by now stays.
            const row = stores.evaluations.get(evaluation)
            if (row?.state !== 'inProgress' || row.phase === 'carryingOut') continue
            turn.tell(tick as string as ActorId, evaluation as string as ActorId, event)
          }
        })
      }
      parts.reports.forget(tick)
      return { remaining: 0 }
    }),

    'tick.commit': repeatable(async (work: CommitWork) => {
      const at = due(work)
      await parts.worldOf(at).commit(at, work.token, work.answer ?? null)
      parts.reports.forget(work.tick)
      return null
    }),
  }
}

/** An observation as it went through a row. */
const seen = ({ token, rendered, tainted }: SeenWork): Observation => ({
  rendered: rendered ?? '',
  hasChanges: true,
  hasExternalContent: tainted ?? true,
  commitToken: token,
})

async function haltingOnCaps<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw asRateCap(error)
  }
}

const repeatable = <Input, Output>(
  run: (input: Input, run: WorkRun) => Promise<Output>,
): WorkHandler<Input, Output> => ({
  concurrency: manyAtOnce,
  repeatable: () => true,
  run,
})

/** One task has one evaluation in a tick, however often the tick opens it. */
export const evaluationIdOf = (tick: TickId, task: TaskId): EvaluationId =>
  id<EvaluationId>(`ev_${tick.slice('tick_'.length)}_${task.slice(task.indexOf('_') + 1)}`)

function dueAtOf(stores: Stores, tick: TickId): DueAt {
  const row = stores.ticks.get(tick)
  if (!row) throw new Fault('tick/unknown', `There is no tick ${tick}.`, { tick })
  return { tick, world: row.world, at: row.startedAt, force: row.force }
}

/** Says what each evaluation of a judged batch is to be told. */
async function dealer(
  judging: Judging,
  { call, failure }: DealWork,
  report: () => Promise<SituationReport>,
): Promise<(row: ToBeJudged) => EvaluationEvent> {
  if (call === null) {
    const told: Failure = failure ?? { code: 'model/no-verdict', message: 'Nothing was judged.' }
    // What nobody could be asked about is due with the next tick; only a day's budget is known to last until tomorrow.
    return () => ({ type: 'judgingFailed', failure: told, counts: told.code === usedUp })
  }
  const reading = await judging.reading(call, report)
  const missing = noVerdicts(reading)
  return ({ task, tainted }) => {
    const verdict = reading.decisions.get(task)
    if (verdict) return { type: 'verdict', call, verdict, tainted }
    const told: Failure = missing.get(task) ?? {
      code: 'model/no-verdict',
      message: 'The model was not asked about this task.',
    }
    return { type: 'judgingFailed', failure: told, counts: true }
  }
}
