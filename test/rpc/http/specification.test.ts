import jayson from 'jayson'
import { describe, expect, it } from 'vitest'
import { dispatcher } from '../../../src/rpc/dispatch.ts'
import { services } from '../samples.ts'
import { exampleMethods, exchanges, shortened } from '../specification.ts'
import { openDoor, token } from './door.ts'

const open = () => openDoor({ dispatch: dispatcher({ methods: exampleMethods, services: services() }) })

describe('over HTTP', () => {
  it.each(exchanges)('%s', async (sent, answered) => {
    const door = await open()
    const answer = await door.rpc(sent)
    expect(answer.status).toBe(answered === null ? 204 : 200)
    expect(answer.text === '' ? null : shortened(answer.json())).toEqual(answered)
  })
})

describe('over a WebSocket', () => {
  it.each(exchanges)('%s', async (sent, answered) => {
    const door = await open()
    const caller = door.webSocket()
    await caller.opened
    caller.send(sent)
    // What comes next shows whether there was an answer before it.
    if (answered !== null) await caller.until(1)
    caller.send({ jsonrpc: '2.0', method: 'echo', params: ['end'], id: 'end' })
    await caller.until(answered === null ? 1 : 2)
    const end = { result: ['end'], id: 'end' }
    expect(caller.said().map(shortened)).toEqual(answered === null ? [end] : [answered, end])
  })
})

describe("another implementation's client", () => {
  const client = (port: number, path = '/rpc') =>
    jayson.Client.http({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` } })

  const ask = (port: number, method: string, params: jayson.RequestParamsLike, id?: string | number | null) =>
    new Promise<unknown>((resolve, reject) => {
      client(port).request(method, params, id, (error: unknown, answer: unknown) =>
        error ? reject(error) : resolve(answer),
      )
    })

  it('is answered, with ids of its own and of every kind', async () => {
    const { port } = await open()
    expect(await ask(port, 'subtract', [42, 23])).toMatchObject({ jsonrpc: '2.0', result: 19 })
    expect(await ask(port, 'subtract', { minuend: 42, subtrahend: 23 }, 7)).toMatchObject({ result: 19, id: 7 })
    expect(await ask(port, 'get_data', [], 'x')).toMatchObject({ result: ['hello', 5], id: 'x' })
  })

  it('is told what is wrong', async () => {
    const { port } = await open()
    expect(await ask(port, 'foobar', [])).toMatchObject({
      error: { code: -32601, data: { code: 'rpc/unknown-method' } },
    })
    expect(await ask(port, 'subtract', ['x'])).toMatchObject({ error: { code: -32602 } })
  })

  it('is answered nothing to a notification', async () => {
    const { port } = await open()
    expect(await ask(port, 'update', [1], null)).toBeUndefined()
  })

  it('is answered a batch', async () => {
    const { port } = await open()
    const it = client(port)
    const batch = [it.request('sum', [1, 2], 'a'), it.request('foobar', [], 'b'), it.request('update', [], null)]
    const answers = await new Promise((resolve, reject) => {
      it.request(batch, (error: unknown, told: unknown) => (error ? reject(error) : resolve(told)))
    })
    expect(answers).toMatchObject([
      { result: 3, id: 'a' },
      { error: { code: -32601 }, id: 'b' },
    ])
  })

  it('works over a WebSocket, too', async () => {
    const door = await open()
    const { socket, opened } = door.webSocket()
    await opened
    const it = jayson.Client.websocket({ ws: socket as never })
    const answer = await new Promise((resolve, reject) => {
      it.request('sum', [1, 2, 4], (error: unknown, told: unknown) => (error ? reject(error) : resolve(told)))
    })
    expect(answer).toMatchObject({ result: 7 })
  })
})
