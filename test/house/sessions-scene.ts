import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type FaultPoint, SqliteHost } from '../../src/actors/host.ts'
import { actorOf, sessionId } from '../../src/actors/session.ts'
import type { ChatModel, ChatRequest } from '../../src/domain/chat.ts'
import { type Channel, masterKey, type SessionMemory, type Steering } from '../../src/domain/session.ts'
import { defaultSettings, type Settings } from '../../src/domain/settings.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { Calls } from '../../src/house/calls.ts'
import { timedIds } from '../../src/house/ids.ts'
import { givenMinds } from '../../src/house/minds.ts'
import { Routes } from '../../src/house/routes.ts'
import { sessionHouse } from '../../src/house/sessions/assemble.ts'
import { stores as storesOver } from '../../src/house/stores.ts'
import { UsageBook } from '../../src/house/usage.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { sqliteLedger } from '../../src/store/ledger.ts'
import { type Db, openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'
import { scriptedChat } from '../support/scripted-chat.ts'

type Scripted = ChatModel & { requests: ChatRequest[] }

export interface SceneOptions {
  db?: Db
  clock?: HandClock
  reflex?: ChatModel | undefined
  core?: ChatModel | undefined
  tools?: readonly Tool[]
  channel?: Channel
  steeringFor?(peer: string): Steering | null
  settings?: (settings: Settings) => Settings
  remember?(memories: readonly SessionMemory[]): void
  /** Says whether the process is killed at this point. */
  diesAt?: (point: FaultPoint) => boolean
}

/** A fast model that replies, or hands down what begins with `Work`. */
export const quick = (): Scripted =>
  scriptedChat({
    id: 'local',
    model: 'fast-1',
    answer: ({ messages }) => {
      const asked = messages.at(-1)?.text ?? ''
      return /: Work/.test(newIn(asked))
        ? JSON.stringify({ kind: 'defer', text: null, brief: 'Do the work that is asked for.' })
        : JSON.stringify({ kind: 'reply', text: 'Hello yourself.', brief: null })
    },
  })

/** The part of a prompt that holds the new messages. */
export const newIn = (prompt: string): string => prompt.split('## New messages')[1] ?? ''

/** A deep model that answers at once. */
export const thinker = (text = 'It is done thinking.'): Scripted =>
  scriptedChat({ id: 'openai', model: 'deep-1', tools: true, answer: () => text })

/** Sessions over the real host and store, with a clock turned by hand and models that say what the test has them say. */
export async function sessionScene(options: SceneOptions = {}) {
  const db = options.db ?? openStore({ file: ':memory:', synchronous: 'normal' })
  const clock = options.clock ?? new HandClock()
  const base = defaultSettings()
  const enabled = { ...base, orchestration: { ...base.orchestration, enabled: true } }
  const settings = () => options.settings?.(enabled) ?? enabled
  const stores = storesOver(db)
  const ids = timedIds(clock)
  const sound = sqliteLedger(db)
  let killed = false
  const ledger: typeof sound = {
    ...sound,
    begin: () => {
      if (killed) throw new Error('this process is no more')
      sound.begin()
    },
    isFatal: (error) => killed || sound.isFatal(error),
  }
  const reflex = 'reflex' in options ? options.reflex : quick()
  const core = 'core' in options ? options.core : thinker()
  const late: { host?: SqliteHost } = {}
  const host = {
    write: <T>(change: Parameters<SqliteHost['write']>[0]) => late.host!.write(change) as Promise<T>,
    subscribe: (listener: Parameters<SqliteHost['subscribe']>[0]) => late.host!.subscribe(listener),
  } as Pick<SqliteHost, 'write' | 'subscribe'>
  const accounts = new UsageBook({ store: stores.usage, clock, settings, timezone: () => 'UTC' })
  const routes = new Routes({ settings, clock, ...givenMinds(scriptedProvider({}), core, reflex) })
  const house = sessionHouse({
    stores,
    host,
    clock,
    ids,
    calls: new Calls({ host, stores, accounts, clock, ids }),
    tools: new Map((options.tools ?? []).map((tool) => [tool.name, tool])),
    routes,
    settings,
    timezone: () => 'Europe/Berlin',
    channel: options.channel,
    steeringFor: options.steeringFor ?? (() => null),
  })
  const real = new SqliteHost({
    ledger,
    clock,
    seats: [house.seat],
    handlers: house.work,
    fault: (point) => {
      if (!killed && !options.diesAt?.(point)) return
      killed = true
      throw new Error('this process is no more')
    },
  })
  late.host = real
  onTestFinished(async () => {
    if (!killed) await real[Symbol.asyncDispose]()
  })
  try {
    await real.start()
    await house.book.pin()
    await house.book.sweep()
  } catch (error) {
    if (!killed) throw error
  }

  /** Lets everything that is due now run its course. */
  const settle = async () => {
    for (let round = 0; round < 4; round++) {
      await setImmediate()
      await real.idle()
    }
  }
  return {
    db,
    clock,
    stores,
    host: real,
    book: house.book,
    work: house.work,
    settle,
    /** Lets time pass, and everything that comes due in it. */
    pass: (ms: number) => clock.advance(ms, settle),
    /** From here on nothing of this process reaches the store. */
    kill: () => {
      killed = true
    },
    isDead: () => killed,
    restart: (change: SceneOptions = {}) => {
      killed = true
      return sessionScene({ ...options, db, clock, ...change })
    },
    bodies: (agent: string, session: string) =>
      stores.sessions
        .messages(sessionId({ agent, session }), { limit: 500 })
        .map(({ role, body }) => `${role === 'user' ? '>' : '<'} ${body}`),
    row: (agent: string, session: string) => stores.sessions.get(sessionId({ agent, session }))!,
    master: () => stores.sessions.get(sessionId(masterKey))!,
    live: () => real.liveActors,
    actor: (agent: string, session: string) => sound.actor(actorOf(sessionId({ agent, session }))),
    deadLetters: () => db.prepare('SELECT actor, reason FROM dead_letter').all(),
    calls: () => db.prepare<[], string>('SELECT purpose FROM model_call ORDER BY at, id').pluck().all(),
  }
}
