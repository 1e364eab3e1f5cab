import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronFromThere, NoSuchSchedule } from '../../src/house/import/cron.ts'
import { parseCron } from '../../src/tasks/cron.ts'

const read = (text: string): string => {
  try {
    return cronFromThere(text)
  } catch (error) {
    if (error instanceof NoSuchSchedule) return error.message
    throw error
  }
}

describe('a cron expression from OpenHuman', () => {
  it.each([
    ['0 8 * * *', '0 8 * * *'],
    ['*/15 * * * *', '*/15 * * * *'],
    ['0 9 * * 1', '0 9 * * 0'],
    ['0 9 * * 7', '0 9 * * 6'],
    ['0 9 * * 2-6', '0 9 * * 1-5'],
    ['0 9 * * Mon-Fri', '0 9 * * 1-5'],
    ['0 9 * * sunday,TUE', '0 9 * * 0,2'],
    ['0 9 * * 1-7', '0 9 * * *'],
    ['0 0 9 * * 2', '0 9 * * 1'],
    ['0 0 9 * * 2 *', '0 9 * * 1'],
    ['30 0 9 ? * 2', '0 9 * * 1'],
    ['0 0 1,15 Jan-Mar *', '0 0 1,15 1-3 *'],
    ['5/20 */6 * * *', '5,25,45 */6 * * *'],
    ['*/7 * * * *', '*/7 * * * *'],
    ['0 9 * * */2', '0 9 * * */2'],
    ['  0   8  * *  * ', '0 8 * * *'],
    ['@daily', '0 0 * * *'],
    ['@Weekly', '0 0 * * 0'],
  ])('reads %s as %s, with Sunday no longer 1 but 0', (there, here) => {
    expect(read(there)).toBe(here)
    expect(parseCron(here)).toBe(here)
  })

  it.each([
    ['0 9 1 * 2', /must fall together/],
    ['*/10 * * * * *', /more often than once a minute/],
    ['0 0 9 * * 2 2027', /certain years/],
    ['0 9 * * 0', /weekday/],
    ['0 9 * * 8', /weekday/],
    ['60 9 * * *', /minute/],
    ['0 9 * *', /five, six or seven/],
    ['', /five, six or seven/],
    ['0 9 5-1 * *', /day/],
    ['0 9 1-2-3 * *', /day/],
    ['0 9 */0 * *', /day/],
    ['a b c d e', /minute|day|weekday/],
    ['constructor', /five, six or seven/],
    ['0 9 * * 2#1', /weekday/],
    [`${'1,'.repeat(400)}1 * * * *`, /longer than 500/],
  ])('has no counterpart for %s', (there, why) => {
    expect(read(there)).toMatch(why)
  })

  it('says the same days and times as before, whatever the fields', () => {
    const list = (from: number, to: number) =>
      fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: to - from + 1 })
    fc.assert(
      fc.property(list(0, 59), list(0, 23), list(1, 7), (minutes, hours, weekdays) => {
        const here = read(`${minutes.join()} ${hours.join()} * * ${weekdays.join()}`).split(' ')
        expect(expand(here[0]!, 0, 59)).toEqual(minutes.toSorted((a, b) => a - b))
        expect(expand(here[1]!, 0, 23)).toEqual(hours.toSorted((a, b) => a - b))
        expect(expand(here[4]!, 0, 6)).toEqual(weekdays.map((day) => day - 1).sort())
      }),
    )
  })

  it('is read or refused with a reason, whatever it is', () => {
    const word = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('*', '1-5', '*/3', 'mon', '?', '99'))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(read(words.join(' '))).not.toBe('')
      }),
    )
  })
})

/** What a field of ours stands for, read independently. */
function expand(field: string, from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (field === '*') return all
  if (field.startsWith('*/')) return all.filter((value) => (value - from) % Number(field.slice(2)) === 0)
  return field.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return all.filter((value) => value >= first && value <= last)
  })
}
