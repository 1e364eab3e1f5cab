import type { IncomingMessage } from 'node:http'
import { isOwnHost } from './hosts.ts'
import type { Keys } from './keys.ts'
import type { Rate } from './rate.ts'
import { badRequest, foreignHost, foreignOrigin, noToken, tokenInUrl, tooManyRequests, wrongToken } from './refusals.ts'

export interface AdmissionParts {
  keys: Keys
  /** Of those who have shown that they may ask. */
  known: Rate
  /** Of everybody else, and of refusals. */
  strangers: Rate
  /** What the server was bound to. */
  host: string
}

/** Names the peer that a request is counted for; throws the refusal. */
export type Admit = (incoming: IncomingMessage) => string

/** Can be asked for without a key: the one tells nothing, the other takes a link. */
const open = new Set(['/health', '/open'])
const longestUrl = 8192
const tokenNames = new Set(['token', 'access_token', 'auth', 'authorization', 'bearer'])

/**
 * Looks at who asks before anything else of a request is read: that they mean this server, that they are no page of
 * somebody else's, that they hold a key, and that they do not ask too often. Whoever is refused counts as a stranger, so
 * that a page that keeps trying cannot use up the share of those who may.
 */
export function admission({ keys, known, strangers, host }: AdmissionParts): Admit {
  return (incoming) => {
    const address = incoming.socket.remoteAddress ?? 'nobody'
    let key: string | null
    try {
      assertPlain(incoming)
      assertMeantForUs(incoming, host)
      assertNoForeignPage(incoming)
      assertNoTokenInUrl(incoming, keys)
      key = open.has(pathOf(incoming)) ? null : keyOf(incoming, keys)
    } catch (error) {
      throw strangers.take(`refused ${address}`) ? error : tooManyRequests()
    }
    const isWithin = key === null ? strangers.take(address) : known.take(`${key} ${address}`)
    if (!isWithin) throw tooManyRequests()
    return `${key ?? ''} ${address}`
  }
}

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** The cookie of a browser that has a session. Cookies know no ports, so its name does. */
export const cookieName = (port: number): string => `undermind-${port}`

export const portOf = ({ socket }: IncomingMessage): number => socket.localPort ?? 0

function assertPlain({ url = '' }: IncomingMessage): void {
  if (!url.startsWith('/')) throw badRequest('its target is no path')
  if (url.length > longestUrl) throw badRequest('its target is too long')
}

function assertMeantForUs(incoming: IncomingMessage, bound: string): void {
  const host = only(incoming, 'host')
  const reached = incoming.socket.localAddress ?? ''
  if (host === undefined || !isOwnHost(host, portOf(incoming), bound, reached)) throw foreignHost()
}

/**
 * A browser says which page asks. Nobody but our own may: not another site, and no page on another port of this machine,
 * which counts as the same site. Asked for by the user directly, there is no such page.
 */
function assertNoForeignPage(incoming: IncomingMessage): void {
  const origin = only(incoming, 'origin')
  if (origin !== undefined && origin.toLowerCase() !== `http://${incoming.headers.host}`.toLowerCase()) {
    throw foreignOrigin()
  }
  const site = only(incoming, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin()
}

function assertNoTokenInUrl({ url = '' }: IncomingMessage, keys: Keys): void {
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? []
  const names = [...new URLSearchParams(query).keys()]
  if (names.some((name) => tokenNames.has(name.toLowerCase())) || keys.isTokenIn(url)) throw tokenInUrl()
}

function keyOf(incoming: IncomingMessage, keys: Keys): string {
  const authorization = only(incoming, 'authorization')
  if (authorization !== undefined) {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    if (given !== undefined && keys.isToken(given)) return 'token'
    throw wrongToken()
  }
  const given = sessionsIn(incoming)
  if (given.length === 0) throw noToken()
  const session = given.find((one) => keys.isSession(one))
  if (session === undefined) throw wrongToken()
  return session
}

/** What a browser sends as its session. A server on another port may have set a cookie of that name, too. */
export function sessionsIn(incoming: IncomingMessage): string[] {
  const name = `${cookieName(portOf(incoming))}=`
  const cookies = (incoming.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.flatMap((cookie) => (cookie.startsWith(name) ? [cookie.slice(name.length)] : []))
}

/** A header that is there once; said twice, nobody knows which of them others have looked at. */
function only(incoming: IncomingMessage, name: string): string | undefined {
  const [first, second] = incoming.headersDistinct[name] ?? []
  if (second !== undefined) throw badRequest(`it has more than one ${name}`)
  return first
}
