import { first } from './0001-first.ts'

/** In order; the store's version is how many of them have run. Never edited once released, only added to. */
export const migrations: readonly string[] = [first]
