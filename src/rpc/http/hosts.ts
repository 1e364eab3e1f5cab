import { isIPv4, isIPv6 } from 'node:net'

/** Names under which this machine is only ever itself. */
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address to bind to can be reached from this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

/** An address as it stands in a URL. */
export const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/**
 * Whether a Host header names this server: by a loopback name, by what it was bound to, or by the address that the
 * connection came to, and with its port. A page that had its own name lead here (DNS rebinding) sends that name.
 */
export function isOwnHost(header: string, port: number, bound: string, reached: string): boolean {
  const [, name = '', given = '80'] = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(header.toLowerCase()) ?? []
  if (Number(given) !== port) return false
  return loopbackNames.has(name) || name === inUrl(bound).toLowerCase() || name === inUrl(withoutMapping(reached))
}

/** An IPv4 address as a server that listens on IPv6 sees it. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '')
