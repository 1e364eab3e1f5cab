import { Fault } from '../domain/errors.ts'

/** There is nobody at the other end any more. */
export const gone = (what: string): Fault =>
  new Fault(
    'daemon/gone',
    `${what}. Whether the last request was taken is not known; look before you repeat it.`,
    {},
    'unreachable',
  )
