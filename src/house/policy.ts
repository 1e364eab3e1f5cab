import type { Policy } from '../actors/ports.ts'
import { day, hour, minute } from '../domain/clock.ts'
import type { WorldId } from '../domain/ids.ts'
import type { Settings } from '../domain/settings.ts'
import type { Tool } from '../domain/tool.ts'
import { cadenceOf } from '../profiles/index.ts'
import { backoff } from '../tasks/backoff.ts'
import { quietHours } from '../tasks/quiet-hours.ts'
import { nextRun } from '../tasks/schedule.ts'
import { dayAt, nextDayAt } from './local-day.ts'

export interface PolicyParts {
  settings(): Settings
  timezone(): string
  tools: ReadonlyMap<string, Tool>
  random(): number
  /** Minutes between ticks, of worlds beside the built-in ones too. Not given: of the built-in ones. */
  cadence?(world: WorldId): number | null
  /** `<provider>:<model>` that is asked for a world. */
  model?(world: WorldId): string
}

/** What the settings mean for the actors, read anew at each use so that a change takes effect at once. */
export function policyOf(parts: PolicyParts): Policy {
  const { settings, timezone, tools, random } = parts
  return {
    cadenceMs: (world) => {
      const minutes = parts.cadence ? parts.cadence(world) : cadenceOf(world, settings())
      return minutes === null ? null : minutes * minute
    },
    signatureOf: (world) => `${world}|${parts.model?.(world) ?? 'none'}`,
    tickTimeoutMs: () => settings().heartbeat.tick_timeout_minutes * minute,
    cardExpiryMs: () => settings().approvals.expire_days * day,
    newCardsPerDay: () => settings().approvals.new_cards_per_day,
    startOfDay: daysOf(timezone),
    dayOf: (at) => dayAt(at, timezone()),
    nextDay: (now) => nextDayAt(now, timezone()),
    nextRunAt: ({ schedule, nextRunAt }, now) => {
      if (schedule.kind === 'every-tick' || schedule.kind === 'once') return null
      const next = nextRun(schedule, now, nextRunAt, timezone())
      return next === null ? null : quietHours(next, settings().user.quiet_hours ?? null, timezone())
    },
    afterQuietHours: (at) => quietHours(at, settings().user.quiet_hours ?? null, timezone()),
    backoffMs: (attempt) => backoff(attempt, random()),
    targetOf: ({ tool, arguments: args }) => tools.get(tool)?.target(args) ?? '',
  }
}

/** Knows when the day of a moment began; the answer for a day is kept, since it is asked for with each new card. */
function daysOf(timezone: () => string): (now: number) => number {
  let known = { zone: '', from: 0, until: 0 }
  return (now) => {
    const zone = timezone()
    if (zone !== known.zone || now < known.from || now >= known.until) {
      const from = startOfDay(now, zone)
      // Asked again within the hour, so that a day of 23 or 25 hours ends when it does.
      known = { zone, from, until: Math.min(now + hour, from + day) }
    }
    return known.from
  }
}

function startOfDay(now: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now)
  const [hours = 0, minutes = 0, seconds = 0] = parts
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => Number(value))
  return now - ((hours * 60 + minutes) * 60 + seconds) * 1000
}
