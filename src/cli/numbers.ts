import { InvalidArgumentError } from 'commander'

/** Reads an option as a whole number between two limits, both allowed. */
export const wholeNumber =
  (from: number, to: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= from && value <= to) return value
    throw new InvalidArgumentError(`It is a whole number from ${from} to ${to}.`)
  }

/** "1 task", "2 tasks". */
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`
