import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSocket } from '../../src/rpc/socket-client.ts'

/** Somebody who answers each line as the test says. */
async function daemon(answer: (socket: Socket, id: number) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'sock')
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
})
