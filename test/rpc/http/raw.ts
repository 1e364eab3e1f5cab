import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection on which a test says every byte itself. */
export async function rawConnection(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (part: Buffer) => parts.push(part))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const said = () => Buffer.concat(parts).toString()
  return {
    socket,
    said,
    /** Resolves when the other side has hung up. */
    closed,
    /** The status lines that have come. */
    statuses: () => [...said().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    write: (bytes: string | Uint8Array) => socket.write(bytes),
    async until(text: string): Promise<void> {
      while (!said().includes(text) && !socket.destroyed)
        await Promise.race([new Promise((next) => socket.once('data', next)), closed])
    },
  }
}
