import { Fault } from '../domain/errors.ts'
import type { Card, ToolCall } from '../domain/escalation.ts'
import type { Evaluation } from '../domain/evaluation.ts'
import { type ActorId, type EvaluationId, id, type TaskId, type TickId, type WorldId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import type { Tool } from '../domain/tool.ts'
import type { LogQuery, LogView, Services, StatusView, TaskOrder, TaskView } from '../rpc/services.ts'
import type { Runtime } from '../runtime.ts'
import { formatSchedule } from '../tasks/schedule-text.ts'
import { cardView } from './card-view.ts'
import { type DoctorParts, doctor } from './doctor.ts'
import { timedIds } from './ids.ts'
import { inspectorOf } from './inspector/inspector.ts'
import { instanceViews } from './instance-views.ts'
import { retryFailed } from './retry.ts'
import { sessionServices, steeringServices } from './sessions/session-services.ts'
import type { NewTask } from './task-book.ts'

export interface ServicesParts {
  version: string
  /** To say what the calls of a card touch. */
  tools: ReadonlyMap<string, Tool>
  /** Settings that were given and do not apply. */
  ignored: DoctorParts['ignored']
  assertSound: DoctorParts['assertSound']
  assertWritable: DoctorParts['assertWritable']
}

/** The runtime as the methods call it. */
export function servicesOf(runtime: Runtime, parts: ServicesParts): Services {
  const { stores, tasks, answers, clock, host } = runtime
  const ids = timedIds(clock)
  const log = logOf(runtime)
  const withTitle = (row: Evaluation): LogView => ({ ...row, title: stores.tasks.get(row.task)?.title ?? row.task })
  const shown = (card: Card) => cardView(card, stores.tasks.get(card.task)?.title ?? card.task, parts.tools)
  const findCard = (given: string): Card => {
    const card = stores.escalations.get(id<EvaluationId>(given))
    if (card) return card
    throw Fault.use('approval/unknown', `There is no card ${given}. undermind approvals list shows what waits.`, {
      id: given,
    })
  }
  const stateOf = (world: string) => stores.ticks.world(id<WorldId>(world))?.state ?? 'unknown'

  return {
    version: parts.version,
    status: () => statusOf(runtime),
    notifications: (limit) => stores.records.notifications(limit),
    usage: (query) => runtime.usage(query),
    subscribe: (listener) => runtime.subscribe(listener),
    doctor: () =>
      doctor({
        ...parts,
        nodeVersion: process.version,
        clock,
        status: () => runtime.status(),
        models: () => runtime.checkModels(),
        deadLetters: (limit) => stores.records.deadLetters(limit),
        hasOwnTasks: () => tasks.list().some(({ origin }) => origin === 'user'),
        lastRecordedAt: () => lastRecordedAt(runtime),
      }),

    worlds: {
      ids(named) {
        if (named !== undefined) runtime.worlds.assertOn(named)
        return runtime.worlds.list().map((world) => world.id)
      },
      trigger: (world, { force }) => runtime.trigger({ world: id<WorldId>(world), force }),
      async outcome(tick) {
        const row = await runtime.settled(tick)
        return { tick: row, evaluations: stores.evaluations.ofTick(tick).map(withTitle) }
      },
      async cancelTick(given, { by }) {
        const tick = stores.ticks.get(id<TickId>(given))
        if (!tick) throw Fault.use('tick/unknown', `There is no tick ${given}.`, { tick: given })
        const event = { type: 'cancel', reason: `Cancelled by ${by}` }
        if (tick.endedAt === null) await host.dispatch({ to: tick.id as string as ActorId, event })
        else throw ended('tick/ended', 'tick', given, tick.state)
      },
      async pause(world) {
        await runtime.pause(id<WorldId>(world))
        return stateOf(world)
      },
      async resume(world) {
        await runtime.resume(id<WorldId>(world))
        return stateOf(world)
      },
    },

    tasks: {
      list: () => tasks.list().map(taskView),
      add: async ({ title, ...order }) => taskView(await tasks.add({ title, ...given(order) })),
      edit: async (task, { enabled, ...change }) =>
        taskView(await tasks.edit(task, { ...given(change), ...(enabled !== undefined && { enabled }) })),
      remove: async (task) => taskView(await tasks.remove(task)),
      why(given) {
        const reason = runtime.whyTask(given)
        return { ...reason, task: taskView(reason.task) }
      },
    },

    goals: {
      list: () => runtime.goals.list(),
      add: (text) => runtime.goals.put(text),
      update: (goal, text) => runtime.goals.put(text, goal),
      remove: (goal) => runtime.goals.remove(goal),
    },

    evaluations: {
      log: (query) => log(query).map(withTitle),
      outcome: async (evaluation) => withTitle(await runtime.evaluationSettled(id<EvaluationId>(evaluation))),
      async cancel(given, who) {
        const { id: evaluation, settledAt, state } = evaluationOf(runtime, given)
        if (settledAt !== null) throw ended('evaluation/ended', 'evaluation', given, state)
        await answers.cancel(evaluation, who)
        const now = evaluationOf(runtime, given)
        if (now.state !== 'cancelled') throw ended('evaluation/ended', 'evaluation', given, now.state)
      },
      why(given) {
        const reason = runtime.whyEvaluation(given)
        return { ...reason, task: reason.task && taskView(reason.task) }
      },
      undo: (evaluation, options) => runtime.undo(evaluation, options),
      replay: (evaluation) => runtime.replay(evaluation),
      rejudge: (evaluation, order) => runtime.rejudge(evaluation, order),
    },

    sessions: sessionServices(runtime.sessions),
    steering: steeringServices(runtime.sessions, runtime.directives),

    inspector: inspectorOf(runtime),
    imports: runtime.imports,

    cards: {
      list: ({ open, limit }) => (open ? stores.escalations.open(limit) : stores.escalations.list(limit)).map(shown),
      get: (given) => shown(findCard(given)),
      approve: (card, digest, who, calls?: ToolCall[]) => answers.approve(card, digest, who, calls),
      dismiss: (card, who) => answers.dismiss(card, who),
      respond: (card, text, who) => answers.respond(card, text, who),
      resolve: (card, happened, who) => answers.resolve(card, happened, who),
      retry: (card) =>
        retryFailed({ host, stores, ids, journal: (evaluation) => runtime.whyEvaluation(evaluation).journal }, card),
    },
  }
}

function statusOf(runtime: Runtime): StatusView {
  const { worlds, ...status } = runtime.status()
  const judge = status.routes.find(({ stage }) => stage === 'judge')!
  const common = {
    mode: status.mode,
    intervalMinutes: runtime.settings.heartbeat.interval_minutes,
    providerAvailable: judge.available,
    providerUnavailableReason: judge.available ? null : judge.reason,
  }
  const { tasks, pendingApprovals } = status
  return {
    ...status,
    ...common,
    sources: status.sources.map(({ id: source, title, health, failure }) => ({ id: source, title, health, failure })),
    enabled: status.mode !== 'off',
    instances: instanceViews(runtime, worlds, { ...common, tasks, pendingApprovals }),
  }
}

const taskView = (task: Task): TaskView => ({ ...task, scheduleText: formatSchedule(task.schedule) })

/** The order without what was not said. */
const given = ({
  title,
  schedule,
  intent,
  inputs,
  onlyIfChanged,
  catchUp,
  maxLatenessMs,
}: TaskOrder): Partial<NewTask> => ({
  ...(title !== undefined && { title }),
  ...(schedule !== undefined && { schedule }),
  ...(intent !== undefined && { intent }),
  ...(inputs !== undefined && { inputs }),
  ...(onlyIfChanged !== undefined && { onlyIfChanged }),
  ...(catchUp !== undefined && { catchUp }),
  ...(maxLatenessMs !== undefined && { maxLatenessMs }),
})

const evaluationOf = ({ stores }: Runtime, given: string): Evaluation => {
  const row = stores.evaluations.get(id<EvaluationId>(given))
  if (row) return row
  throw Fault.use('evaluation/unknown', `There is no evaluation ${given}. undermind log shows what there is.`, {
    evaluation: given,
  })
}

/** A page of the log. Worlds are told apart here: rows of others are passed over until the page is full. */
const logOf =
  (runtime: Runtime) =>
  (query: LogQuery): Evaluation[] => {
    const { stores, tasks } = runtime
    const { task, tick, state, world, since, limit } = query
    if (world !== undefined && !stores.ticks.world(id<WorldId>(world))) {
      throw Fault.use('world/unknown', `There is no world ${world}. undermind status shows which there are.`, { world })
    }
    const filter = {
      // A deleted task can be named by its id only.
      ...(task !== undefined && { task: stores.tasks.get(id<TaskId>(task))?.id ?? tasks.find(task).id }),
      ...(tick !== undefined && { tick: id<TickId>(tick) }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since }),
    }
    const found: Evaluation[] = []
    let before = query.before === undefined ? undefined : evaluationOf(runtime, query.before).id
    while (found.length < limit) {
      const page = runtime.log({ ...filter, limit, ...(before !== undefined && { before }) })
      found.push(...page.filter((row) => world === undefined || row.world === world))
      before = page.at(-1)?.id
      if (page.length < limit) break
    }
    return found.slice(0, limit)
  }

function lastRecordedAt({ stores }: Runtime): number | null {
  const times = [
    ...stores.ticks.worlds().map(({ lastTickAt }) => lastTickAt),
    ...stores.evaluations.log({ limit: 1 }).map(({ createdAt }) => createdAt),
  ].flatMap((at) => (at === null ? [] : [at]))
  return times.length === 0 ? null : Math.max(...times)
}

const ended = (code: 'tick/ended' | 'evaluation/ended', noun: string, given: string, state: string): Fault =>
  Fault.use(code, `Cannot cancel the ${noun} ${given}: it is ${state}. Nothing was changed.`, { id: given, state })
