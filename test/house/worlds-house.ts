import Database from 'better-sqlite3'
import { sessionId } from '../../src/actors/session.ts'
import type { ChatRequest } from '../../src/domain/chat.ts'
import type { WorldId } from '../../src/domain/ids.ts'
import { masterKey } from '../../src/domain/session.ts'
import type { TickRow } from '../../src/domain/world.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import type { Runtime } from '../../src/runtime.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { type Said, scriptedChat } from '../support/scripted-chat.ts'
import { settle } from './scene.ts'

export const tinyplace = 'tinyplace' as WorldId
export const memory = 'memory' as WorldId
export const user = masterKey.agent

type Answer = (request: ChatRequest, signal: AbortSignal) => Said | Promise<Said>

/** A house whose sessions are on, with a deep model that answers what it is told. */
export async function steered(answer: Answer | string = 'NONE', options: HouseOptions = {}) {
  const agent = scriptedChat({
    id: 'openai',
    model: 'deep-1',
    answer: typeof answer === 'string' ? () => answer : answer,
  })
  const home = await house({
    provider: scriptedProvider(),
    agent,
    ...options,
    settings: { 'orchestration.enabled': true, ...options.settings },
  })
  return { home, agent, review: () => tickOf(home, tinyplace), ...past(home) }
}

/** Ticks a world and waits for the end. */
export async function tickOf(home: Pick<House, 'runtime'>, world: WorldId): Promise<TickRow> {
  const tick = await home.runtime.settled(await home.runtime.trigger({ world }))
  await settle(home)
  return tick
}

export const rowOf = ({ runtime }: { runtime: Runtime }, world: WorldId) => runtime.stores.ticks.world(world)!

/** What sessions have left: rows as cycles write them, put down without living through them. */
export function past(home: Pick<House, 'root' | 'clock'>) {
  const written = <T>(write: (db: Database.Database) => T): T => {
    const db = new Database(`${home.root}/.undermind/state.db`)
    try {
      return write(db)
    } finally {
      db.close()
    }
  }
  const kindOf = (agent: string) => (agent === user ? 'master' : 'peer')
  return {
    /** A cycle of a session with an agent; returns the id of its row. */
    cycle(agent: string, summary: string, at = home.clock.now(), session = 'main'): string {
      return written((db) => {
        const self = sessionId({ agent, session })
        db.prepare(
          'INSERT OR IGNORE INTO session(id, agent, session, kind, title, state, created_at, active_at) VALUES(?, ?, ?, ?, ?, ?, 0, 0)',
        ).run(self, agent, session, kindOf(agent), agent, 'idle')
        db.prepare('INSERT INTO peer_cycle VALUES(?, 1) ON CONFLICT DO UPDATE SET cycle = cycle + 1').run(agent)
        const n = db.prepare('SELECT count(*) + 1 FROM compressed_history').pluck().get() as number
        const row = `${self}:${String(n).padStart(4, '0')}`
        db.prepare(
          'INSERT INTO compressed_history(id, session, agent, through_seq, cycle, summary, trace_tokens, tokens, tainted, created_at) VALUES(?, ?, ?, ?, ?, ?, 0, 0, 1, ?)',
        ).run(row, self, agent, n, n, summary, at)
        db.prepare(
          'INSERT INTO world_diff(session, seq, cycle, agent, signature, change, delta, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)',
        ).run(self, n, row, agent, `event of ${agent}`, `changed by ${summary}`, '{}', at)
        return row
      })
    },
    /** Cycles that leave no row to review. */
    passes(agent: string, cycles: number): void {
      written((db) =>
        db
          .prepare('INSERT INTO peer_cycle VALUES(?, ?) ON CONFLICT DO UPDATE SET cycle = cycle + excluded.cycle')
          .run(agent, cycles),
      )
    },
    written,
  }
}
