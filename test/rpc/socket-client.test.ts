import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { News } from '../../src/domain/news.ts'
import { connectSocket } from '../../src/rpc/socket-client.ts'

function folder() {
  const made = mkdtempSync(join(tmpdir(), 'undermind-client-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Somebody who answers each line as the test says. */
async function daemon(answer: (socket: Socket, id: number) => void) {
  const path = join(folder(), 'sock')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) answer(socket, (JSON.parse(line) as { id: number }).id)
    })
  })
  await new Promise<void>((listening) => server.listen(path, listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const door = await connectSocket(path)
  if (!door) throw new Error('nobody listens')
  onTestFinished(() => door[Symbol.asyncDispose]())
  return door
}

const say = (socket: Socket, message: object) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

describe('a door to a daemon', () => {
  it('is none where nothing listens, whatever stands there', async () => {
    const root = folder()
    writeFileSync(join(root, 'file'), '')
    for (const path of ['nothing', 'file', 'file/sock']) expect(await connectSocket(join(root, path))).toBeNull()
  })

  it('gives each answer to whoever asked for it, in whatever order they come', async () => {
    const asked: [Socket, number][] = []
    const door = await daemon((socket, id) => {
      asked.push([socket, id])
      if (asked.length === 2) for (const [one, its] of asked.reverse()) say(one, { id: its, result: `of ${its}` })
    })
    expect(await Promise.all([door.call('one', {}), door.call('two', {})])).toEqual(['of 1', 'of 2'])
  })

  it('trusts no answer any more once the daemon could not tell what it was asked', async () => {
    const error = { code: -32700, message: 'That was no JSON.', data: { code: 'rpc/parse-error', kind: 'use' } }
    const door = await daemon((socket) => say(socket, { id: null, error }))
    const refused = { code: 'rpc/parse-error', message: 'That was no JSON.' }
    await expect(door.call('one', {})).rejects.toMatchObject(refused)
    await expect(door.call('two', {})).rejects.toMatchObject(refused)
  })

  it('passes over answers that nobody has asked for', async () => {
    const door = await daemon((socket, id) => {
      say(socket, { id: 99, result: 'unasked' })
      say(socket, { id: 'text', result: 'unasked' })
      say(socket, { id, result: 'asked' })
    })
    expect(await door.call('one', {})).toBe('asked')
  })

  it('tells whoever waits, and whoever listens, that the connection broke', async () => {
    let calls = 0
    const door = await daemon((socket, id) => {
      if (++calls === 1) say(socket, { id, result: null })
      else socket.resetAndDestroy()
    })
    const news: News[] = []
    await door.subscribe((item) => news.push(item))
    await expect(door.call('one', {})).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(door.call('two', {})).rejects.toMatchObject({ kind: 'unreachable' })
    expect(news).toMatchObject([{ type: 'store', state: 'lost' }])
  })
})
