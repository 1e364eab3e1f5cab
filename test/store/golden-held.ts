/** Says whether somebody holds things up; what was reached by then. */
export interface Held {
  up: boolean
  reached: Set<string>
}

/** Holds up for ever, and says that it does. */
export const never = <T>(held: Held, what: string): Promise<T> => {
  held.reached.add(what)
  return new Promise(() => {})
}
