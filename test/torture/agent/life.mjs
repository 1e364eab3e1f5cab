// One life of a workspace in which agents work: a user triggers and answers them, until the process is killed.
import Database from 'better-sqlite3'
import { shiftedClock } from '../lib/clock.mjs'
import { fated, say } from '../lib/fate.mjs'
import { randomFrom } from '../lib/random.mjs'
import { agent, judge } from './model.mjs'
import { workspaceIn } from './places.mjs'
import { mortalTools } from './tools.mjs'
import { answerCards, editNotes } from './user.mjs'

/** @type {import('../lib/ordeal.mjs').Life & { shift: number }} */
const { folder, dist, seed, number, twin, fate, last, shift } = JSON.parse(process.argv[2])
const { openHouse } = await import(`${dist}/house/open.js`)

const random = randomFrom('life', seed, number, twin)
const die = fated(fate)
const workspace = workspaceIn(folder)
const pause = (/** @type {number} */ ms) => new Promise((next) => setTimeout(next, ms))

say('begin')
/** Opened when there is a store to look at. @type {{ is?: Database.Database }} */
const look = {}
/** @type {any} */
const db = { prepare: (sql) => late(() => look.is.prepare(sql)) }
const parts = { folder, dist, random, die, last, db }
const { runtime, paths } = await openHouse({
  workspace,
  settings: { 'user.timezone': 'Europe/Berlin', 'store.synchronous': 'normal', 'approvals.new_cards_per_day': 1000 },
  trusted: true,
  env: {},
  userConfigDir: `${folder}/config`,
  clock: shiftedClock(shift),
  random: random.next,
  provider: await judge(parts),
  agent: agent(parts),
  tools: await mortalTools(parts),
  fault: die,
})
look.is = new Database(paths.db, { readonly: true })
await addTasks()
await runtime.start()
await (last ? comeToRest() : live())
look.is.close()
await runtime[Symbol.asyncDispose]()

/** A statement that is prepared at its first use: work that goes on begins before anybody else can look. */
function late(/** @type {() => any} */ prepare) {
  let made
  const statement = () => {
    look.is ??= new Database(`${workspace}/.undermind/state.db`, { readonly: true })
    made ??= prepare()
    return made
  }
  return {
    get: (...args) => statement().get(...args),
    all: (...args) => statement().all(...args),
    pluck() {
      const inner = prepare
      return late(() => inner().pluck())
    },
  }
}

async function addTasks() {
  const { tasks, stores, host } = runtime
  const known = new Set(stores.tasks.list({ retired: true }).map(({ title }) => title))
  if (!known.has('Task of run 1')) await tasks.edit('task_seed_memory', { enabled: false })
  for (let n = 1; n <= 5; n++) {
    const title = `Task of run ${n}`
    if (known.has(title)) continue
    const intent = n <= 3 ? 'write' : 'read'
    const { id } = await tasks.add({ title, intent })
    const effects = [
      { tool: 'post', target: 'team' },
      { tool: 'note', target: 'log' },
      { tool: 'write_file', target: `LOG-${n}.md` },
    ]
    if (intent === 'write') await host.write(() => stores.tasks.update(id, { effects }))
  }
}

async function tick() {
  const id = await runtime.trigger()
  return { ended: () => runtime.settled(id) }
}

async function live() {
  for (let left = 5 + random.below(8); left > 0; left--) {
    switch (random.weighted({ tick: 6, hurry: 1, answer: 3, pause: 2, cancel: 0.4 })) {
      case 'tick':
        editNotes(folder)
        await (await tick()).ended()
        break
      case 'hurry': {
        editNotes(folder)
        await tick()
        await pause(random.below(20))
        editNotes(folder)
        await (await tick()).ended()
        break
      }
      case 'answer':
        await answerCards({ folder, runtime, db: look.is, random, share: 0.7 })
        break
      case 'pause':
        await pause(random.below(30))
        break
      case 'cancel': {
        const busy = runtime.stores.evaluations.log({ state: 'inProgress', limit: 10 })
        if (busy.length > 0) await runtime.answers.cancel(random.of(busy).id, { by: 'cli' })
      }
    }
  }
  if (random.chance(0.3)) await runtime.host.idle()
}

/** What is under way comes to its end and every card is answered, until a tick finds nothing more. */
async function comeToRest() {
  const open = look.is
    .prepare(
      `SELECT (SELECT count(*) FROM evaluation WHERE state IN ('inProgress', 'awaitingApproval'))
       + (SELECT count(*) FROM agent_run WHERE ended_at IS NULL)`,
    )
    .pluck()
  for (const { id, paused } of runtime.tasks.list())
    if (paused !== null) await runtime.tasks.edit(id, { enabled: true })
  for (let round = 0; ; round++) {
    const row = await runtime.settled(await runtime.trigger())
    await runtime.host.idle()
    await answerCards({ folder, runtime, db: look.is, random, share: 1 })
    await runtime.host.idle()
    if (row.state === 'quiet' && open.get() === 0) break
    if (round > 200) {
      const left = JSON.stringify(runtime.stores.evaluations.log({ limit: 5 }))
      throw new Error(`does not come to rest: ${left}`)
    }
    await pause(2)
  }
}
