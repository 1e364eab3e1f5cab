import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hour, minute } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import type { JudgeRequest, RawAnswer } from '../../src/domain/model.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { type House, house } from '../support/house.ts'
import { ada, mail, mailer, proposes, settle } from './scene.ts'

/** What may happen, in any order and some of it more often; `n` says which of several, or how much. */
const things = [
  'write',
  'write',
  'write',
  'tick',
  'tick',
  'tick',
  'triggers',
  'race',
  'race',
  'raceEffects',
  'raceEffects',
  'approve',
  'approveTwice',
  'approveOrDismiss',
  'dismiss',
  'respond',
  'pause',
  'resume',
  'restart',
  'overlap',
  'later',
  'earlier',
  'modelDown',
  'modelUp',
  'modelHangs',
  'effectsHang',
  'modelAnswers',
  'disable',
  'enable',
  'cancel',
] as const
type Thing = (typeof things)[number]

const story = fc.record({
  moods: fc.array(fc.constantFrom('skip', 'act', 'text', 'ask', 'ask', 'result', 'forget'), {
    minLength: 1,
    maxLength: 7,
  }),
  happens: fc.array(fc.record({ thing: fc.constantFrom<Thing>(...things), n: fc.nat(5) }), {
    minLength: 5,
    maxLength: 30,
  }),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

/** Work that hangs until it is let go, or until nobody wants it any more. */
function hanging() {
  const held = new Set<() => void>()
  return {
    hold: (signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        held.add(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
    letGo() {
      for (const go of held) go()
      held.clear()
    },
  }
}

/** A model that answers by its moods, is down, or hangs. */
function moodyModel(moods: Story['moods']) {
  const model = { down: false, hangs: false, effectsHang: false, calm: false, asked: 0 }
  const { hold, letGo } = hanging()
  const mood = () => (model.calm ? 'skip' : moods[model.asked++ % moods.length]!)
  const decisions: Record<string, object | null> = {
    skip: { decision: 'skip' },
    act: { decision: 'act', text: 'seen' },
    text: { decision: 'act', needs: 'text' },
    ask: { decision: 'escalate', reason: 'ask' },
    result: { decision: 'escalate', reason: 'result' },
    forget: null,
  }
  const provider = scriptedProvider({
    record: false,
    async judge({ report }: JudgeRequest, signal): Promise<RawAnswer> {
      if (model.down) throw new Error('the model is down')
      if (model.hangs) await hold(signal)
      const evaluations = report.tasks.flatMap(({ id }) => {
        const decision = decisions[mood()]
        return decision ? [{ task_id: id, ...decision }] : []
      })
      return { text: JSON.stringify({ evaluations }), usage: { promptTokens: 0, completionTokens: 0 }, cutOff: false }
    },
    async execute({ task }, signal) {
      if (model.effectsHang) await hold(signal)
      return { text: `Done: ${task.title}`, sources: [] }
    },
    async analyse({ task, reason, response }, signal) {
      if (model.effectsHang && response !== undefined) await hold(signal)
      if (reason !== 'ask' || model.calm) return { kind: 'result', text: 'looked into it', sources: [] }
      const call = mail(`${task.title}${response ?? ''}`, `${model.asked % 2}`)
      if (task.title !== writer) return proposes('Mail', [call])
      return proposes('Note it', [{ tool: 'append_file', arguments: { to: 'journal', text: `${model.asked++}` } }])
    },
  })
  return { model, provider, letGo }
}

/** A newer card took the place of the one that was answered, in the moment before the answer. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'approval/answered' && error.data.state === 'superseded'

const onlyOvertaken = (error: unknown): void => {
  if (!isOvertaken(error)) throw error
}

/** The task whose own words ask for an effect, so that nobody is asked about it. */
const writer = 'Append what is new to JOURNAL.md'

async function play({ moods, happens }: Story): Promise<void> {
  const { model, provider, letGo } = moodyModel(moods)
  const tools = hanging()
  const slowly = () => (model.effectsHang ? tools.hold() : undefined)
  const { tool, sent } = mailer(slowly)
  const { tool: journal, sent: noted } = mailer(slowly)
  const append = { ...journal, name: 'append_file', target: () => 'JOURNAL.md' }
  const home = await house({ provider, tools: [tool, append], files: { 'notes.md': 'begin' } })
  const approved: string[] = []
  let overlap = 'supersede'
  let written = 0
  const { runtime: first } = home
  const names = ['one', 'two', writer]
  for (const title of names) await first.tasks.add({ title })

  const approve = async (n: number): Promise<void> => {
    const card = picked(home, n)
    if (!card) return
    await home.runtime.answers.approve(card.id, card.digest, ada)
    for (const { arguments: args } of card.calls) approved.push(`${args.to}: ${args.text}`)
  }
  const dismiss = async (n: number): Promise<void> => {
    const card = picked(home, n)
    if (card) await home.runtime.answers.dismiss(card.id, ada)
  }
  /** Of answers given together at most one counts. */
  const together = async (...answers: Promise<void>[]): Promise<void> => {
    const open = home.cards().length
    const ends = await Promise.allSettled(answers)
    const taken = ends.filter(({ status }) => status === 'fulfilled')
    const overtaken = ends.some((end) => end.status === 'rejected' && isOvertaken(end.reason))
    if (open > 0) expect(taken).toHaveLength(overtaken ? 0 : 1)
  }
  /** One tick after another while something hangs, each with more to see. */
  const race = async (n: number, what: 'hangs' | 'effectsHang'): Promise<void> => {
    model[what] = true
    for (let i = 0; i <= n; i++) {
      await does.write(i)
      await does.tick(0)
      for (let turn = 0; turn < 30; turn++) await setImmediate()
      if (what === 'effectsHang' && i === 1) await does.respond(i)
    }
    await does.modelAnswers(0)
  }
  const does: Record<Thing, (n: number) => Promise<unknown>> = {
    write: (n) => home.write(`notes${n}.md`, `change ${++written}`),
    tick: () => home.runtime.trigger().catch(onlyPaused),
    triggers: (n) =>
      Promise.all(Array.from({ length: n + 1 }, (_, i) => home.runtime.trigger({ force: i === 3 }).catch(onlyPaused))),
    race: (n) => race(n, 'hangs'),
    raceEffects: (n) => race(n, 'effectsHang'),
    approve: (n) => approve(n).catch(onlyOvertaken),
    dismiss: (n) => dismiss(n).catch(onlyOvertaken),
    approveTwice: (n) => together(approve(n), approve(n)),
    approveOrDismiss: (n) => together(...(n % 2 === 0 ? [approve(n), dismiss(n)] : [dismiss(n), approve(n)])),
    async respond(n) {
      const card = picked(home, n)
      if (card) await home.runtime.answers.respond(card.id, '!', ada).catch(onlyOvertaken)
    },
    pause: () => home.runtime.pause(),
    resume: () => home.runtime.resume(),
    async restart() {
      // An orderly end waits for what must not be interrupted; what may be done again is.
      tools.letGo()
      await home.restart({ settings: { 'heartbeat.overlap': overlap } })
    },
    overlap: () => {
      overlap = overlap === 'finish' ? 'supersede' : 'finish'
      return does.restart(0)
    },
    later: async (n) => home.clock.set(home.clock.now() + [minute, 7 * minute, hour, 9 * hour, 40 * hour, 1][n]!),
    earlier: async (n) => home.clock.set(home.clock.now() - [minute, 30 * minute, hour, 9 * hour, 40 * hour, 1][n]!),
    async modelDown() {
      model.down = true
    },
    async modelUp() {
      model.down = false
    },
    async modelHangs() {
      model.hangs = true
    },
    async effectsHang() {
      model.effectsHang = true
    },
    async modelAnswers() {
      model.hangs = false
      model.effectsHang = false
      letGo()
      tools.letGo()
    },
    disable: (n) => home.runtime.tasks.edit(names[n % 3]!, { enabled: false }),
    enable: (n) => home.runtime.tasks.edit(names[n % 3]!, { enabled: true }),
    async cancel() {
      const [busy] = home.runtime.log({ state: 'inProgress', limit: 1 })
      if (busy) await home.runtime.answers.cancel(busy.id, ada)
    },
  }

  await home.runtime.start()
  for (const { thing, n } of happens) {
    await does[thing](n)
    for (let i = 0; i < 3; i++) await setImmediate()
    if (!model.hangs && !model.effectsHang) await settle(home)
    expectLegal(home)
  }

  await does.modelAnswers(0)
  await does.modelUp(0)
  model.calm = true
  await settle(home)
  await home.runtime.resume()
  for (const title of names) await home.runtime.tasks.edit(title, { enabled: true })
  await home.write('notes.md', 'end')
  for (let quiet = false, n = 0; !quiet; n++) {
    expect(n, 'comes to rest').toBeLessThan(8)
    home.clock.set(home.clock.now() + 50 * hour)
    await settle(home)
    quiet = (await home.tick()).state === 'quiet'
  }
  await settle(home)
  expectLegal(home)
  expect(home.runtime.log({ state: 'inProgress', limit: 10 })).toEqual([])
  expect(home.runtime.status().worlds[0]).toMatchObject({ state: 'resting', consecutiveFailures: 0 })
  expect(sent.toSorted(), 'every approved call once, and no other').toEqual(approved.toSorted())
  expect(new Set(noted).size, 'nothing that a task asks for is done twice').toBe(noted.length)
  for (const title of names) expectWholeAndOnce(home, title)
  await home.runtime[Symbol.asyncDispose]()
}

const picked = (home: House, n: number) => {
  const cards = home.cards()
  return cards[n % Math.max(1, cards.length)]
}

const onlyPaused = (error: unknown): void => expect(error).toMatchObject({ code: 'world/paused' })

/** What must be so at every moment. */
function expectLegal(home: House): void {
  const { stores } = home.runtime
  const status = home.runtime.status()
  expect(status.deadLetters).toBe(0)
  expect(status.worlds[0]!.totalTicks).toBeLessThanOrEqual(status.worlds[0]!.generation)
  const waiting = home.runtime.log({ state: 'awaitingApproval', limit: 100 }).map(({ id }) => id)
  const cards = home.cards()
  expect(waiting.toSorted(), 'a card is open while its evaluation waits').toEqual(cards.map(({ id }) => id).toSorted())
  expect(new Set(cards.map(({ task }) => task)).size, 'one open card a task').toBe(cards.length)
  expect(stores.ticks.running().length, 'one tick at a time').toBeLessThanOrEqual(2)
  const busy = home.runtime.log({ state: 'inProgress', limit: 100 }).filter(({ phase }) => phase === 'judging')
  expect(new Set(busy.map(({ task }) => task)).size, 'a task is judged once at a time').toBe(busy.length)
}

/** The windows on which a task was judged follow each other without a gap and without an overlap, up to the last change. */
function expectWholeAndOnce(home: House, title: string): void {
  const task = home.runtime.tasks.find(title)
  const judged = home.runtime
    .log({ task: task.id, limit: 1000 })
    .filter(({ id, state }) => state === 'acted' || state === 'skipped' || home.runtime.stores.escalations.get(id))
    .toSorted((a, b) => a.from - b.from || a.through - b.through)
  let seen = 0
  for (const { from, through } of judged) {
    expect(from, `${title} is judged from where it was judged to`).toBe(seen)
    seen = through
  }
  expect(seen, `${title} has seen everything`).toBe(home.runtime.stores.changes.head())
}

it('loses no change, doubles no effect and reaches no illegal state, whatever happens in whatever order', {
  timeout: 60_000,
}, async () => {
  // Stories are told until the time is up; the one that is being told is told to its end.
  const until = performance.now() + 8_000
  const property = fc.asyncProperty(story, async (told) => {
    if (performance.now() < until) await play(told)
  })
  await fc.assert(property, { numRuns: 200 })
})
