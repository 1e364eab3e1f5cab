import { type EvaluationId, id, type SessionId, type TaskId, type TickId, type WorldId } from '../../domain/ids.ts'
import type { JSONType } from '../../domain/json.ts'
import {
  type ActorDetailView,
  type ActorPage,
  type ActorQuery,
  type ActorView,
  mostChildren,
} from '../../rpc/inspector.ts'
import type { ActorHead } from '../../store/inspection.ts'
import { breathe } from '../slices.ts'
import type { Stores } from '../stores.ts'
import { kindOf } from './history.ts'
import { shown, shownJson } from './shown.ts'

/** Actors that are looked at in one go, and for one page. */
const slice = 200
const mostLookedAt = 20_000
const mostRows = 100

const lastId = '\u{10ffff}'

/** What actors of these kinds call their children begins with their own id. */
const namesChildren = new Set(['evaluation', 'agentRun', 'toolCall'])

/** A page of actors. What matches may be far apart: then the page is short, and says where to go on. */
export async function actorsOf(stores: Stores, query: ActorQuery): Promise<ActorPage> {
  const { parent, kind, state, settled, limit } = query
  const isIt = (row: ActorHead): boolean =>
    (settled || row.status === 'active') &&
    (parent === undefined || row.parent === parent) &&
    (kind === undefined || row.kind === kind) &&
    (state === undefined || isWithin(row.state, state))
  const [first, until] = rangeOf(stores, parent)
  const rowsAfter = (after: string): ActorHead[] =>
    kind !== undefined && kind !== 'evaluation' && !settled
      ? stores.inspection.others(kind, 'active', after, until, slice)
      : stores.inspection.actors(after, until, slice)
  const actors: ActorView[] = []
  let after = query.after !== undefined && query.after > first ? query.after : first
  for (let looked = 0; looked < mostLookedAt; looked += slice) {
    const rows = rowsAfter(after)
    for (const row of rows) {
      after = row.id
      if (isIt(row)) actors.push(viewOf(stores, row))
      if (actors.length === limit) return { actors, next: after }
    }
    if (rows.length < slice) return { actors, next: null }
    await breathe()
  }
  return { actors, next: after }
}

/** The ids between which the children of an actor are. */
function rangeOf(stores: Stores, parent: string | undefined): [string, string] {
  const kind = parent === undefined ? undefined : stores.inspection.actor(parent)?.kind
  return kind !== undefined && namesChildren.has(kind) ? [`${parent}#`, `${parent}$`] : ['', lastId]
}

/** A state counts as within another when it is that or lies inside; of regions any may. */
const isWithin = (state: string, outer: string): boolean =>
  state.split('+').some((region) => region === outer || region.startsWith(`${outer}.`))

export async function actorOf(stores: Stores, actor: string): Promise<ActorDetailView> {
  const row = stores.inspection.actor(actor)
  if (!row) return goneEvaluation(stores, actor)
  return {
    ...viewOf(stores, row),
    chart: row.chart,
    snapshot: contextOf(row.snapshot),
    timers: stores.inspection
      .timers(actor, mostRows)
      .map(({ name, dueAt, event }) => ({ name, dueAt, event: typeOf(event) })),
    work: stores.inspection
      .work(actor, mostRows)
      .map(({ actor: _, input, result, ...work }) => ({ ...work, input: shownJson(input), result: shownJson(result) })),
    children: row.status === 'active' ? await childrenOf(stores, actor) : 0,
  }
}

async function childrenOf(stores: Stores, parent: string): Promise<number> {
  let count = 0
  for (let after: string | null = ''; after !== null && count < mostChildren; ) {
    const page: ActorPage = await actorsOf(stores, { parent, settled: false, after, limit: mostChildren - count })
    count += page.actors.length
    after = page.next
  }
  return count
}

/** After `journal.keep_days` an evaluation has no actor any more; its row says how it ended. */
function goneEvaluation(stores: Stores, actor: string): ActorDetailView {
  const kind = kindOf(stores, actor)
  const row = stores.evaluations.get(id<EvaluationId>(actor))!
  const [summary] = stores.inspection.journal(actor, 0, 1)
  return {
    id: actor,
    kind,
    parent: null,
    state: row.state,
    settled: true,
    version: summary?.version ?? 0,
    title: titleOf(stores, kind, actor),
    createdAt: row.createdAt,
    updatedAt: row.settledAt ?? row.createdAt,
    chart: null,
    snapshot: null,
    timers: [],
    work: [],
    children: 0,
  }
}

const viewOf = (stores: Stores, row: ActorHead): ActorView => ({
  id: row.id,
  kind: row.kind,
  parent: row.parent,
  state: row.state,
  settled: row.status === 'done',
  version: row.version,
  title: titleOf(stores, row.kind, row.id),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

function titleOf({ evaluations, tasks, ticks, sessions }: Stores, kind: string, actor: string): string | null {
  switch (kind) {
    case 'evaluation': {
      const task = evaluations.get(id<EvaluationId>(actor))?.task
      return task === undefined ? null : (tasks.get(id<TaskId>(task))?.title ?? task)
    }
    case 'tick': {
      const tick = ticks.get(id<TickId>(actor))
      return tick ? `${ticks.world(tick.world)?.title ?? tick.world} ${tick.generation}` : null
    }
    case 'instance':
      return ticks.world(id<WorldId>(actor.replace(/^instance_/, '')))?.title ?? null
    case 'session': {
      const session = sessions.get(id<SessionId>(actor))
      return session ? `${session.agent} ${session.session}` : null
    }
    default:
      return null
  }
}

/** The context within a persisted snapshot; its state stands beside it already. */
function contextOf(snapshot: string | null): JSONType {
  if (snapshot === null) return null
  const { context } = JSON.parse(snapshot) as { context?: unknown }
  return shown(context)
}

const typeOf = (event: string): string => String((JSON.parse(event) as { type?: unknown }).type)
