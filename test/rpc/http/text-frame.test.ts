import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { textFrame } from '../../../src/rpc/http/text-frame.ts'
import { openDoor, token } from './door.ts'

it.each([0, 1, 125, 126, 127, 65_535, 65_536, 100_000])('a frame of %i bytes has the length in its head', (length) => {
  const frame = textFrame(Buffer.alloc(length, 'x'))
  const short = frame[1] ?? 0
  const told = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  expect([frame[0], told, frame.length - head]).toEqual([0x81, length, length])
})

it.each([10, 125, 126, 65_535, 65_536, 300_000])('news of some %i bytes is read by any WebSocket', async (length) => {
  const door = await openDoor()
  const caller = new WebSocket(`ws://127.0.0.1:${door.port}/rpc`, { headers: { authorization: `Bearer ${token}` } })
  await once(caller, 'open')
  caller.send('{"jsonrpc":"2.0","method":"events.subscribe","id":1}')
  await once(caller, 'message')
  const heard = new PassThrough({ objectMode: true })
  caller.on('message', (data) => heard.write(JSON.parse(String(data))))
  const body = 'ü'.repeat(length / 2)
  door.tell({ type: 'notification', title: 'first', body })
  door.tell({ type: 'notification', title: 'second', body: '' })
  const titles = []
  for await (const one of heard) {
    const { params } = one as { params: { title: string; body: string } }
    titles.push([params.title, params.body.length])
    if (titles.length === 2) break
  }
  expect(titles).toEqual([
    ['first', body.length],
    ['second', 0],
  ])
  caller.terminate()
})
