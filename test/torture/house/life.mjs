// One life of a workspace's background mind: a user works beside it, triggers it and answers it, until it is killed.
import Database from 'better-sqlite3'
import { shiftedClock } from '../lib/clock.mjs'
import { fated, say } from '../lib/fate.mjs'
import { randomFrom } from '../lib/random.mjs'
import { moodyModel } from './model.mjs'
import { recordsIn, workspaceIn } from './places.mjs'
import { mortalTools } from './tools.mjs'
import { answerCards, editFiles } from './user.mjs'

/** @type {import('../lib/ordeal.mjs').Life & { shift: number, settings: Record<string, unknown> }} */
const { folder, dist, seed, number, twin, fate, last, shift, settings } = JSON.parse(process.argv[2])
const { openHouse } = await import(`${dist}/house/open.js`)

const random = randomFrom('life', seed, number, twin)
const die = fated(fate)
const parts = { folder, dist, random, die, last }
const provider = await moodyModel(parts)
const tools = await mortalTools(parts)
const pause = (/** @type {number} */ ms) => new Promise((next) => setTimeout(next, ms))

say('begin')
const { runtime, paths } = await openHouse({
  workspace: workspaceIn(folder),
  settings,
  trusted: true,
  env: {},
  userConfigDir: `${folder}/config`,
  clock: shiftedClock(shift),
  random: random.next,
  provider,
  tools,
  fault: die,
}).catch((error) => {
  // Of two lives that begin at once one is refused.
  if (error.code === 'workspace/in-use') process.exit()
  throw error
})
const db = new Database(paths.db, { readonly: true })
recordsIn(folder).found.add({ generation: runtime.stores.ticks.world('memory').generation })
await addTasks()
await runtime.start()
await (last ? comeToRest() : live())
db.close()
await runtime[Symbol.asyncDispose]()

async function addTasks() {
  const { tasks, stores, host } = runtime
  const known = new Set(stores.tasks.list({ retired: true }).map(({ title }) => title))
  const wanted = [
    { title: 'Look through the inbox', inputs: ['inbox/**'] },
    { title: 'Follow the notes', inputs: ['notes/**'] },
    { title: 'Look every five minutes', schedule: { kind: 'every', minutes: 5 } },
    { title: 'Look each morning', schedule: { kind: 'cron', expression: '0 7 * * *' } },
    { title: 'Append new appointments to AGENDA.md' },
    { title: 'Pass new lines on', intent: 'write' },
  ]
  for (const task of wanted) {
    if (known.has(task.title)) continue
    const { id } = await tasks.add(task)
    // No words ask for `send`; a task that may use it without asking is carried out without a card.
    if (task.intent) await host.write(() => stores.tasks.update(id, { effects: [{ tool: 'send', target: 'team' }] }))
  }
}

/** Asks for a tick; `ended` resolves when that tick has ended. */
async function tick() {
  try {
    const id = await runtime.trigger()
    return { ended: () => runtime.settled(id) }
  } catch (error) {
    if (error.code !== 'world/paused') throw error
    await runtime.resume()
    return { ended: async () => {} }
  }
}

async function live() {
  for (let left = 8 + random.below(14); left > 0; left--) {
    switch (random.weighted({ edit: 5, tick: 4, hurry: 2, answer: 4, pause: 2, task: 0.7, world: 0.3, cancel: 0.5 })) {
      case 'edit':
        for (let files = random.count(2); files > 0; files--) editFiles(folder, random)
        break
      case 'tick':
        await (await tick()).ended()
        break
      case 'hurry': {
        const ticks = []
        for (let more = 1 + random.below(3); more > 0; more--) {
          ticks.push(await tick())
          if (random.chance(0.5)) await pause(random.below(20))
          editFiles(folder, random)
        }
        await ticks.at(-1).ended()
        break
      }
      case 'answer':
        await answerCards({ folder, runtime, db, random, share: 0.6 })
        break
      case 'pause':
        await pause(random.below(40))
        break
      case 'task': {
        const task = random.of(runtime.tasks.list())
        await runtime.tasks.edit(task.id, { enabled: !task.enabled })
        break
      }
      case 'world':
        await (runtime.status().worlds[0].state === 'paused' ? runtime.resume() : runtime.pause())
        break
      case 'cancel': {
        const busy = runtime.stores.evaluations.log({ state: 'inProgress', limit: 10 })
        if (busy.length > 0) await runtime.answers.cancel(random.of(busy).id, { by: 'cli' })
      }
    }
  }
  if (random.chance(0.3)) await runtime.host.idle()
}

/** Everything that was left open is answered and judged, until a tick finds nothing more. */
async function comeToRest() {
  const { stores, host } = runtime
  const open = db.prepare(
    "SELECT (SELECT count(*) FROM evaluation WHERE state = 'inProgress') + (SELECT count(*) FROM escalation WHERE state = 'open' AND kind = 'unknown') AS n",
  )
  if (runtime.status().worlds[0].state === 'paused') await runtime.resume()
  for (const { id, enabled, paused } of runtime.tasks.list())
    if (!enabled || paused !== null) await runtime.tasks.edit(id, { enabled: true })
  for (let round = 0; ; round++) {
    const row = await runtime.settled(await runtime.trigger())
    await host.idle()
    await answerCards({ folder, runtime, db, random, share: round < 3 ? 0.5 : 0 })
    await host.idle()
    if (row.state === 'quiet' && open.pluck().get() === 0) break
    if (round > 200) throw new Error(`does not come to rest: ${JSON.stringify(stores.evaluations.log({ limit: 5 }))}`)
    await pause(2)
  }
}
