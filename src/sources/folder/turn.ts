import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/** Lets everything else that is ready run first. */
export const turn = (): Promise<void> => turnOfTheLoop()

/** Goes through something long with a pause after every thousand, so that nobody waits for it. */
export async function* sliced<T>(all: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const one of all) {
    if (++count % 1000 === 0) await turn()
    yield one
  }
}
