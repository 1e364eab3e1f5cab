import { onTestFinished } from 'vitest'
import { Settings } from '../../src/domain/settings.ts'
import { Calls } from '../../src/house/calls.ts'
import { type Stores, stores } from '../../src/house/stores.ts'
import { UsageBook } from '../../src/house/usage.ts'
import { openStore } from '../../src/store/open.ts'
import { HandClock } from '../support/clock.ts'

export const today = '1970-01-01'

/** Calls over a store of their own. The model `large` of `openai` costs a millionth for a token. */
export function callBench() {
  const db = openStore({ file: ':memory:', synchronous: 'normal' })
  onTestFinished(() => void db.close())
  const clock = new HandClock(1000)
  const rows: Stores = stores(db)
  const settings = Settings.parse({
    models: { cloud: { model: 'large', base_url: 'https://models.example.org', input_price: 1, output_price: 1 } },
  })
  const book = new UsageBook({ store: rows.usage, clock, settings: () => settings, timezone: () => 'UTC' })
  /** Set where the store takes nothing. */
  const trouble: { is?: Error } = {}
  const host = {
    write: async <T>(change: (turn: never) => T): Promise<T> => {
      if (trouble.is) throw trouble.is
      return db.transaction(() => change(undefined as never))()
    },
  }
  let made = 0
  const ids = { next: (prefix: string) => `${prefix}_made${++made}` as never }
  const calls = new Calls({ host, stores: rows, accounts: book, clock, ids })
  return { clock, rows, book, calls, trouble }
}
