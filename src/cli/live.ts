import { z } from 'zod'
import type { News } from '../domain/news.ts'
import type { Door } from '../rpc/door.ts'
import { ask, askCard } from './ask.ts'
import { type Card, EvaluationReason, type Row, Rows, Tasks } from './views.ts'

/** Something that has happened, with what a person needs to know of it. */
export type Happening =
  | { type: 'evaluation'; row: Row; card: Card | null }
  | { type: 'skipped'; rows: Row[] }
  | { type: 'tick'; id: string; world: string; state: string }
  | { type: 'taskPaused'; title: string; why: string }
  | { type: 'notification'; title: string; body: string }
  | { type: 'store'; state: 'stalled' | 'flowing' | 'lost'; reason: string | null }

export interface Live {
  /** Tells of what has come to an end since then, as far as it was not told of yet. */
  catchUp(since: number): void
  /** Resolves when everything heard of so far has been told. */
  idle(): Promise<void>
  /** Tells of what is still held back, and stops. */
  stop(): Promise<void>
}

const tickEnds: readonly string[] = ['quiet', 'done', 'failed', 'superseded', 'cancelled', 'timedOut']
const most = 500

/**
 * Makes happenings of news: reads the rows that news is about, holds the skips of a tick back until it ends, tells of
 * nothing twice. Happenings come in order, one after the other. `fail` hears when a row can no longer be read.
 */
export const live = async (
  door: Door,
  tell: (happening: Happening) => void,
  fail: (error: unknown) => void,
): Promise<Live> => {
  /** The last that was told of an evaluation; the oldest are forgotten. */
  const told = new Map<string, string>()
  const skips = new Map<string, Row[]>()
  const ended = new Set<string>()
  let waiting: News[] = []
  let work = Promise.resolve()

  const isNew = (row: Row): boolean => {
    const version = `${row.state} ${row.settledAt ?? ''} ${row.text ?? ''}`
    if (told.get(row.id) === version) return false
    told.delete(row.id)
    told.set(row.id, version)
    forgetOldest(told)
    return true
  }

  const releaseSkips = (tick: string): void => {
    const rows = skips.get(tick)
    skips.delete(tick)
    if (rows) tell({ type: 'skipped', rows })
  }

  const tellRow = async (row: Row): Promise<void> => {
    if (row.state === 'inProgress' || !isNew(row)) return
    const tick = row.tick ?? ''
    if (row.state === 'skipped' && tick !== '') {
      skips.set(tick, [...(skips.get(tick) ?? []), row])
      if (ended.has(tick)) releaseSkips(tick)
      return
    }
    const card = row.state === 'awaitingApproval' ? await askCard(door, row.id).catch(() => null) : null
    tell({ type: 'evaluation', row, card })
  }

  const take = async (news: News, rows: ReadonlyMap<string, Row>): Promise<void> => {
    switch (news.type) {
      case 'evaluation': {
        if (news.state === 'inProgress') told.delete(news.id)
        else await tellRow(rows.get(news.id) ?? (await askRow(door, news.id)))
        return
      }
      case 'tick':
        if (!tickEnds.includes(news.state)) return
        ended.add(news.id)
        forgetOldest(ended)
        releaseSkips(news.id)
        tell(news)
        return
      case 'task': {
        if (news.what !== 'paused') return
        const tasks = await ask(door, 'subconscious.tasks_list', {}, Tasks)
        const task = tasks.find(({ id }) => id === news.id)
        if (task?.paused) tell({ type: 'taskPaused', title: task.title, why: task.paused })
        return
      }
      case 'notification':
      case 'store':
        tell(news)
        return
      case 'world':
      case 'card':
      case 'agentRun':
      case 'session':
      case 'steering.directive':
        return
      default:
        news satisfies never
    }
  }

  const takeAll = async (): Promise<void> => {
    const heard = waiting
    waiting = []
    const rows = new Map<string, Row>()
    const amount = heard.filter(({ type }) => type === 'evaluation').length
    if (amount > 0) for (const row of await newest(door, amount)) rows.set(row.id, row)
    for (const news of heard) await take(news, rows)
  }

  const then = (more: () => Promise<void>): void => {
    work = work.then(more).catch(fail)
  }

  const unsubscribe = await door.subscribe((news) => {
    waiting.push(news)
    if (waiting.length === 1) then(takeAll)
  })

  return {
    catchUp: (since) =>
      then(async () => {
        const rows = await ask(door, 'subconscious.log_list', { since, limit: most }, Rows)
        for (const row of rows.reverse()) await tellRow(row)
        for (const tick of skips.keys()) releaseSkips(tick) // the end of their tick may have gone unheard
      }),
    idle: () => work,
    stop: async () => {
      unsubscribe()
      await work
      for (const tick of skips.keys()) releaseSkips(tick)
    },
  }
}

/** What is remembered must not grow with the days that it runs. */
const forgetOldest = (memory: Map<string, unknown> | Set<string>): void => {
  for (const oldest of memory.keys()) {
    if (memory.size <= 2 * most) return
    memory.delete(oldest)
  }
}

/** Most news is of the newest evaluations: one call reads many of them. */
const newest = (door: Door, amount: number): Promise<Row[]> =>
  ask(door, 'subconscious.log_list', { limit: Math.min(most, Math.max(20, 2 * amount)) }, Rows)

const Reason = EvaluationReason.pick({ evaluation: true, task: true })

const askRow = async (door: Door, evaluation: string): Promise<Row> => {
  const { evaluation: row, task } = await ask(door, 'subconscious.why', { evaluation }, z.object(Reason.shape))
  return { ...row, title: task?.title }
}
