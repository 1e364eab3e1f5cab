import { describe, expect, it } from 'vitest'
import { minute, second } from '../../src/domain/clock.ts'
import { newIn, quick, sessionScene, thinker } from './sessions-scene.ts'

const anna = { agent: 'anna', session: 'plans' }

describe('a message from another agent', () => {
  it('is answered by the reflex agent in one fast call when it is trivial', async () => {
    const core = thinker()
    const reflex = quick()
    const scene = await sessionScene({ core, reflex })
    await scene.book.send({ ...anna, body: 'hi there' })
    await scene.pass(second)
    expect(scene.bodies('anna', 'plans')).toEqual(['> hi there', '< Hello yourself.'])
    expect(reflex.requests).toHaveLength(1)
    expect(core.requests).toEqual([])
    expect(scene.calls()).toEqual(['reflex'])
    expect(scene.row('anna', 'plans')).toMatchObject({ state: 'idle', cursor: 1, head: 2, inbound: 1, attempts: 0 })
    expect(scene.stores.cycles.count('anna')).toBe(0)
  })

  it('is handed down with a brief when it needs work, and gets one answer', async () => {
    const core = thinker('The plan is sound.')
    const scene = await sessionScene({ core })
    await scene.book.send({ ...anna, body: 'Work on the plan' })
    await scene.pass(second)
    expect(scene.bodies('anna', 'plans')).toEqual(['> Work on the plan', '< The plan is sound.'])
    expect(core.requests).toHaveLength(1)
    const [system, user] = core.requests[0]!.messages
    expect(system?.role).toBe('system')
    expect(user?.text).toMatch(/<fenced-\w+>[\s\S]*Do the work that is asked for\.[\s\S]*<\/fenced-\w+>/)
    expect(scene.stores.cycles.count('anna')).toBe(1)
    const [history] = scene.stores.cycles.summaries(scene.row('anna', 'plans').id, 0)
    expect(history).toMatchObject({ agent: 'anna', through: 1, number: 1, tainted: true })
    expect(scene.stores.cycles.diffs(scene.row('anna', 'plans').id, 0)).toMatchObject([
      { seq: 1, signature: 'anna/plans #1-1' },
    ])
  })

  it('waits three quarters of a second for another, so that both are one question', async () => {
    const reflex = quick()
    const scene = await sessionScene({ reflex })
    await scene.book.send({ ...anna, body: 'one' })
    await scene.pass(700)
    await scene.book.send({ ...anna, body: 'two' })
    await scene.pass(700)
    expect(reflex.requests).toEqual([])
    await scene.pass(50)
    expect(reflex.requests).toHaveLength(1)
    expect(newIn(reflex.requests[0]!.messages[1]!.text)).toMatch(/one[\s\S]*two/)
    expect(scene.bodies('anna', 'plans')).toEqual(['> one', '> two', '< Hello yourself.'])
  })

  it('is not kept waiting by others for more than five seconds', async () => {
    const reflex = quick()
    const scene = await sessionScene({ reflex })
    const start = scene.clock.now()
    while (reflex.requests.length === 0) {
      await scene.book.send({ ...anna, body: 'and' })
      await scene.pass(500)
    }
    expect(scene.clock.now() - start).toBe(5 * second)
  })

  it('that comes during a wake is answered by the next one', async () => {
    let told = 0
    const reflex = quick()
    const asked = reflex.chat.bind(reflex)
    const scene = await sessionScene({
      reflex: {
        ...reflex,
        chat: async (request, signal) => {
          if (told++ === 0) await scene.book.send({ ...anna, body: 'one more thing' })
          return asked(request, signal)
        },
      },
    })
    await scene.book.send({ ...anna, body: 'hi' })
    await scene.pass(750)
    expect(scene.bodies('anna', 'plans')).toEqual(['> hi', '> one more thing', '< Hello yourself.'])
    expect(scene.row('anna', 'plans')).toMatchObject({ cursor: 1, inbound: 2 })
    await scene.pass(5 * second)
    expect(scene.bodies('anna', 'plans')).toHaveLength(4)
    expect(scene.row('anna', 'plans')).toMatchObject({ cursor: 2, state: 'idle' })
  })

  it('sent twice under one id is one message, and another sender may use the same id', async () => {
    const scene = await sessionScene()
    const first = await scene.book.send({ ...anna, body: 'hi', id: '1' })
    const again = await scene.book.send({ ...anna, body: 'something else', id: '1' })
    await scene.book.send({ agent: 'bob', session: 'plans', body: 'me too', id: '1' })
    expect([first.isNew, again.isNew]).toEqual([true, false])
    await scene.pass(second)
    expect(scene.bodies('anna', 'plans')).toEqual(['> hi', '< Hello yourself.'])
    expect(scene.bodies('bob', 'plans')).toEqual(['> me too', '< Hello yourself.'])
  })

  it('leaves nothing in memory once it is answered', async () => {
    const scene = await sessionScene()
    await scene.book.send({ ...anna, body: 'hi' })
    expect(scene.live()).toBe(1)
    await scene.pass(second)
    expect(scene.live()).toBe(0)
    expect(scene.actor('anna', 'plans')).toMatchObject({ status: 'active', state: 'idle' })
    expect(scene.deadLetters()).toEqual([])
  })
})

describe("the user's own chat", () => {
  it("skips the reflex agent and gets the core's words as they are", async () => {
    const reflex = quick()
    const words = '  key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n'
    const scene = await sessionScene({ reflex, core: thinker(words) })
    await scene.book.send({ session: 'master', body: 'hello' })
    await scene.pass(second)
    expect(scene.bodies('user', 'master')).toEqual(['> hello', `< ${words}`])
    expect(reflex.requests.filter(({ schema }) => schema?.name === 'reflex')).toEqual([])
    expect(scene.stores.cycles.get(`${scene.master().id}:1` as never)).toMatchObject({ way: 'core', tainted: false })
  })

  it('is what master means, however others call theirs', async () => {
    const scene = await sessionScene()
    await scene.book.create({ agent: 'mallory', session: 'master' })
    expect(scene.book.find('master')).toMatchObject({ agent: 'user', kind: 'master' })
    expect(scene.book.find('mallory/master')).toMatchObject({ kind: 'peer' })
  })
})

describe('the reflex agent', () => {
  const answers = async (answer: string | Error) => {
    const core = thinker('From the core.')
    const reflex = quick()
    const scene = await sessionScene({
      core,
      reflex: {
        ...reflex,
        chat: async (request, signal) => {
          if (request.schema?.name !== 'reflex') return reflex.chat(request, signal)
          if (answer instanceof Error) throw answer
          return { text: answer, calls: [], cutOff: false, usage: { promptTokens: 1, completionTokens: 1 } }
        },
      },
    })
    await scene.book.send({ ...anna, body: 'what about Tuesday?' })
    await scene.pass(second)
    const cycle = scene.stores.cycles.get(`${scene.row('anna', 'plans').id}:1` as never)
    return { bodies: scene.bodies('anna', 'plans'), cycle }
  }

  it.each([
    ['prose', 'Sure, Tuesday is fine!'],
    ['both a reply and a brief', '{"kind":"reply","text":"yes","brief":"look"}'],
    ['neither', '{"kind":"defer","text":null,"brief":""}'],
    ['an unknown kind', '{"kind":"escalate","text":"x","brief":null}'],
    ['more than was asked for', '{"kind":"reply","text":"x","brief":null,"tool":"rm"}'],
    ['nothing', ''],
    ['an error', new Error('down')],
  ])('that answers with %s leaves the message to the core, with a brief made from it', async (_, answer) => {
    const { bodies, cycle } = await answers(answer)
    expect(bodies).toEqual(['> what about Tuesday?', '< From the core.'])
    expect(cycle).toMatchObject({ way: 'core', brief: 'Answer this: what about Tuesday?', why: expect.any(String) })
  })

  it('may dress its answer as a block of JSON', async () => {
    const { bodies } = await answers('```json\n{"kind":"reply","text":"Fine.","brief":null}\n```')
    expect(bodies).toEqual(['> what about Tuesday?', '< Fine.'])
  })

  it('that takes longer than ten seconds is not waited for, even when it heeds no signal', async () => {
    const core = thinker('From the core.')
    const reflex = quick()
    const scene = await sessionScene({
      core,
      reflex: {
        ...reflex,
        chat: (request, signal) => (request.schema ? new Promise(() => {}) : reflex.chat(request, signal)),
      },
    })
    await scene.book.send({ ...anna, body: 'hi' })
    scene.clock.set(scene.clock.now() + 750)
    await untilState('waking.reflex')
    scene.clock.set(scene.clock.now() + 9999)
    await new Promise(setImmediate)
    expect(scene.row('anna', 'plans').state).toBe('waking.reflex')
    scene.clock.set(scene.clock.now() + 1)
    await scene.settle()
    expect(scene.bodies('anna', 'plans')).toEqual(['> hi', '< From the core.'])

    async function untilState(state: string) {
      while (scene.row('anna', 'plans').state !== state) await new Promise(setImmediate)
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
  })

  it('is not needed: without a fast model the core answers', async () => {
    const scene = await sessionScene({ reflex: undefined, core: thinker('Alone.') })
    await scene.book.send({ ...anna, body: 'hi' })
    await scene.pass(second)
    expect(scene.bodies('anna', 'plans')).toEqual(['> hi', '< Alone.'])
  })
})

describe('a wake that fails', () => {
  it('is tried again after 5, 15 and 45 seconds, then after ten minutes and longer, and says why', async () => {
    const at: number[] = []
    const core = thinker()
    const scene = await sessionScene({
      core: {
        ...core,
        chat: () => {
          at.push(scene.clock.now())
          return Promise.reject(new Error('the model is down'))
        },
      },
    })
    const start = scene.clock.now()
    await scene.book.send({ ...anna, body: 'Work!' })
    await scene.pass(100 * minute)
    const waits = at.map((time, index) => (time - (at[index - 1] ?? start)) / second)
    expect(waits).toEqual([0.75, 5, 15, 45, 600, 1200, 2400])
    expect(scene.row('anna', 'plans')).toMatchObject({
      state: 'retrying',
      reason: 'the model is down',
      cursor: 0,
      attempts: 7,
    })
    expect(scene.book.attention()).toMatchObject([{ why: 'failing', text: 'the model is down' }])
    expect(scene.stores.cycles.count('anna')).toBe(1)
  })

  it('counts one cycle for its peer, also when more was asked meanwhile', async () => {
    let isDown = true
    const core = thinker('At last.')
    const scene = await sessionScene({
      core: { ...core, chat: (...args) => (isDown ? Promise.reject(new Error('down')) : core.chat(...args)) },
    })
    await scene.book.send({ ...anna, body: 'Work!' })
    await scene.pass(2 * second)
    await scene.book.send({ ...anna, body: 'Work, please' })
    await scene.pass(30 * second)
    isDown = false
    await scene.pass(minute)
    expect(scene.bodies('anna', 'plans')).toEqual(['> Work!', '> Work, please', '< At last.'])
    expect(scene.stores.cycles.count('anna')).toBe(1)
    expect(scene.row('anna', 'plans')).toMatchObject({ state: 'idle', reason: null, attempts: 0, cursor: 2 })
  })

  it('is not hurried by another agent, but by the user', async () => {
    let tries = 0
    const core = thinker()
    const scene = await sessionScene({
      core: {
        ...core,
        chat: () => {
          tries++
          return Promise.reject(new Error('down'))
        },
      },
    })
    for (const order of [
      { ...anna, body: 'Work' },
      { session: 'master', body: 'Work' },
    ]) {
      await scene.book.send(order)
      await scene.pass(2 * minute)
      expect(tries).toBe(4)
      await scene.book.send({ ...order, body: 'Work faster' })
      await scene.pass(5 * second)
      expect(tries).toBe(order.session === 'master' ? 5 : 4)
      tries = 0
    }
  })

  it('without any model says what to do', async () => {
    const scene = await sessionScene({ core: undefined, reflex: undefined })
    const { session, message } = await scene.book.send({ session: 'master', body: 'hi' })
    const waiting = scene.book.answered(session.id, message.seq)
    await scene.pass(second)
    expect(await waiting).toMatchObject({
      answer: null,
      session: { state: 'retrying', reason: expect.stringContaining('[models.cloud]') },
    })
  })
})
