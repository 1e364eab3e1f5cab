import type { ActorHost } from '../actors/actor-host.ts'
import { instanceId } from '../actors/heartbeat.ts'
import type { Judged } from '../actors/tick.ts'
import type { WorkHandler, WorkRun } from '../actors/work.ts'
import type { Clock } from '../domain/clock.ts'
import { type Failure, Fault } from '../domain/errors.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type ActorId, type EvaluationId, id, type TaskId, type TickId } from '../domain/ids.ts'
import type { Provider } from '../domain/model.ts'
import type { Observation, Profile } from '../domain/world.ts'
import type { EvaluationEvent, EvaluationInput } from '../machines/evaluation-words.ts'
import type { BatchWork, DealWork, LeaveWork, Observed, TickWork } from '../machines/tick-words.ts'
import { noVerdicts } from '../models/decisions.ts'
import type { DueAt } from './due-tasks.ts'
import { Judging } from './judging.ts'
import { firstFreeBatch, type Reports } from './reports.ts'
import { slices } from './slices.ts'
import type { Stores } from './stores.ts'

export interface TickParts<Ports> {
  host: Pick<ActorHost, 'dispatchAll' | 'write'>
  stores: Stores
  clock: Clock
  reports: Reports
  provider(): Provider
  /** The profile of a tick's world, and what it may see. */
  worldOf(due: DueAt): { profile: Profile<Ports>; ports: Ports }
}

/** Many ticks of different worlds may run; one of each world does. */
const manyAtOnce = 16
const slice = 100
/** Evaluations made or called back in one transaction; more would hold up everything else. */
const openedAtOnce = 25
const calledBackAtOnce = 25

/** The work a tick orders, one handler for each chair of its chart. All of it may be repeated after a crash. */
export function tickWork<Ports>(parts: TickParts<Ports>) {
  const { host, stores } = parts
  const judging = new Judging(parts)
  const due = (work: TickWork): DueAt => dueAtOf(stores, work.tick)

  return {
    'tick.observe': repeatable(async (work: TickWork, { signal }): Promise<Observed> => {
      const { profile, ports } = parts.worldOf(due(work))
      const observation = await profile.observe(ports, signal)
      return {
        toJudge: observation.hasChanges ? 1 : 0,
        token: observation.commitToken,
        tainted: profile.origin(observation) === 'tainted',
        callsAvoided: observation.callsAvoided,
      }
    }),

    'tick.open': repeatable(async (work: TickWork & { token: number }, { signal }) => {
      const { world, ...rest } = due(work)
      const { profile, ports } = parts.worldOf({ world, ...rest })
      const observation: Observation = {
        rendered: '',
        hasChanges: true,
        hasExternalContent: false,
        commitToken: work.token,
        callsAvoided: 0,
      }
      const reflection = profile.reflect(observation, await profile.prepareContext(ports, observation, signal))
      if (reflection.kind === 'idle') return { batches: 0, evaluations: 0 }
      const opened = stores.evaluations.ofTick(work.tick)
      const first = firstFreeBatch(opened)
      let evaluations = opened.length
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
          if (!goesOn) return { batches: 0, evaluations: 0 }
          evaluations += some.length
        }
      }
      return { batches: first + reflection.plan.batches.length, evaluations }
    }),

    'tick.judge': repeatable(async (work: BatchWork, run): Promise<Judged> => {
      return judging.judge(work, parts.reports.ofBatch(work.tick, work.batch), run.signal)
    }),

    'tick.deal': repeatable(async (work: DealWork) => {
      const rows = stores.evaluations.judging(work.tick, work.batch)
      const verdictFor = dealer(judging, work, rows)
      for (const some of slices(rows, slice)) {
        await host.dispatchAll(some.map((row) => ({ to: row.id as string as ActorId, event: verdictFor(row) })))
      }
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
      return { remaining: 0 }
    }),

    'tick.commit': repeatable(async (work: TickWork & { token: number; quiet: boolean }) => {
      const { profile, ports } = parts.worldOf(due(work))
      await profile.commit(ports, work.token)
      return null
    }),
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
function dealer(
  judging: Judging,
  { call, failure }: DealWork,
  rows: readonly Evaluation[],
): (row: Evaluation) => EvaluationEvent {
  if (call === null) {
    const told: Failure = failure ?? { code: 'model/no-verdict', message: 'Nothing was judged.' }
    return () => ({ type: 'judgingFailed', failure: told, counts: false })
  }
  const reading = judging.reading(
    call,
    rows.map(({ task }) => task),
  )
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
