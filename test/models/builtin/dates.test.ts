import { afterEach, describe, expect, it } from 'vitest'
import { dateLanguages } from '../../../src/models/builtin/date-words.ts'
import { datesIn } from '../../../src/models/builtin/dates.ts'
import { words } from '../../../src/models/builtin/words.ts'
import { isoDay, wallTime } from '../../../src/models/builtin/zone.ts'
import { now } from './situation.ts'

const machineZone = process.env.TZ
afterEach(() => {
  if (machineZone === undefined) delete process.env.TZ
  else process.env.TZ = machineZone
})

/** The dates of a line in short: `~` for one named from the writer's day, `!` for a limit. */
function dates(line: string, moved = false, zone = 'Europe/Berlin'): string {
  const found = datesIn(line, dateLanguages(line, words(line)), wallTime(zone, now), moved)
  return found.map(({ day, relative, limit }) => `${isoDay(day)}${relative ? '~' : ''}${limit ? '!' : ''}`).join(' ')
}

/** Read on Wednesday, 1 April 2026. */
const readings: readonly (readonly [string, string])[] = [
  ['due 2026-04-15', '2026-04-15!'],
  ['2 April', '2026-04-02'],
  ['Apr 2, 2026 14:00', '2026-04-02'],
  ['Review: 3 April 2027', '2027-04-03'],
  ['by Friday', '2026-04-03~!'],
  ['Monday', '2026-04-06~'],
  ['last Friday', '2026-03-27~'],
  ['due Thu', '2026-04-02~!'],
  ['until tomorrow', '2026-04-02~!'],
  ['day after tomorrow', '2026-04-03~'],
  ['in 3 days', '2026-04-04'],
  ['5 January', '2026-01-05'],
  ['15/04/2026', '2026-04-15'],
  ['2026/04/02', '2026-04-02'],
  ['am 3. April', '2026-04-03'],
  ['bis zum 3. April', '2026-04-03!'],
  ['am 2.4.', '2026-04-02'],
  ['Fällig am 15.04.2026', '2026-04-15!'],
  ['02.04.2026', '2026-04-02'],
  ['nächsten Montag', '2026-04-06~'],
  ['übermorgen', '2026-04-03~'],
  ['le 3 avril', '2026-04-03'],
  ['avant vendredi', '2026-04-03~!'],
  ['après-demain', '2026-04-03~'],
  ['antes del 15 de abril', '2026-04-15!'],
  ['pasado mañana', '2026-04-03~'],
  ['4月2日', '2026-04-02'],
  ['4月2日前', '2026-04-02!'],
  ['2026年12月31日', '2026-12-31'],
  ['4月10號', '2026-04-10'],
  ['明天', '2026-04-02~'],
  ['后天下午', '2026-04-03~'],
  ['下周一', '2026-04-06~'],
  ['上周五', '2026-03-27~'],
  ['moved to 2 April (was 3 April)', '2026-04-02'],
  ['not 3 April but 4 April', '2026-04-04'],
]

const noDates = [
  '',
  'Sun is out',
  'we sat down in March',
  'march on',
  'April',
  'next week',
  'in 2 weeks',
  'now',
  'guten Morgen',
  'la mañana',
  '下下周一',
  '4月',
  '02/04/2026',
  '2026-02-30',
  '31 April',
  '9999-99-99',
  '3.4.2 released',
  'commit 91f3c02',
  'was 3 April',
]

describe('dates of a line', () => {
  it.each(readings)('reads "%s" as %s', (line, expected) => {
    expect(dates(line)).toBe(expected)
  })

  it.each(noDates)('finds no date in "%s"', (line) => {
    expect(dates(line)).toBe('')
  })

  it.each([
    ['moved from 3 April to 7 April', '2026-04-07'],
    ['vom 3. April auf den 9. April verschoben', '2026-04-09'],
    ['从4月3日改到4月8日', '2026-04-08'],
    ['moved from Thursday to next Monday', '2026-04-06~'],
  ])('knows where something was moved to: %s', (line, expected) => {
    expect(dates(line, true)).toBe(expected)
  })

  it.each(['UTC', 'America/Los_Angeles', 'Asia/Shanghai', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'does not depend on the zone of the machine: %s',
    (zone) => {
      process.env.TZ = zone
      for (const [line, expected] of readings) expect(dates(line)).toBe(expected)
    },
  )

  it('depends on the zone of the user', () => {
    expect(dates('tomorrow', false, 'Asia/Tokyo')).toBe('2026-04-03~')
    expect(dates('明天', false, 'Asia/Tokyo')).toBe('2026-04-03~')
    expect(dates('tomorrow', false, 'America/New_York')).toBe('2026-04-02~')
  })

  it('finds dates across the whole beginning of a long line, each as often as it stands there', () => {
    expect(dates(`${'word '.repeat(27)}12 April 2026 `.repeat(4))).toBe(Array(4).fill('2026-04-12').join(' '))
    expect(dates(`${'word '.repeat(29)}due 3 April 2027 ${'word '.repeat(40)}`)).toBe('2027-04-03!')
  })

  it('gives no more than ten dates', () => {
    expect(dates('2026-04-02 '.repeat(40)).split(' ')).toHaveLength(10)
  })
})
