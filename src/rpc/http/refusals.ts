import { Fault } from '../../domain/errors.ts'

/** What the door says instead of letting somebody in. */
export interface Refusal {
  status: number
  fault: Fault
  headers: Readonly<Record<string, string>>
}

/** The status that goes with each code that the door refuses with. */
const statuses: Readonly<Record<string, number>> = {
  'door/bad-request': 400,
  'door/no-token': 401,
  'door/wrong-token': 401,
  'door/link-used': 401,
  'door/foreign-host': 403,
  'door/foreign-origin': 403,
  'door/token-in-url': 403,
  'door/no-such-page': 404,
  'door/wrong-method': 405,
  'door/too-slow': 408,
  'rpc/too-large': 413,
  'door/not-json': 415,
  'door/too-many-requests': 429,
  'door/headers-too-large': 431,
}

/** Beside the status, what a client can do about it without reading. */
const hints: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
  429: { 'retry-after': '1' },
}

/** Whatever was thrown on the way in, as it is answered. What nobody foresaw keeps its words to itself. */
export function refusalOf(error: unknown): Refusal {
  const status = error instanceof Fault ? statuses[error.code] : undefined
  if (status === undefined) return { status: 500, fault: failedInside(), headers: {} }
  return { status, fault: error as Fault, headers: hints[status] ?? {} }
}

export const bodyOf = ({ fault: { code, message } }: Refusal): string => JSON.stringify({ error: { code, message } })

const failedInside = (): Fault =>
  new Fault('runtime/unexpected', 'The request could not be answered. undermind doctor says whether all is well.')

export const badRequest = (what: string): Fault =>
  Fault.use('door/bad-request', `Cannot take the request: ${what}. Send it as HTTP/1.1 has it.`)

export const foreignHost = (): Fault =>
  Fault.use(
    'door/foreign-host',
    'The request names another host. Use the address that undermind start shows, with its port.',
  )

export const foreignOrigin = (): Fault =>
  Fault.use(
    'door/foreign-origin',
    "The request comes from another site's page. Only undermind's own page and programs may ask.",
  )

export const tokenInUrl = (): Fault =>
  Fault.use(
    'door/token-in-url',
    'A token does not belong in an address, where it is kept and passed on. Send it as Authorization: Bearer.',
  )

export const noToken = (): Fault =>
  Fault.use(
    'door/no-token',
    'Who asks? Send the token of .undermind/token as Authorization: Bearer, or open the link that undermind start shows.',
  )

export const wrongToken = (): Fault =>
  Fault.use(
    'door/wrong-token',
    'That is not the token of this workspace, or the page was opened long ago. Read .undermind/token again, or open a new link.',
  )

export const linkUsed = (): Fault =>
  Fault.use(
    'door/link-used',
    'This link was used already or is older than five minutes. undermind start shows a new one.',
  )

export const noSuchPage = (): Fault => Fault.use('door/no-such-page', 'There is nothing here. JSON-RPC is at /rpc.')

export const wrongMethod = (): Fault =>
  Fault.use('door/wrong-method', 'JSON-RPC is asked by POST, or over a WebSocket.')

export const notJson = (): Fault =>
  Fault.use('door/not-json', 'The body is JSON in UTF-8, plain: send it with Content-Type: application/json.')

export const tooManyRequests = (): Fault =>
  Fault.use('door/too-many-requests', 'That is more than is answered at a time. Ask again in a second.')

export const tooSlow = (): Fault =>
  Fault.use('door/too-slow', 'The request did not arrive in its time. Send it at once.')

export const headersTooLarge = (): Fault =>
  Fault.use('door/headers-too-large', 'The headers are larger than is read. Send fewer of them.')
