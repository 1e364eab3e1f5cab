/** As much of a WebSocket as a client uses: what browsers have, and the package `ws`. */
export interface ClientSocket {
  send(text: string): void
  close(): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: never) => void) | null
}

/** Opens a WebSocket with these headers. Browsers take none: there the cookie of the page's session goes along. */
export type OpenSocket = (address: string, headers: Readonly<Record<string, string>>) => ClientSocket

/** The WebSocket that the browser, or Node 22 and newer, brings along. */
export const globalSocket: OpenSocket = (address, headers) => {
  const Global = globalThis.WebSocket as unknown
  if (typeof Global !== 'function') {
    throw new TypeError(
      'There is no WebSocket here. Give one: webSocket: (address, headers) => new WebSocket(address, { headers })',
    )
  }
  const Open = Global as new (address: string, options?: object) => ClientSocket
  return Object.keys(headers).length === 0 ? new Open(address) : new Open(address, { headers })
}
