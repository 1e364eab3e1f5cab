import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, day, minute } from '../../domain/clock.ts'

const linkTime = 5 * minute
const sessionTime = 30 * day
/** Links that wait to be opened; the oldest gives way. */
const mostLinks = 20

/** How long a browser may keep what it gets for a link, in seconds. */
export const sessionSeconds = sessionTime / 1000

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * What opens the door: the token; a link, once and for five minutes; and what a browser gets for a link, a session.
 * A session is signed with a key made from the token, so it outlives a restart and ends when the token is made anew,
 * and nobody who sees one learns the token. Everything is compared by hash in constant time.
 */
export class Keys {
  readonly #clock: Clock
  readonly #token: Buffer
  readonly #tokenLength: number
  readonly #signing: Buffer
  /** When each link ends, by the hash of its secret. */
  readonly #links = new Map<string, number>()

  constructor(token: string, clock: Clock) {
    this.#clock = clock
    this.#token = hash(token)
    this.#tokenLength = token.length
    this.#signing = createHmac('sha256', token).update('undermind session').digest()
  }

  isToken(given: string): boolean {
    return timingSafeEqual(hash(given), this.#token)
  }

  /** Whether the token stands in an address, as it is or percent-encoded, as a word or at either end of one. */
  isTokenIn(url: string): boolean {
    const length = this.#tokenLength
    const words = url.split(/[/?&=#]/).flatMap((part) => decoded(part).split(/[^\w-]+/))
    return words
      .filter((word) => word.length >= length)
      .some((word) => this.isToken(word.slice(0, length)) || this.isToken(word.slice(-length)))
  }

  /** The secret of a new link. */
  newLink(): string {
    const secret = randomBytes(32).toString('base64url')
    this.#links.set(hash(secret).toString('hex'), this.#clock.now() + linkTime)
    if (this.#links.size > mostLinks) this.#links.delete(this.#links.keys().next().value ?? '')
    return secret
  }

  /** Uses a link up; true when it was still good. */
  spendLink(secret: string): boolean {
    // The map is asked for a hash: how long that takes tells nothing of the secret.
    const name = hash(secret).toString('hex')
    const end = this.#links.get(name)
    this.#links.delete(name)
    return end !== undefined && this.#clock.now() < end
  }

  newSession(): string {
    const end = String(this.#clock.now() + sessionTime)
    const nonce = randomBytes(16).toString('base64url')
    return `${end}.${nonce}.${this.#sign(end, nonce).toString('base64url')}`
  }

  isSession(given: string): boolean {
    const [, end, nonce, signature] = /^(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/.exec(given) ?? []
    if (end === undefined || nonce === undefined || signature === undefined) return false
    const isSigned = timingSafeEqual(Buffer.from(signature, 'base64url'), this.#sign(end, nonce))
    return isSigned && this.#clock.now() < Number(end)
  }

  #sign(end: string, nonce: string): Buffer {
    return createHmac('sha256', this.#signing).update(`${end}.${nonce}`).digest()
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
