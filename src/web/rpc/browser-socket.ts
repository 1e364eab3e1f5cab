import type { Socket } from './connection.ts'

/** A browser's WebSocket as the connection uses it. */
export function browserSocket(address: URL): Socket {
  const webSocket = new WebSocket(address)
  const socket: Socket = {
    send: (text) => webSocket.send(text),
    close: () => webSocket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  }
  webSocket.addEventListener('open', () => socket.onopen?.())
  webSocket.addEventListener('message', ({ data }: MessageEvent<unknown>) => socket.onmessage?.(data))
  webSocket.addEventListener('close', ({ reason }) => socket.onclose?.(reason))
  return socket
}
