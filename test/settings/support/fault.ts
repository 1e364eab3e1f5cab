import { Fault } from '../../../src/domain/errors.ts'

/** The fault that `act` ends with. */
export const faultOf = (act: () => unknown): Fault => {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was refused')
}
