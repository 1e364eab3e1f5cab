/** What a clock on the wall shows: month 1 to 12. */
export interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall time of an instant (milliseconds UTC) in an IANA zone; an unknown zone is read as UTC. */
export function wallTime(zone: string, instant: number): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/** Days since 1 January 1970 of a calendar date. */
export const dayNumber = (date: Pick<WallTime, 'year' | 'month' | 'day'>): number =>
  Date.UTC(date.year, date.month - 1, date.day) / 86_400_000

export const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = openFormat(zone) ?? openFormat('UTC')!
  formats.set(zone, format)
  return format
}

function openFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  } catch {
    return undefined
  }
}
