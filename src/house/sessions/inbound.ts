import { oneLine } from '../../memory/cut.ts'

/** A message from outside as it was meant. */
export interface Inbound {
  text: string
  /** What a harness says of where it comes from. */
  label: string | null
}

/**
 * Understands what came in: plain text, or the envelope of a harness, an object with `message` beside `harness` or
 * `scope`, whose message is text or made of blocks. What is no envelope is text as it stands. Never throws.
 */
export function inbound(body: string): Inbound {
  const envelope = envelopeIn(body)
  const text = envelope && plain(textOf(envelope.message))
  if (!envelope || !text) return { text: plain(body), label: null }
  const names = [envelope.harness, envelope.scope].flatMap((part) => nameOf(part) ?? [])
  return { text, label: names.length > 0 ? oneLine(names.join(', '), 100) : null }
}

type Envelope = Record<string, unknown>

function envelopeIn(body: string): Envelope | undefined {
  if (!/^\s*\{/.test(body)) return undefined
  try {
    const value = JSON.parse(body) as Envelope
    const isEnvelope =
      Object.hasOwn(value, 'message') && (Object.hasOwn(value, 'harness') || Object.hasOwn(value, 'scope'))
    return isEnvelope ? value : undefined
  } catch {
    return undefined
  }
}

/** Where a message, or a block of one, may keep its words. */
const holders = ['content', 'text', 'body', 'parts'] as const
/** Blocks within blocks deeper than this are no words. */
const deepest = 5

function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > deepest) return ''
  if (Array.isArray(value)) {
    return value
      .map((part) => textOf(part, depth + 1))
      .filter((part) => part !== '')
      .join('\n')
  }
  const holder = holders.find((name) => Object.hasOwn(value, name))
  return holder === undefined ? '' : textOf((value as Envelope)[holder], depth + 1)
}

const nameOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value !== 'object' || value === null) return undefined
  const { name, id, kind, type } = value as Envelope
  return [name, id, kind, type].find((one): one is string => typeof one === 'string' && one !== '')
}

/** Without characters that steer a screen, and without empty space around it. */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
