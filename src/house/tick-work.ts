import { createHash } from 'node:crypto'
import { instanceId } from '../actors/heartbeat.ts'
import type { ActorHost } from '../actors/host.ts'
import type { Judged } from '../actors/tick.ts'
import type { WorkHandler, WorkRun } from '../actors/work.ts'
import type { Clock } from '../domain/clock.ts'
import type { Decision } from '../domain/decision.ts'
import { type Failure, Fault } from '../domain/errors.ts'
import { type ActorId, type CallId, type EvaluationId, id, type TaskId, type TickId } from '../domain/ids.ts'
import type { Provider, RawAnswer, Usage } from '../domain/model.ts'
import type { SituationReport } from '../domain/report.ts'
import type { Observation, Profile } from '../domain/world.ts'
import type { EvaluationEvent, EvaluationInput } from '../machines/evaluation.ts'
import type { BatchWork, DealWork, LeaveWork, Observed, TickWork } from '../machines/tick.ts'
import { readDecisions } from '../models/decisions.ts'
import type { DueAt } from './due-tasks.ts'
import type { Reports } from './reports.ts'
import { slices } from './slices.ts'
import type { Stores } from './stores.ts'

export interface TickParts<Ports> {
  host: Pick<ActorHost, 'spawnAll' | 'dispatchAll'>
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

/** The work a tick orders, one handler for each chair of its chart. All of it may be repeated after a crash. */
export function tickWork<Ports>(parts: TickParts<Ports>) {
  const { host, stores } = parts
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
      let evaluations = 0
      for (const [batch, { tasks, from, through, tainted }] of reflection.plan.batches.entries()) {
        for (const some of slices(tasks, slice)) {
          const inputs = some.map((task): EvaluationInput => {
            const { intent, retryOf } = task
            return {
              id: evaluationIdOf(work.tick, task.id),
              task: task.id,
              world,
              instance: instanceId(world),
              tick: work.tick,
              batch,
              from,
              through,
              intent,
              retryOf: retryOf === null ? null : id<EvaluationId>(retryOf),
              tainted,
            }
          })
          await host.spawnAll(
            'evaluation',
            instanceId(world),
            inputs.map((input) => ({ id: input.id as string as ActorId, input })),
          )
          evaluations += some.length
        }
      }
      return { batches: reflection.plan.batches.length, evaluations }
    }),

    'tick.judge': repeatable(async (work: BatchWork, run): Promise<Judged> => {
      return judge(parts, work, parts.reports.ofBatch(work.tick, work.batch), run)
    }),

    'tick.deal': repeatable(async (work: DealWork) => {
      const rows = stores.evaluations.judging(work.tick, work.batch)
      const decide =
        work.call === null
          ? null
          : verdictsOf(
              stores,
              work.call,
              rows.map(({ task }) => task),
            )
      for (const some of slices(rows, slice)) {
        await host.dispatchAll(
          some.map(({ id: evaluation, task, tainted }) => ({
            to: evaluation as string as ActorId,
            event: verdictFor(decide?.get(task), work, tainted),
          })),
        )
      }
      return { remaining: 0 }
    }),

    'tick.withdraw': repeatable(async ({ tick, end }: LeaveWork) => {
      const event: EvaluationEvent =
        end === 'superseded'
          ? { type: 'supersede' }
          : { type: 'cancel', reason: end === 'timedOut' ? 'The tick ran out of time' : 'The tick was ended' }
      for (const some of slices(stores.evaluations.openIn(tick), slice)) {
        await host.dispatchAll(some.map((evaluation) => ({ to: evaluation as string as ActorId, event })))
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

/** Asks the model about a batch, and once more for what was wrong or missing in its answer. */
async function judge<Ports>(
  parts: TickParts<Ports>,
  work: BatchWork,
  report: SituationReport,
  run: WorkRun,
): Promise<Judged> {
  const provider = parts.provider()
  const startedAt = parts.clock.now()
  const ids = report.tasks.map(({ id: task }) => task)
  const first = await provider.judge({ report }, run.signal)
  const read = readDecisions(first.text, ids, { cutOff: first.cutOff })
  const answers: RawAnswer[] = [first]
  if (read.problems.length > 0) {
    const problems = read.problems.map(({ task, problem }) => `${task}: ${problem}`)
    answers.push(await provider.judge({ report, repair: { answer: first.text, problems } }, run.signal))
  }
  const usage = answers.map((answer) => answer.usage)
  const call = {
    id: id<CallId>(`call_${work.tick.slice('tick_'.length)}_${work.batch}`),
    tick: work.tick,
    batch: work.batch,
    provider: provider.id,
    model: provider.model,
    purpose: 'judge',
    promptDigest: createHash('sha256').update(report.text).digest('hex'),
    answer: JSON.stringify(answers.map(({ text, cutOff }) => ({ text, cutOff }))),
    repaired: answers.length > 1 ? (1 as const) : (0 as const),
    promptTokens: total(usage, 'promptTokens'),
    completionTokens: total(usage, 'completionTokens'),
    durationMs: parts.clock.now() - startedAt,
    at: startedAt,
  }
  if (
    answers.every((answer) => readDecisions(answer.text, ids, { cutOff: answer.cutOff }).decisions.size === 0) &&
    ids.length > 0
  ) {
    throw new Fault(
      'model/unreadable',
      `Nothing of the answer of ${provider.model} could be read, and asking again did not help.`,
      { call: call.id },
    )
  }
  return { call, calls: answers.length }
}

const total = (usage: readonly Usage[], what: keyof Usage): number => usage.reduce((sum, one) => sum + one[what], 0)

/** What a recorded call says of each task: the first valid answer counts, a repair fills what was missing. */
export function verdictsOf(stores: Stores, call: CallId, tasks: TaskId[]): Map<string, Decision> {
  const recorded = stores.ticks.call(call)
  const verdicts = new Map<string, Decision>()
  if (!recorded) return verdicts
  for (const { text, cutOff } of JSON.parse(recorded.answer) as Pick<RawAnswer, 'text' | 'cutOff'>[]) {
    const open = tasks.filter((task) => !verdicts.has(task))
    for (const [task, decision] of readDecisions(text, open, { cutOff }).decisions) verdicts.set(task, decision)
  }
  return verdicts
}

const noVerdict: Failure = {
  code: 'model/no-verdict',
  message: 'The model gave no usable answer for this task, and asking again did not help.',
}

function verdictFor(verdict: Decision | undefined, work: DealWork, tainted: boolean): EvaluationEvent {
  if (work.call === null) return { type: 'judgingFailed', failure: work.failure ?? noVerdict, counts: false }
  return verdict
    ? { type: 'verdict', call: work.call, verdict, tainted }
    : { type: 'judgingFailed', failure: noVerdict, counts: true }
}
