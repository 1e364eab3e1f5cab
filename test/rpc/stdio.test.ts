import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import type { News } from '../../src/domain/news.ts'
import { dispatcherOf } from '../../src/rpc/dispatch.ts'
import type { Door } from '../../src/rpc/door.ts'
import type { StepView } from '../../src/rpc/inspector.ts'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { serveStdio } from '../../src/rpc/stdio.ts'
import { step } from './inspector-samples.ts'
import { services } from './samples.ts'
import { exampleMethods, exchanges, shortened } from './specification.ts'

const doorTo = (table: typeof methods, given: Parameters<typeof services>[0] = {}) => {
  const listeners = new Set<(news: News) => void>()
  const watchers = new Set<(step: StepView) => void>()
  const door: Door = {
    daemon: true,
    call: (method, params) => invoke({ methods: table, services: services(given) }, method, params, {}),
    async subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    watch: async (query, listener) => {
      watchers.add(listener)
      return { from: query.sinceSeq ?? 7, head: 7, stop: () => void watchers.delete(listener) }
    },
    [Symbol.asyncDispose]: async () => {},
  }
  return { door, listeners, watchers }
}

const open = (door: Door) => {
  const input = new PassThrough()
  const output = new PassThrough()
  let text = ''
  let hear = () => {}
  output.on('data', (chunk) => {
    text += String(chunk)
    hear()
  })
  const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
  return {
    input,
    output,
    lines,
    text: () => text,
    ended: serveStdio(door, { input, output }),
    async until(count: number): Promise<void> {
      while (lines().length < count) {
        await new Promise<void>((resolve) => {
          hear = resolve
        })
      }
    },
  }
}

const settle = async () => {
  for (let i = 0; i < 30; i++) await new Promise((next) => setImmediate(next))
}
const request = (method: string, id: unknown, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params, id })}\n`

describe('standard input', () => {
  it('is answered line by line as the specification has it', async () => {
    for (const [sent, answered] of exchanges) {
      const { input, lines, ended } = open(doorTo(exampleMethods).door)
      input.end(`${sent}\n`)
      await ended
      expect(lines().map(shortened), sent).toEqual(answered === null ? [] : [answered])
    }
  })

  it('is answered to its end, also where the last line has none, before it is over', async () => {
    const finish: (() => void)[] = []
    const { door } = doorTo(methods, {
      doctor: () => new Promise((resolve) => finish.push(() => resolve([]))),
    })
    const { input, lines, ended, until } = open(door)
    input.end(`${request('subconscious.doctor', 'slow')}${request('subconscious.goals_list', 'ü').trimEnd()}`)
    while (finish.length === 0) await settle()
    await until(1)
    expect(lines()).toMatchObject([{ id: 'ü' }])
    finish[0]?.()
    await ended
    expect(lines()).toMatchObject([{ id: 'ü' }, { id: 'slow', result: [] }])
  })

  it('may come a byte at a time and hold anything', async () => {
    const { input, lines, ended } = open(doorTo(methods).door)
    for (const byte of Buffer.from(`\n\r\n{\n${request('subconscious.goals_list', '€')}`))
      input.write(Buffer.from([byte]))
    input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]))
    input.end()
    await ended
    expect(lines().map((one) => (one as { error?: { code: number } }).error?.code)).toEqual([-32700, -32700, undefined])
  })

  it('is over when a line is longer than a mebibyte', async () => {
    const { input, lines, ended } = open(doorTo(methods).door)
    input.write('x'.repeat(1024 * 1024 + 1))
    await ended
    expect(lines()).toMatchObject([{ id: null, error: { data: { code: 'rpc/too-large' } } }])
  })

  it('is told what the other side of the door refuses, with its code', async () => {
    const { door } = doorTo(methods, { tasks: { remove: () => Promise.reject(Fault.use('task/unknown', 'None.')) } })
    const { input, lines, ended } = open(door)
    input.end(request('subconscious.tasks_remove', 1, { task: 'x' }))
    await ended
    expect(lines()).toMatchObject([{ id: 1, error: { code: -32000, data: { code: 'task/unknown', kind: 'use' } } }])
  })
})

describe('steps on standard output', () => {
  it('come to who asked for them, under the name they gave, until they are ended or the input is', async () => {
    const { door, watchers } = doorTo(methods)
    const { input, lines, ended, until } = open(door)
    input.write(request('inspector.subscribe', 1, { actor: 'ev_1', since_seq: 4, subscription: 'mine' }))
    await until(1)
    for (const watcher of watchers) watcher(step)
    await until(2)
    expect(lines()).toEqual([
      { jsonrpc: '2.0', id: 1, result: { subscription: 'mine', from: 4, head: 7 } },
      { jsonrpc: '2.0', method: 'inspector.step', params: { subscription: 'mine', ...step } },
    ])
    input.write(request('inspector.unsubscribe', 2, { subscription: 'mine' }))
    input.write(request('inspector.unsubscribe', 3, { subscription: 'mine' }))
    input.write(request('inspector.subscribe', 4, { since_seq: -1 }))
    await until(5)
    const answers = lines().slice(2) as { id: number }[]
    expect(answers.sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 2, result: { ended: true } },
      { id: 3, result: { ended: false } },
      { id: 4, error: { data: { code: 'rpc/invalid-params' } } },
    ])
    for (const id of [5, 6, 7]) input.write(request('inspector.subscribe', id))
    await until(8)
    await settle()
    expect(watchers.size).toBe(1)
    input.end()
    await ended
    expect(watchers.size).toBe(0)
  })
})

describe('news on standard output', () => {
  it('comes to who asked for it, once, until the end', async () => {
    const { door, listeners } = doorTo(methods)
    const { input, lines, ended, until } = open(door)
    input.write(request('events.subscribe', 1))
    input.write(request('events.subscribe', 2))
    await until(2)
    for (const listener of listeners) listener({ type: 'notification', title: 'T', body: 'B' })
    await until(3)
    expect(lines()).toMatchObject([
      { id: 1, result: { subscription: 'news' } },
      { id: 2 },
      { method: 'events.news', params: { type: 'notification', title: 'T' } },
    ])
    input.end()
    await ended
    expect(listeners.size).toBe(0)
  })

  it('is not there to be asked for with parameters, nor where there is nobody to ask', async () => {
    const { door } = doorTo(methods)
    let tries = 0
    const broken: Door = {
      ...door,
      subscribe: async () => {
        if (tries++ === 0) throw new Fault('daemon/gone', 'Gone.', {}, 'unreachable')
        return () => {}
      },
    }
    const { input, lines, ended } = open(broken)
    input.write(request('events.subscribe', 1, { more: 1 }))
    input.write(request('events.subscribe', 2))
    await settle()
    input.end(request('events.subscribe', 3))
    await ended
    expect(lines()).toMatchObject([
      { id: 1, error: { code: -32602 } },
      { id: 2, error: { data: { code: 'daemon/gone' } } },
      { id: 3, result: { subscription: 'news' } },
    ])
  })
})

describe('a reader who does not read', () => {
  it('is asked to read before more is taken', async () => {
    let asked = 0
    const { door } = doorTo(methods, {
      goals: {
        list: () => {
          asked++
          return [{ id: 'g' as never, text: 'x'.repeat(100_000), createdAt: 0 }]
        },
      },
    })
    const taking: (() => void)[] = []
    let isRead = false
    const output = new Writable({ write: (_, __, done) => (isRead ? done() : void taking.push(done)) })
    const input = new PassThrough()
    const ended = serveStdio(door, { input, output })
    for (let i = 0; i < 300; i++) input.write(request('subconscious.goals_list', i))
    input.end()
    await settle()
    expect(asked).toBeLessThan(100)
    isRead = true
    for (const done of taking) done()
    await ended
    expect(asked).toBe(300)
  })

  it('is left when it goes away or lets a mebibyte of news wait', async () => {
    const { door, listeners } = doorTo(methods)
    const gone = open(door)
    gone.output.destroy(new Error('EPIPE'))
    await gone.ended
    expect(gone.input.destroyed).toBe(true)

    const taking: (() => void)[] = []
    const output = new Writable({ write: (_, __, done) => void taking.push(done) })
    const input = new PassThrough()
    const ended = serveStdio(door, { input, output })
    input.write(request('events.subscribe', 1))
    while (listeners.size === 0) await settle()
    for (let i = 0; i < 40; i++) {
      for (const listener of listeners) listener({ type: 'notification', title: 'T', body: 'x'.repeat(100_000) })
    }
    await settle()
    expect(listeners.size).toBe(0)
    output.destroy()
    await ended
  })
})

it('answers over whatever calls methods by name', async () => {
  const dispatch = dispatcherOf(async (name, params) => ({ name, params }))
  expect(await dispatch('{"jsonrpc":"2.0","method":"a","params":[1],"id":1}', {})).toBe(
    '{"jsonrpc":"2.0","result":{"name":"a","params":[1]},"id":1}',
  )
})
