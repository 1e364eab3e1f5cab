import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/domain/errors.ts'
import type { ActorId } from '../../../src/domain/ids.ts'
import { a, b, endless, type Fetch, type MakeTheatre, type Play, play } from './theatre.ts'

/** Work that must not be done twice. */
const once = { repeatable: () => false }

/** A counter whose work runs, in a process that is about to end. */
async function working(make: MakeTheatre, fetch: Partial<Fetch>): Promise<Play> {
  const first = await play(make, { fetch })
  await first.host.spawn('counter', a, {}, null)
  await first.host.dispatch({ to: a, event: { type: 'work' } })
  await setImmediate()
  return first
}

export const work = (make: MakeTheatre) =>
  describe('work', () => {
    it('begins once its order is durable, and its result moves the chart once', async () => {
      const seen: string[] = []
      const theatre: { play?: Play } = {}
      const run: Fetch['run'] = async ({ count }, { key, actor }) => {
        seen.push(`${key} of ${actor}, which is ${theatre.play?.counter(actor).state}`)
        return `fetched ${count}`
      }
      theatre.play = await play(make, { fetch: { run } })
      const { host, idle, counter } = theatre.play
      await host.spawn('counter', a, {}, null)
      await host.dispatchAll([
        { to: a, event: { type: 'add', by: 2 } },
        { to: a, event: { type: 'work' } },
      ])
      await idle()
      expect(seen).toEqual(['counter_a/fetch/1 of counter_a, which is working'])
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'fetched 2', version: 4 })
    })

    it('runs again when its state is entered again, and the former result is dropped', async () => {
      const runs: AbortSignal[] = []
      const run: Fetch['run'] = (_input, { signal }) =>
        new Promise((resolve) =>
          runs.push(signal) === 2 ? resolve('second') : signal.addEventListener('abort', () => resolve('first')),
        )
      const { host, idle, counter, deadLetters } = await play(make, { fetch: { run } })
      await host.spawn('counter', a, {}, null)
      await host.dispatch({ to: a, event: { type: 'work' } })
      await host.dispatch({ to: a, event: { type: 'again' } })
      await idle()
      expect(runs.map(({ aborted }) => aborted)).toEqual([true, false])
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'second', version: 4 })
      expect(deadLetters()).toEqual([])
    })

    it('of a former visit ends no later one, though its result comes first', async () => {
      const ends: ((result: string) => void)[] = []
      const run: Fetch['run'] = () => new Promise((resolve) => ends.push(resolve))
      const { host, idle, counter, deadLetters } = await working(make, { run })
      await host.dispatch({ to: a, event: { type: 'again' } })
      ends[0]?.('first')
      await setImmediate()
      await host.dispatch({ to: a, event: { type: 'add', by: 1 } })
      expect(counter(a)).toMatchObject({ state: 'working', last: '' })
      ends[1]?.('second')
      await idle()
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'second' })
      expect(deadLetters()).toEqual([])
    })

    it('is told to stop when nobody waits for it any more, and what comes of it moves nothing', async () => {
      const run: Fetch['run'] = (_input, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')))
      const { host, idle, counter, deadLetters } = await working(make, { run })
      await host.dispatch({ to: a, event: { type: 'leave' } })
      await idle()
      expect(counter(a)).toMatchObject({ state: 'idle', last: '', version: 3 })
      expect(deadLetters()).toEqual([])
    })

    it('that was called off before its turn came never begins', async () => {
      const begun: string[] = []
      let go: (result: string) => void = () => {}
      const run: Fetch['run'] = (_input, { actor }) => {
        begun.push(actor)
        return new Promise((resolve) => {
          go = resolve
        })
      }
      const { host, idle, counter } = await working(make, { concurrency: 1, run })
      await host.spawn('counter', b, {}, null)
      await host.dispatch({ to: b, event: { type: 'work' } })
      await host.dispatch({ to: b, event: { type: 'leave' } })
      go('done')
      await idle()
      expect(begun).toEqual([a])
      expect([counter(a).last, counter(b).state]).toEqual(['done', 'idle'])
    })

    it.each([{ repeatable: () => true }, once])(
      'that was called off together with its order never begins: %#',
      async (kind) => {
        let begun = 0
        const run: Fetch['run'] = async () => {
          begun++
          return 'ran'
        }
        const { host, idle, counter } = await play(make, { fetch: { ...kind, run } })
        await host.spawn('counter', a, {}, null)
        await host.write((turn) => {
          turn.tell(a, a, { type: 'work' })
          turn.tell(a, a, { type: 'leave' })
        })
        await idle()
        expect([begun, counter(a).state, counter(a).last]).toEqual([0, 'idle', ''])
      },
    )

    it('that fails hands its error to the chart as data', async () => {
      const fail = (error: unknown) => ({ fetch: { run: () => Promise.reject(error) } })
      for (const [error, code] of [
        [new Error('no network'), 'runtime/unexpected'],
        [new Fault('model/down', 'The model is down.'), 'model/down'],
      ] as const) {
        const { host, idle, counter } = await play(make, fail(error))
        await host.spawn('counter', a, {}, null)
        await host.dispatch({ to: a, event: { type: 'work' } })
        await idle()
        expect(counter(a)).toMatchObject({ state: 'idle', last: code })
      }
    })

    it('that nobody can do fails at once', async () => {
      const { host, idle, counter } = await play(make, { handlers: {} })
      await host.spawn('counter', a, {}, null)
      await host.dispatch({ to: a, event: { type: 'work' } })
      await idle()
      expect(counter(a)).toMatchObject({ state: 'idle', last: 'work/no-handler' })
    })

    it.each([{ repeatable: () => true }, once])('of a kind runs only so much at a time as it may: %#', async (kind) => {
      let running = 0
      let most = 0
      const run: Fetch['run'] = async () => {
        most = Math.max(most, ++running)
        await setImmediate()
        running--
        return 'ok'
      }
      const { host, idle, counter } = await play(make, { fetch: { ...kind, concurrency: 2, run } })
      const ids = Array.from({ length: 10 }, (_, n) => `counter_${n}` as ActorId)
      await host.spawnAll(
        'counter',
        null,
        ids.map((id) => ({ id, input: {} })),
      )
      await host.dispatchAll(ids.map((to) => ({ to, event: { type: 'work' } })))
      await idle()
      expect(most).toBe(2)
      expect(ids.map((id) => counter(id).last)).toEqual(ids.map(() => 'ok'))
    })

    it('that may be repeated is done again after a kill', async () => {
      const first = await working(make, { run: endless })
      const second = await first.killed()
      await second.idle()
      expect(second.counter(a)).toMatchObject({ state: 'idle', last: 'fetched 0', version: 3 })
    })

    it('that must not run twice is asked about after a kill, and not run', async () => {
      const first = await working(make, { ...once, run: endless })
      const runs: string[] = []
      const run: Fetch['run'] = async (_input, { key }) => {
        runs.push(key)
        return 'ran twice'
      }
      const second = await first.killed({ fetch: { ...once, run } })
      await second.idle()
      expect(second.counter(a)).toMatchObject({ state: 'idle', last: 'effect/unknown-outcome' })
      expect(runs).toEqual([])
    })

    it.each([
      [{ outcome: 'happened', output: 'it had' }, 'it had', 0],
      [{ outcome: 'notHappened' }, 'ran', 1],
      [{ outcome: 'unknown' }, 'effect/unknown-outcome', 0],
    ] as const)('that must not run twice is checked first after a kill: %o', async (found, last, times) => {
      const first = await working(make, { ...once, run: endless })
      let runs = 0
      const run: Fetch['run'] = async () => {
        runs++
        return 'ran'
      }
      const second = await first.killed({ fetch: { ...once, run, check: async () => found } })
      await second.idle()
      expect(second.counter(a)).toMatchObject({ state: 'idle', last })
      expect(runs).toBe(times)
    })

    it('that must not run twice and had not begun when the process was killed is simply done', async () => {
      const first = await working(make, { ...once, concurrency: 1, run: endless })
      await first.host.spawn('counter', b, {}, null)
      await first.host.dispatch({ to: b, event: { type: 'work' } })
      const second = await first.killed({ fetch: once })
      await second.idle()
      expect([second.counter(a).last, second.counter(b).last]).toEqual(['effect/unknown-outcome', 'fetched 0'])
    })

    it('that must not run twice and had to wait is asked about when the process was killed after it had begun', async () => {
      const ends: ((result: string) => void)[] = []
      const run: Fetch['run'] = () => new Promise((resolve) => ends.push(resolve))
      const first = await working(make, { ...once, concurrency: 1, run })
      await first.host.spawn('counter', b, {}, null)
      await first.host.dispatch({ to: b, event: { type: 'work' } })
      ends[0]?.('done')
      while (ends.length < 2) await setImmediate()
      const second = await first.killed({ fetch: once })
      await second.idle()
      expect([second.counter(a).last, second.counter(b).last]).toEqual(['done', 'effect/unknown-outcome'])
    })

    it('that may be repeated is broken off by an orderly stop and goes on with the next start', async () => {
      let reason: unknown
      const run: Fetch['run'] = (_input, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          }),
        )
      const first = await working(make, { run })
      const second = await first.restarted()
      expect(reason).toMatchObject({ code: 'work/stopping' })
      await second.idle()
      expect(second.counter(a)).toMatchObject({ state: 'idle', last: 'fetched 0', version: 3 })
    })

    it('that must not run twice is waited for by an orderly stop, and its result counts', async () => {
      let end: (result: string) => void = () => {}
      const run: Fetch['run'] = (_input, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', reject)
          end = resolve
        })
      const first = await working(make, { ...once, run })
      const stopping = first.restarted({ fetch: { ...once, run: endless } })
      await setImmediate()
      end('just in time')
      expect((await stopping).counter(a)).toMatchObject({ state: 'idle', last: 'just in time' })
    })
  })
