import { patientFetch } from '../patient-fetch.ts'
import { NoConnection, notOfTheSystem, Refusal } from './refusal.ts'

/** What is sent along: the client would add headers from its own environment variables, and facts about this machine. */
const headersSent = ['accept', 'authorization', 'content-type', 'idempotency-key', 'user-agent']

/** Of a refusal, more is not read. */
const longestRefusal = 64 * 1024

/**
 * `fetch` for the client. What is no answer rejects: as a `Refusal` that has all the server said, of which the client
 * would keep a part only, or as `NoConnection`.
 */
export const answerFetch: typeof fetch = async (to, init = {}) => {
  const given = new Headers(init.headers)
  const headers = new Headers({ 'accept-encoding': 'identity' })
  for (const name of headersSent) {
    const value = given.get(name)
    if (value !== null) headers.set(name, value)
  }
  let response: Response
  try {
    response = await patientFetch(to, { ...init, headers })
  } catch (error) {
    throw new NoConnection(codeOf(error))
  }
  if (response.status === 200 || response.status === 201) return response
  throw new Refusal(response.status, new Map(response.headers), await startOf(response))
}

const startOf = async ({ body }: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of body ?? []) {
      pieces.push(piece)
      length += piece.length
      if (length >= longestRefusal) break
    }
  } catch {
    // What came before the connection ended says enough.
  }
  return Buffer.concat(pieces).toString('utf8', 0, longestRefusal)
}

const codeOf = (error: unknown): string => {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = inner instanceof Error && 'code' in inner ? inner.code : undefined
  return typeof code === 'string' ? code : notOfTheSystem
}
