interface Formats {
  minute: Intl.DateTimeFormat
  weekday: Intl.DateTimeFormat
  offset: Intl.DateTimeFormat
}

const known = new Map<string, Formats>()

function formatsFor(timeZone: string): Formats {
  const formats = known.get(timeZone) ?? {
    minute: new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    weekday: new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }),
    offset: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
  }
  known.set(timeZone, formats)
  return formats
}

const firstYear = Date.UTC(1000, 0, 2)
const lastYear = Date.UTC(9999, 11, 30)

/** `2026-04-01 18:00` in the zone; null for what is no time that a calendar shows with four figures. */
export function localMinute(at: number | null, timezone: string): string | null {
  if (at === null || !(at >= firstYear && at <= lastYear)) return null
  const [month, day, year, hour, minute] = formatsFor(timezone).minute.format(at).match(/\d+/g) ?? []
  return `${year}-${month}-${day} ${hour}:${minute}`
}

/** `Wednesday 2026-04-01 18:00 (Europe/Berlin, GMT+02:00)`. */
export function localTime(at: number, timezone: string): string {
  const { weekday, offset } = formatsFor(timezone)
  const zone = offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return `${weekday.format(at)} ${localMinute(at, timezone)} (${timezone}, ${zone})`
}
