import { Fault } from '../domain/errors.ts'
import { faultOf } from '../store/faults.ts'

/** The same functions, in whatever groups; an error of the database that leaves one says what it means for the user. */
export const withStoreFaults = <T extends object>(functions: T, file: string): T =>
  new Proxy(functions, {
    get(target, name, receiver): unknown {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value === 'function') return telling((...args) => Reflect.apply(value, target, args), file)
      return typeof value === 'object' && value !== null ? withStoreFaults(value, file) : value
    },
  })

const telling =
  (run: (...args: unknown[]) => unknown, file: string) =>
  (...args: unknown[]): unknown => {
    const failed = (error: unknown): never => {
      throw isOfDatabase(error) ? faultOf(error, file) : error
    }
    try {
      const result = run(...args)
      return result instanceof Promise ? result.catch(failed) : result
    } catch (error) {
      return failed(error)
    }
  }

/** True for an error of the store itself: it says nothing of whoever used it. */
export const isOfStore = (error: unknown): boolean =>
  isOfDatabase(error) || (error instanceof Fault && error.code.startsWith('store/'))

const isOfDatabase = (error: unknown): boolean => error instanceof Error && error.name === 'SqliteError'
