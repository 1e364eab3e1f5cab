import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { heartbeatId } from '../../src/actors/heartbeat.ts'
import { day, minute } from '../../src/domain/clock.ts'
import type { ActorId } from '../../src/domain/ids.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { ada, mail, mailer, until } from '../house/scene.ts'
import { HandClock } from '../support/clock.ts'
import { house } from '../support/house.ts'
import { agent, agentTitles, writer } from './golden-agents.ts'
import type { Held } from './golden-held.ts'
import { leaveInHand, reviewAndTalk, talkLongAgo } from './golden-sessions.ts'

/** A store as its version wrote it: how its tables were made, and what was in them. BLOBs are `{ "hex": … }`. */
export interface GoldenStore {
  version: number
  /** Milliseconds UTC at which it was left. */
  leftAt: number
  schema: string[]
  rows: Record<string, Record<string, unknown>[]>
}

/** The words of the scene's tasks say what became of them when they were last judged. */
export const titles = {
  skipped: 'Watch what is skipped',
  acted: 'Watch what is acted on',
  failed: 'Watch what fails',
  asks: 'Watch what asks',
  dismissed: 'Watch what was dismissed',
  approved: 'Watch what was approved',
  waits: 'Watch what waits',
}
/** Of the scene, and of whoever opens what it left. */
export const settings = { 'orchestration.enabled': true }
const start = '2026-03-02T09:00:00Z'

/** The workspace's files; nothing of the scene but AGENDA.md is written to. */
export const files = { 'notes.md': 'A line\nAnother line\n', 'AGENDA.md': 'Kept\n' }

const appends = { tool: 'append_file', arguments: { path: 'AGENDA.md', text: 'Bring the keys\n' } }

/** Two mails that are asked about together, of which the card stays open. */
export const mails = [mail('team@example.org'), mail('boss@example.org')]

/** What is proposed for the tasks that are looked into deeper. */
export const proposals = {
  [titles.asks]: mails,
  [titles.approved]: [appends],
  [titles.dismissed]: [mail('everyone@example.org')],
  [titles.waits]: [mail('nobody@example.org')],
}

/** Who judges in the scene: by the words of the task. `heldUp` is asked before it answers at all. */
export function judge(heldUp: () => Promise<void>) {
  return scriptedProvider({
    async judge(request) {
      await heldUp()
      const evaluations = request.report.tasks.flatMap(({ id, title }) => {
        if (title === titles.failed) return []
        if (Object.values(agentTitles).includes(title))
          return [{ task_id: id, decision: 'act', reason: 'it is to be written', needs: 'tools' }]
        if (title === titles.acted) return [{ task_id: id, decision: 'act', reason: 'it is time', text: 'Did it' }]
        return [{ task_id: id, decision: title in proposals ? 'escalate' : 'skip', reason: 'by its words' }]
      })
      return { text: JSON.stringify({ evaluations }), usage: { promptTokens: 5, completionTokens: 7 }, cutOff: false }
    },
  })
}

/** Lives through what a store may come to hold, and takes down what it holds while a tick is being judged. */
export async function liveAndLeave(version: number): Promise<GoldenStore> {
  const clock = new HandClock(start)
  const held = { up: false }
  const agentsHeld: Held = { up: true, reached: new Set() }
  const provider = judge(() => (held.up ? new Promise(() => {}) : Promise.resolve()))
  const home = await house({
    clock,
    files,
    provider,
    agent: agent(agentsHeld, proposals),
    tools: [mailer().tool, writer(agentsHeld).tool],
    tasks: ['Send the minutes to the board'],
    settings,
  })
  const { runtime } = home

  // Long ago: one evaluation, of which only a summary is left, and talk of which memory holds the oldest.
  await runtime.tasks.add({ title: titles.acted })
  await home.tick(true)
  await talkLongAgo(home)
  clock.set(clock.now() + 40 * day)
  await runtime.compact()

  for (const title of Object.values(titles)) {
    if (title !== titles.acted) await runtime.tasks.add({ title })
  }
  await runtime.tasks.add({ title: 'Remind me on Mondays', schedule: { kind: 'cron', expression: '0 9 * * 1' } })
  await runtime.goals.put('Sleep well')
  await home.tick(true)
  await reviewAndTalk(home)
  const isDone = (title: string) => {
    const { id: task } = runtime.tasks.find(title)
    return runtime.log({ task, limit: 1 })[0]?.state === 'acted'
  }
  // Agents at work: of one nothing is left but what it did, the others are held up from here on.
  for (const title of Object.values(agentTitles)) await runtime.tasks.add({ title })
  await runtime.settled(await runtime.trigger())
  await until(() => agentsHeld.reached.size === 2 && isDone(agentTitles.done))
  const card = (title: string) => home.cards().find((one) => runtime.stores.tasks.get(one.task)?.title === title)!
  await runtime.answers.dismiss(card(titles.dismissed).id, ada)
  const { id, digest } = card(titles.approved)
  await runtime.answers.approve(id, digest, { ...ada, message: 'message-1' })
  await runtime.evaluationSettled(id)
  await runtime.host.write((turn) => {
    turn.tell(heartbeatId, 'nobody' as ActorId, { type: 'start' })
    runtime.stores.records.notify({ key: 'n1', kind: 'notify', title: 'Told', body: 'you', at: turn.now })
  })
  // Less than an agent is given.
  clock.set(clock.now() + 5 * minute)
  await leaveInHand(home, agentsHeld)
  held.up = true
  await home.write('notes.md', `${files['notes.md']}A third line\n`)
  await runtime.trigger({ force: true })
  await until(
    () => provider.calls.judge.length > 0 && runtime.stores.ticks.running()[0]?.state.includes('judging') === true,
  )
  await setImmediate()
  const db = new Database(`${home.root}/.undermind/state.db`, { readonly: true })
  const golden = takenDown(db, version, clock.now())
  db.close()
  held.up = false
  return golden
}

function takenDown(db: Database.Database, version: number, leftAt: number): GoldenStore {
  const made = db
    .prepare<[], { name: string; type: string; sql: string }>(
      "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
    )
    .all()
  const tables = made.filter(({ type }) => type === 'table').map(({ name }) => name)
  const rows = tables.map((name): [string, Record<string, unknown>[]] => {
    const columns = db.pragma(`table_info(${name})`) as { name: string }[]
    const found = db.prepare(`SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name}`).all()
    return [
      name,
      found.map((row) => Object.fromEntries(Object.entries(row as object).map(([key, value]) => [key, asText(value)]))),
    ]
  })
  return { version, leftAt, schema: made.map(({ sql }) => sql), rows: Object.fromEntries(rows) }
}

const asText = (value: unknown): unknown =>
  value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value

const asValue = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'hex' in value ? Buffer.from(String(value.hex), 'hex') : value

/** Puts a store where it would be, as the version that wrote it has left it. */
export function putBack(golden: GoldenStore, file: string): void {
  const db = new Database(file)
  const isTrigger = (sql: string) => sql.startsWith('CREATE TRIGGER')
  for (const sql of golden.schema) if (!isTrigger(sql)) db.exec(sql)
  for (const [table, rows] of Object.entries(golden.rows)) {
    for (const row of rows) {
      const names = Object.keys(row)
      const values = names.map((name) => asValue(row[name]))
      db.prepare(`INSERT INTO ${table}(${names.join()}) VALUES(${names.map(() => '?').join()})`).run(...values)
    }
  }
  // What triggers have made stands among the rows.
  for (const sql of golden.schema) if (isTrigger(sql)) db.exec(sql)
  db.pragma(`user_version = ${golden.version}`)
  db.close()
}
