// One life of a host: sends the messages of the script from about where the former life stopped, until it is killed.
import { shiftedClock } from '../lib/clock.mjs'
import { fated, say } from '../lib/fate.mjs'
import { linesIn } from '../lib/lines.mjs'
import { randomFrom } from '../lib/random.mjs'
import { seats } from './charts.mjs'
import { counters, operation } from './script.mjs'
import { doing, happened } from './work.mjs'

/** @type {import('../lib/ordeal.mjs').Life} */
const { folder, dist, seed, number, twin, fate, last } = JSON.parse(process.argv[2])
const { SqliteHost } = await import(`${dist}/actors/host.js`)
const { Lease } = await import(`${dist}/store/lease.js`)
const { openStore } = await import(`${dist}/store/open.js`)
const { sqliteLedger } = await import(`${dist}/store/ledger.js`)

const random = randomFrom('life', seed, number, twin)
const die = fated(fate)
const clock = shiftedClock(0)
const sent = linesIn(`${folder}/sent.jsonl`)
const again = linesIn(`${folder}/again.jsonl`)
const highest = (/** @type {string} */ what) => Math.max(0, ...sent.all().map((line) => line[what] ?? 0))

say('begin')
try {
  await live()
} catch (error) {
  // Of two lives that begin at once one is refused, or fenced off should it have been the slower.
  if (error.code !== 'workspace/in-use' && error.code !== 'store/taken-over') throw error
  process.exit()
}

async function live() {
  const file = `${folder}/state.db`
  const { lease, db } = Lease.take(`${folder}/lock`, clock, (check) =>
    openStore({ file, synchronous: 'normal', check }),
  )
  const host = new SqliteHost({
    ledger: sqliteLedger(db, lease),
    clock,
    seats: await seats(dist),
    handlers: { 'job.do': doing(folder, die, random) },
    groupMs: random.of([0, 1, 2, 2, 10]),
    fault: die,
  })
  await host.start()
  await host.spawnAll(
    'counter',
    null,
    counters.map((id) => ({ id, input: {} })),
  )
  const asking = db.prepare(
    "SELECT a.id, o.key FROM actor a JOIN outbox o ON o.actor = a.id AND o.state = 'unknown' WHERE a.state = 'asking' GROUP BY a.id HAVING o.key = max(o.key)",
  )

  /** Every message has its id, so that sending it again is nothing new. */
  async function send(/** @type {number} */ n) {
    const { act, to, event, note } = operation(seed, n)
    if (act === 'note') {
      const insert = db.prepare('INSERT OR IGNORE INTO goal VALUES(?, ?, 0)')
      await host.write((turn) => {
        if (insert.run(note, to).changes === 1) turn.tell(to, to, { type: 'note' })
      })
      return
    }
    try {
      const outcome = await host.dispatch({ id: `message ${n}`, to, event })
      if (outcome !== 'handled' && outcome !== 'duplicate') throw new Error(`message ${n} was ${outcome}`)
    } catch (error) {
      if (act !== 'break' || !error.message.includes('broken on purpose')) throw error
    }
  }

  /** The user finds out whether it happened, or does not care and has it done again. */
  async function answer() {
    for (const { id, key } of asking.all()) {
      if (random.chance(0.3)) {
        again.add({ job: id })
        await host.dispatch({ to: id, event: { type: 'again' } })
      } else await host.dispatch({ to: id, event: { type: 'checked', happened: happened(folder, key) } })
    }
  }

  if (last) {
    const end = highest('begun')
    for (let n = 0; n < end; n += 50)
      await Promise.all(Array.from({ length: Math.min(50, end - n) }, (_, k) => send(n + k)))
    const active = db.prepare("SELECT count(*) FROM actor WHERE kind = 'job' AND status = 'active'").pluck()
    while (active.get() > 0) {
      await answer()
      await new Promise((next) => setTimeout(next, 5))
    }
  } else {
    let next = Math.max(0, highest('done') - random.below(20))
    const until = next + 60 + random.below(200)
    while (next < until) {
      const size = random.count(6)
      sent.add({ begun: next + size })
      await Promise.all(Array.from({ length: size }, (_, k) => send(next + k)))
      next += size
      sent.add({ done: next })
      if (random.chance(0.2)) host.passivate(random.of(counters))
      if (random.chance(0.1)) await answer()
      if (random.chance(0.1)) await new Promise((resume) => setTimeout(resume, random.below(15)))
    }
    if (random.chance(0.5)) await host.idle()
  }
  await host[Symbol.asyncDispose]()
  db.close()
  lease[Symbol.dispose]()
}
