/** A schedule of there that has no counterpart here; the message completes "because". */
export class NoSuchSchedule extends Error {}

interface Field {
  name: string
  from: number
  to: number
  names?: readonly string[]
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const minutes: Field = { name: 'minute', from: 0, to: 59 }
const hours: Field = { name: 'hour', from: 0, to: 23 }
const days: Field = { name: 'day', from: 1, to: 31 }
const month: Field = { name: 'month', from: 1, to: 12, names: months }
const weekday: Field = { name: 'weekday', from: 1, to: 7, names: weekdays }

const shorthands: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
}

/**
 * Turns an expression in which Sunday is 1 and Saturday 7, of five fields or with seconds before them and a year behind,
 * into one of ours: five fields, Sunday 0. Throws `NoSuchSchedule`. There, a day must fit both day and weekday; here either
 * would do, so that an expression with both has no counterpart.
 */
export function cronFromThere(expression: string): string {
  const words = expression.trim().split(/\s+/)
  if (expression.length > 500) throw new NoSuchSchedule('its cron expression is longer than 500 characters')
  const short = (words[0] ?? '').toLowerCase()
  if (words.length === 1 && Object.hasOwn(shorthands, short)) return shorthands[short]!
  if (words.length < 5 || words.length > 7)
    throw new NoSuchSchedule('its cron expression has not five, six or seven fields')
  const [seconds = '0', ...rest] = words.length === 5 ? ['0', ...words] : words
  if (!/^[0-5]?\d$/.test(seconds)) throw new NoSuchSchedule('it runs more often than once a minute')
  const [m = '', h = '', d = '', mon = '', wd = '', year = '*'] = rest
  if (year !== '*' && year !== '?') throw new NoSuchSchedule('it is for certain years only')
  const onDays = read(d, days)
  const onWeekdays = read(wd, weekday)
  if (isPartOf(onDays, days) && isPartOf(onWeekdays, weekday)) {
    throw new NoSuchSchedule('it names a day of the month and a weekday that must fall together')
  }
  const shifted = [...onWeekdays].map((one) => one - 1)
  return [
    print(read(m, minutes), minutes),
    print(read(h, hours), hours),
    print(onDays, days),
    print(read(mon, month), month),
    print(new Set(shifted), { ...weekday, from: 0, to: 6 }),
  ].join(' ')
}

const isPartOf = (set: ReadonlySet<number>, { from, to }: Field): boolean => set.size < to - from + 1

/** The numbers that a field stands for. */
function read(text: string, field: Field): Set<number> {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [, range = '', stepText] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(part) ?? []
    const step = stepText === undefined ? 1 : Number(stepText)
    const [first, last] = bounds(range, field, stepText !== undefined)
    if (first === undefined || last === undefined || first > last || step === 0) {
      throw new NoSuchSchedule(`the ${field.name} of its cron expression cannot be read`)
    }
    for (let value = first; value <= last; value += step) found.add(value)
  }
  return found
}

function bounds(range: string, field: Field, hasStep: boolean): [number | undefined, number | undefined] {
  if (range === '*' || range === '?') return [field.from, field.to]
  const [first, last, ...more] = range.split('-').map((word) => numberOf(word, field))
  if (more.length > 0) return [undefined, undefined]
  if (range.includes('-')) return [first, last]
  return [first, hasStep ? field.to : first]
}

function numberOf(word: string, { from, to, names }: Field): number | undefined {
  const value = /^\d{1,2}$/.test(word) ? Number(word) : named(word.toLowerCase(), names) + from
  return value >= from && value <= to ? value : undefined
}

const named = (word: string, names: readonly string[] = []): number => {
  const index = names.findIndex((name) => name === word || name.slice(0, 3) === word)
  return index === -1 ? Number.NaN : index
}

/** As short as it goes: everything, a step from the beginning, or numbers with ranges. */
function print(set: ReadonlySet<number>, { from, to }: Field): string {
  const values = [...set].sort((a, b) => a - b)
  const [first = from, second = first + 1] = values
  const step = second - first
  if (!isPartOf(set, { name: '', from, to })) return '*'
  const isStep = first === from && values.length > 2 && values.every((value, index) => value === from + index * step)
  if (isStep && step > 1 && from + values.length * step > to) return `*/${step}`
  return runs(values)
    .map(([a, b]) => (a === b ? `${a}` : b === a + 1 ? `${a},${b}` : `${a}-${b}`))
    .join(',')
}

function runs(values: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (const value of values) {
    const last = found.at(-1)
    if (last && last[1] === value - 1) last[1] = value
    else found.push([value, value])
  }
  return found
}
