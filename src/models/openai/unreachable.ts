import { Fault } from '../../domain/errors.ts'
import { type Endpoint, quoted } from './endpoint.ts'
import { type NoConnection, notOfTheSystem, type Refusal } from './refusal.ts'

/** By the code of the error of a connection: what it means, and what to do. */
const causes: readonly [RegExp, string][] = [
  [/ECONNREFUSED/, 'nobody listens there. Start the server, or correct base_url'],
  [/ENOTFOUND|EAI_/, 'its name is not known. Check the network, or correct base_url'],
  [/ECONNRESET|EPIPE/, 'the connection ended before an answer came. Look at the log of the server'],
  [/ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN/, 'no way leads there. Check the network, or correct base_url'],
  [/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/, 'its certificate is not trusted. Add its authority with NODE_EXTRA_CA_CERTS'],
  [/EPROTO|ERR_SSL/, 'it does not speak https. Begin base_url with http, or switch https on there'],
]

export const notReached = ({ code }: NoConnection, { address, model }: Endpoint): Fault => {
  const data = { address, model, cause: code }
  if (code.startsWith('HPE_') || code === notOfTheSystem)
    return new Fault('model/bad-answer', `What answers at ${address} does not speak HTTP. Correct base_url.`, data)
  const why = causes.find(([pattern]) => pattern.test(code))?.[1] ?? 'see the cause and correct base_url'
  return new Fault('model/unreachable', `Cannot reach ${address} (${code}): ${why}.`, data, 'unreachable')
}

/** Somebody answers, but not for chat. */
export const addressWrong = (refusal: Refusal, endpoint: Endpoint): Fault => {
  const { address, model } = endpoint
  const { status } = refusal
  const to = refusal.headers.get('location')
  if (status >= 300 && status < 400 && to !== undefined) {
    const hint = `${address} sends on to another address, which is not followed${quoted(to, endpoint, ': ') || '.'} Set base_url to where the server really is.`
    return new Fault('model/unreachable', hint, { address, model, status }, 'unreachable')
  }
  return new Fault(
    'model/unreachable',
    `Nothing at ${address} takes chats (HTTP ${status}).${quoted(refusal.isPage ? '' : refusal.words, endpoint)} ${hintAt(address)}`,
    { address, model, status },
    'unreachable',
  )
}

/** Somebody answers with a web page. */
export const notAnAnswer = ({ address, model }: Endpoint): Fault =>
  new Fault('model/bad-answer', `${address} answers with a web page instead of a model's words. ${hintAt(address)}`, {
    address,
    model,
  })

const hintAt = (address: string): string =>
  /\/v\d+\w*$/.test(address) ? 'Correct base_url.' : `Most servers want /v1 at the end of base_url: try ${address}/v1.`
