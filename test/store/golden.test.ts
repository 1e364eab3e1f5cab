import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { day, minute } from '../../src/domain/clock.ts'
import type { TickId } from '../../src/domain/ids.ts'
import { openHouse } from '../../src/house/open.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openStore } from '../../src/store/open.ts'
import { ada, mailer, settle } from '../house/scene.ts'
import { HandClock } from '../support/clock.ts'
import { folder } from './folder.ts'
import { agent, agentTitles, writer } from './golden-agents.ts'
import type { Held } from './golden-held.ts'
import {
  files,
  type GoldenStore,
  judge,
  liveAndLeave,
  mails,
  proposals,
  putBack,
  settings,
  titles,
} from './golden-scene.ts'
import { advice, answers, lookUp, review } from './golden-sessions.ts'

const kept = join(import.meta.dirname, 'golden')
const nameOf = (version: number) => join(kept, `store-${version}.json`)
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as GoldenStore
const versions = migrations.map((_, index) => index + 1)

describe('a store of an earlier version', () => {
  it('is kept for every version there has been; UPDATE=1 makes that of this one anew', async () => {
    const now = nameOf(migrations.length)
    if (!existsSync(now) || process.env.UPDATE === '1') {
      writeFileSync(now, `${JSON.stringify(await liveAndLeave(migrations.length), null, 2)}\n`)
    }
    expect(versions.filter((version) => !existsSync(nameOf(version)))).toEqual([])
  })

  it('of this version is made as it is made today, and holds rows of every table', () => {
    const db = openStore({ file: ':memory:', synchronous: 'normal' })
    const made = db
      .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all()
    db.close()
    const { schema, rows } = read(nameOf(migrations.length))
    expect(schema.sort()).toEqual(made.sort())
    expect(Object.entries(rows).flatMap(([table, found]) => (found.length === 0 ? [table] : []))).toEqual([])
  })

  it.each(versions)('is opened by this build, which goes on where it was left: version %i', async (version) => {
    const golden = read(nameOf(version))
    const { home, sent, written, model } = await reopened(golden)
    const { runtime } = home
    const { stores } = runtime
    const of = (title: string) => {
      const task = stores.tasks.list().find((one) => one.title === title)!
      return stores.evaluations.log({ task: task.id, limit: 10 })
    }

    // The tick that was being judged is judged, and what had been before is as it was.
    const running = golden.rows.tick?.find(({ state }) => state === 'working.reflecting.judging')
    await settle(home)
    expect(stores.ticks.get(running?.id as TickId)?.state).toBe('done')
    const states = (title: string) => of(title).map(({ state }) => state)
    expect(states(titles.skipped)).toEqual(['skipped', 'skipped'])
    expect(states(titles.acted)).toEqual(['acted', 'acted', 'acted'])
    expect(states(titles.failed)).toEqual(['failed', 'failed'])
    expect(states(titles.dismissed)).toEqual(['skipped', 'dismissed'])
    expect(states(titles.approved)).toEqual(['awaitingApproval', 'acted'])
    expect(states(titles.asks)).toEqual(['skipped', 'awaitingApproval'])
    expect(stores.tasks.goals().map(({ text }) => text)).toEqual(['Sleep well'])

    // Agents go on where they were: what was in hand is done again, since it may be, and what was done is not.
    expect(states(agentTitles.done)).toEqual(['acted', 'acted'])
    expect(states(agentTitles.thinks)).toEqual(['acted'])
    expect(states(agentTitles.calls)).toEqual(['acted'])
    expect(written.sort()).toEqual(['CALLS.md', 'DONE.md'])
    const [thought] = of(agentTitles.thinks)
    expect(thought?.text).toBe('Wrote THINKS.md\n\nIt is summed up.')

    // Sessions too: what the core had looked up it has, and the message that had just come is answered.
    const said = (session: string) => runtime.sessions.messages(session, { limit: 2 }).messages.map(({ body }) => body)
    expect(said('anna/plans')).toEqual([lookUp, answers.lookUp])
    const thoughts = model.requests.filter(({ messages }) => messages[0]?.text.includes('reasoning core'))
    const ofLookUp = thoughts.filter(({ messages }) => messages[1]?.text.includes(lookUp))
    expect(ofLookUp.map(({ messages }) => messages.at(-1)?.role)).toEqual(['tool'])
    expect(said('bob/news')).toEqual(['The news is good', answers.chat])
    expect(stores.cycles.memories(runtime.sessions.find('anna/plans').id)).toHaveLength(3)

    // What no review had read is read by the next, once; its advice takes the place of what stood.
    expect(runtime.directives.history().map(({ state }) => state)).toEqual(['current', 'superseded'])
    const unread = golden.rows.unreviewed?.map(({ id }) => id)
    expect(await review(home)).toMatchObject({ state: 'done' })
    const [newest, ...older] = runtime.directives.history()
    expect(newest).toMatchObject({ scope: 'anna', text: advice, state: 'current' })
    expect(newest?.rows.slice(0, unread?.length)).toEqual(unread)
    expect(older.map(({ state }) => state)).toEqual(['superseded', 'superseded'])

    // What was long ago has its summary, the rest replays.
    const [, recent, old] = of(titles.acted)
    expect(() => runtime.replay(old!.id)).toThrow(/only a summary was kept/)
    for (const { recorded, replayed } of runtime.replay(recent!.id)) expect(replayed).toBe(recorded)

    // The open card is carried out as it was shown; what was approved before is not, and can be undone.
    const card = stores.escalations.get(of(titles.asks)[1]!.id)!
    expect(card.calls).toEqual(mails)
    await runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(sent).toEqual(['team@example.org: hello', 'boss@example.org: hello'])
    const approved = of(titles.approved)[1]!
    await expect(runtime.answers.approve(approved.id, 'any', { by: 'bob' })).rejects.toThrow(/already approved by ada/)
    await runtime.undo(approved.id)
    expect(readFileSync(join(home.root, 'AGENDA.md'), 'utf8')).toBe(files['AGENDA.md'])

    // A delay that began then ends now.
    const waits = of(titles.waits)[1]!
    expect(waits.state).toBe('awaitingApproval')
    home.clock.set(golden.leftAt + 60 * day)
    await settle(home)
    expect(stores.escalations.get(waits.id)?.state).toBe('expired')
    expect(stores.evaluations.get(waits.id)?.reason).toBe('Expired unanswered')
  })
})

/** A workspace whose store an earlier version has left, opened a minute later. */
async function reopened(golden: GoldenStore) {
  const root = folder()
  await initWorkspace(root)
  await mkdir(join(root, '.undermind'), { recursive: true })
  await writeFile(join(root, 'HEARTBEAT.md'), '- Send the minutes to the board\n')
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text)
  await writeFile(join(root, 'AGENDA.md'), `${files['AGENDA.md']}Bring the keys\n`)
  putBack(golden, join(root, '.undermind/state.db'))
  const clock = new HandClock(golden.leftAt + minute)
  const { tool, sent } = mailer()
  const free: Held = { up: false, reached: new Set() }
  const { tool: writes, written } = writer(free)
  const model = agent(free, proposals)
  const { runtime } = await openHouse({
    workspace: root,
    clock,
    trusted: true,
    env: {},
    userConfigDir: join(root, 'config'),
    settings: {
      'user.timezone': 'Europe/Berlin',
      'store.synchronous': 'normal',
      ...settings,
    },
    provider: judge(async () => {}),
    agent: model,
    tools: [tool, writes],
  })
  onTestFinished(() => runtime[Symbol.asyncDispose]())
  return { home: { root, runtime, clock }, sent, written, model }
}
