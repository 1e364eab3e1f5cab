import { join, posix } from 'node:path'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, type OpenSocket, type Result } from '../../src/rpc/client/client.ts'
import type { StepView } from '../../src/rpc/inspector.ts'
import { importsOf } from '../architecture/imports.ts'
import { parseTree, readTree } from '../architecture/tree.ts'
import { openDoor, token } from './http/door.ts'
import { handFeed, step } from './inspector-samples.ts'

const webSocket: OpenSocket = (address, headers) => new WebSocket(address, { headers }) as never

const clientTo = (url: string, given = token) => {
  const client = createClient({ url, token: given, webSocket })
  onTestFinished(() => client.close())
  return client
}

/** Resolves when it holds; looked at whenever something was heard. */
const waiting = () => {
  let look = () => {}
  return {
    now: () => look(),
    until: async (isSo: () => boolean) => {
      while (!isSo()) {
        await new Promise<void>((resolve) => {
          look = resolve
        })
      }
    },
  }
}

describe('the client', () => {
  it('calls methods by name, with what they take and answer typed by their table', async () => {
    const { server } = await openDoor()
    const client = clientTo(server.url)
    const status = await client.call('subconscious.status')
    expect(status.instances[0]?.instance).toBe('memory')
    expectTypeOf(status.task_count).toEqualTypeOf<number>()
    expectTypeOf<Result<'inspector.definition'>['svg']>().toEqualTypeOf<string | null>()
    const rows = await client.call('subconscious.log_list', { state: 'acted', limit: 3 })
    expect(rows[0]?.id).toBe('ev_1')
    const page = await client.call('inspector.actors', { kind: 'evaluation' })
    expect(page.actors[0]?.state).toBe('inProgress.judging')
  })

  it('throws what the other side says, with its code', async () => {
    const { server } = await openDoor()
    await expect(clientTo(server.url).call('inspector.actor', { id: '' })).rejects.toMatchObject({
      code: 'rpc/invalid-params',
      kind: 'use',
    })
    await expect(clientTo(server.url, 'x'.repeat(43)).call('subconscious.status')).rejects.toMatchObject({
      code: 'door/wrong-token',
    })
    await server[Symbol.asyncDispose]()
    await expect(clientTo(server.url).call('subconscious.status')).rejects.toMatchObject({
      code: 'daemon/gone',
      kind: 'unreachable',
    })
  })

  it('hears of news as long as it listens', async () => {
    const { server, listeners, tell } = await openDoor()
    const heard: string[] = []
    const some = waiting()
    const client = clientTo(server.url)
    const listening = client.news((news) => {
      heard.push(news.type)
      some.now()
    })
    while (listeners.size === 0) await new Promise((next) => setImmediate(next))
    tell({ type: 'notification', title: 'T', body: 'B' })
    await some.until(() => heard.length === 1)
    expect(heard).toEqual(['notification'])
    listening.close()
    while (listeners.size > 0) await new Promise((next) => setImmediate(next))
  })

  it('hears of every step once and in order, also of those that came while the connection was lost', async () => {
    const feeds: ReturnType<typeof handFeed>[] = []
    const asked: (number | undefined)[] = []
    const at = (seq: number): StepView => ({ ...step, seq })
    const inspector = {
      steps: ({ sinceSeq }: { sinceSeq?: number | undefined }) => {
        asked.push(sinceSeq)
        const feed = handFeed(...(sinceSeq === undefined ? [] : [at(9), at(10)].filter(({ seq }) => seq > sinceSeq)))
        feeds.push(feed)
        return { feed: feed.feed, from: sinceSeq ?? 7, head: 7 }
      },
    }
    const first = await openDoor({ given: { inspector } })
    const sockets: WebSocket[] = []
    const client = createClient({
      url: first.server.url,
      token,
      webSocket: (address, headers) => {
        const socket = new WebSocket(address, { headers })
        sockets.push(socket)
        return socket as never
      },
    })
    onTestFinished(() => client.close())
    const heard: number[] = []
    const some = waiting()
    const watching = client.steps({ actor: 'ev_1' }, ({ seq }) => {
      heard.push(seq)
      some.now()
    })
    while (feeds.length === 0) await new Promise((next) => setImmediate(next))
    feeds[0]!.put(at(8), at(9))
    await some.until(() => heard.length === 2)
    sockets[0]!.terminate()
    await some.until(() => heard.length === 3)
    expect(heard).toEqual([8, 9, 10])
    expect(asked).toEqual([undefined, 9])
    expect(feeds[0]!.isWatched).toBe(false)
    watching.close()
    while (feeds[1]!.isWatched) await new Promise((next) => setImmediate(next))
  })

  it('is told where it is not let in, and tries no more', async () => {
    const { server } = await openDoor()
    const client = clientTo(server.url, 'x'.repeat(43))
    const refusal = await new Promise<Error>((refused) => client.news(() => {}, { refused }))
    expect(refusal).toMatchObject({ code: 'door/wrong-token' })
  })
})

it('reaches nothing at run time that a browser has not', () => {
  const files = new Map(parseTree(readTree(join(import.meta.dirname, '../../src'))).map((file) => [file.path, file]))
  const reached = new Set(['rpc/client/client.ts'])
  const elsewhere: string[] = []
  for (const path of reached) {
    for (const { specifier, isType } of importsOf(files.get(path)!)) {
      if (isType || specifier === null) continue
      if (specifier.startsWith('.')) reached.add(posix.join(posix.dirname(path), specifier))
      else elsewhere.push(`${path}: ${specifier}`)
    }
  }
  expect(elsewhere).toEqual([])
  expect(reached.size).toBeGreaterThan(4)
  expect(reached.size).toBeLessThan(12)
})

describe('a subscription to steps', () => {
  it('takes no more from where steps come from than its reader takes', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => ({ ...step, seq: n + 1, data: { text: 'x'.repeat(500) } }))
    const feed = handFeed(...many)
    const { server } = await openDoor({
      given: { inspector: { steps: () => ({ feed: feed.feed, from: 0, head: 30_000 }) } },
    })
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/rpc`, {
      headers: { authorization: `Bearer ${token}` },
    })
    onTestFinished(() => socket.terminate())
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"jsonrpc":"2.0","method":"inspector.subscribe","id":1}')
    socket.pause()
    let before = -1
    for (let still = 0; still < 50; still = feed.left === before ? still + 1 : 0) {
      before = feed.left
      await new Promise((next) => setImmediate(next))
    }
    expect(feed.left).toBeGreaterThan(10_000)
    expect(feed.left).toBeLessThan(30_000)
    const seqs: number[] = []
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const { params } = JSON.parse(String(data)) as { params?: { seq: number } }
        if (params) seqs.push(params.seq)
        if (seqs.length === many.length) resolve()
      })
    })
    socket.resume()
    await all
    expect(seqs).toEqual(many.map(({ seq }) => seq))
  })

  it('has one of a name, and only so many names', async () => {
    const { server } = await openDoor()
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/rpc`, {
      headers: { authorization: `Bearer ${token}` },
    })
    onTestFinished(() => socket.terminate())
    await new Promise((resolve) => socket.once('open', resolve))
    const answers: { id?: number; error?: { data: { code: string } } }[] = []
    const some = waiting()
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as { id?: number }
      if (answer.id !== undefined) answers.push(answer)
      some.now()
    })
    const names = [...Array.from({ length: 20 }, () => 'same'), ...Array.from({ length: 16 }, (_, n) => `other-${n}`)]
    for (const [id, subscription] of names.entries()) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'inspector.subscribe', params: { subscription }, id }))
    }
    await some.until(() => answers.length === names.length)
    expect(answers.filter(({ error }) => error).map(({ id, error }) => [id, error?.data.code])).toEqual([
      [35, 'rpc/too-many-subscriptions'],
    ])
  })
})
