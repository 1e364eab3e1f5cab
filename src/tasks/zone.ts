import { minute, second } from '../domain/clock.ts'

/**
 * A wall-clock time: what a clock on a wall of some zone shows, as the milliseconds UTC at which a clock in Greenwich
 * would show the same. Not an instant; only comparable within its zone.
 */
type WallTime = number

const formatters = new Map<string, Intl.DateTimeFormat>()

const formatterOf = (zone: string): Intl.DateTimeFormat => {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, made)
  return made
}

/** The zone as it is spelled in the IANA database, or undefined when there is none. Offsets like `+02:00` are none. */
export const ianaZone = (name: string): string | undefined => {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const resolved = formatterOf(name).resolvedOptions().timeZone
    return resolved.toLowerCase() === name.toLowerCase() ? resolved : name
  } catch {
    return undefined
  }
}

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
const offsetAt = (instant: number, zone: string): number => {
  const text = formatterOf(zone).format(instant)
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds ?? 0) * second
  return sign === '-' ? -size : size
}

export const wallTimeAt = (instant: number, zone: string): WallTime => instant + offsetAt(instant, zone)

/** No zone is further from UTC than this. */
const farthest = 15 * 60 * minute

/**
 * The instant at which the zone's clocks show a wall-clock time: the first one when they show it twice, and the first
 * whole minute after the gap when they never do.
 */
export const instantOf = (wall: WallTime, zone: string): number => {
  const before = wall - offsetAt(wall - farthest, zone)
  const after = wall - offsetAt(wall + farthest, zone)
  const shown = [before, after].filter((instant) => wallTimeAt(instant, zone) === wall)
  return shown.length > 0 ? Math.min(...shown) : endOfGap(Math.min(before, after), Math.max(before, after), zone)
}

/** The clocks jump forward between the two instants; finds where by halving. */
const endOfGap = (from: number, to: number, zone: string): number => {
  const offset = offsetAt(from, zone)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === offset) low = middle
    else high = middle
  }
  return Math.ceil(high / minute) * minute
}
