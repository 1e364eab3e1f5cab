import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../../../src/models/openai/refusal.ts'
import { waitAsked } from '../../../src/models/openai/waits.ts'

const now = Date.parse('2026-04-01T16:00:00Z')

const asked = (headers: Record<string, string>, text = '') =>
  waitAsked(new Refusal(429, new Map(Object.entries(headers)), text), now)

it.each([
  [{ 'retry-after': '20' }, 20_000],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Wed, 01 Apr 2026 16:00:45 GMT' }, 45_000],
  [{ 'retry-after': 'Wed, 01 Apr 2026 15:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '350', 'retry-after': '1' }, 350],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '2026' }, 2_026_000],
  [{ 'retry-after': '1e400' }, undefined],
  [{ 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  [{ 'x-ratelimit-reset-requests': '250ms' }, 250],
  [{ 'x-ratelimit-reset-tokens': '1h2m3.5s' }, 3_723_500],
  [{ 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'x-ratelimit-reset': String(now / 1000 + 9) }, 9000],
  [{ 'x-ratelimit-reset': String(now + 900) }, 900],
  [{ 'x-ratelimit-reset': '2026-04-01T16:00:04Z' }, 4000],
  [{ 'x-ratelimit-reset-requests': '2h', 'x-ratelimit-reset-tokens': '7.66s' }, 7660],
  [
    {
      'x-ratelimit-reset-requests': '2h',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '7.66s',
      'x-ratelimit-remaining-tokens': '900',
    },
    7_200_000,
  ],
  [{ 'retry-after': '3', 'x-ratelimit-reset-requests': '2h' }, 3000],
])('reads %j', (headers, ms) => {
  expect(asked(headers as Record<string, string>)).toBe(ms)
})

it.each([
  ['Rate limit reached. Please try again in 1.2s.', 1200],
  ['Please try again in 7m12.5s. Visit', 432_500],
  ['{"details":[{"retryDelay": "34s"}]}', 34_000],
  ['Try again later', undefined],
])('reads the words %j', (text, ms) => {
  expect(asked({}, text)).toBe(ms)
})

it('takes any header for a time that is not before now, or for none', () => {
  const names = ['retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'x-ratelimit-reset-tokens']
  const values = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.date().map(String),
    fc.stringMatching(/^[\d.smhd-]*$/),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), values), fc.string(), (headers, text) => {
      const wait = asked(headers, text)
      expect(wait === undefined || wait >= 0).toBe(true)
    }),
  )
})
