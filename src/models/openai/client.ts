import type { OpenAI } from 'openai'
import { Fault } from '../../domain/errors.ts'
import { answerFetch } from './fetch.ts'

/** The guard of an answer measures time by its own clock; the client's timer must not end anything before. */
const never = 2 ** 31 - 1

/**
 * Opens the official client at the first use, since loading it takes half a second. Everything that it would otherwise
 * take from `OPENAI_…` variables is given, so that no key of one endpoint goes to another.
 */
export const lazyClient = (address: string, key: string | undefined): (() => Promise<OpenAI>) => {
  let opened: Promise<OpenAI> | undefined
  const open = async (): Promise<OpenAI> => {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: address,
      apiKey: key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      // A header of null is not sent.
      defaultHeaders: { Authorization: key === undefined ? null : `Bearer ${key}` },
      maxRetries: 0,
      timeout: never,
      logLevel: 'off',
      fetch: answerFetch,
    })
  }
  return () => {
    opened ??= open()
    return opened
  }
}

/** The key as it can be sent: without the line end that files and shells leave behind it; none when it is empty. */
export const keyToSend = (key: string | undefined): string | undefined => {
  const text = key?.trim()
  if (text === undefined || text === '') return undefined
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new Fault(
    'model/key-refused',
    'Cannot send the key of the cloud model: it holds a space or a character that no key has. Correct the environment variable that api_key_env names.',
  )
}
