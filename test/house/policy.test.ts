import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { id } from '../../src/domain/ids.ts'
import { defaultSettings, type Settings } from '../../src/domain/settings.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { policyOf } from '../../src/house/policy.ts'

const memory = id<never>('memory')

function policy(change: (settings: Settings) => void = () => {}, timezone = 'Europe/Berlin') {
  const settings = structuredClone(defaultSettings())
  change(settings)
  const tool: Tool = {
    name: 'mail',
    description: '',
    repeatable: false,
    parse: (args) => args,
    target: (args) => String(args.to),
    run: async () => '',
  }
  return policyOf({
    settings: () => settings,
    timezone: () => timezone,
    tools: new Map([[tool.name, tool]]),
    random: () => 0.5,
  })
}

describe('what the settings mean', () => {
  it('a world ticks by its interval, and not by itself where nothing is to be judged', () => {
    expect(policy().cadenceMs(memory)).toBe(5 * minute)
    expect(
      policy(({ heartbeat }) => {
        heartbeat.interval_minutes = 90
      }).cadenceMs(memory),
    ).toBe(90 * minute)
    expect(
      policy(({ subconscious }) => {
        subconscious.mode = 'off'
      }).cadenceMs(memory),
    ).toBeNull()
    expect(
      policy(({ heartbeat }) => {
        heartbeat.inference_enabled = false
      }).cadenceMs(memory),
    ).toBeNull()
  })

  it('limits are as they are set', () => {
    const set = policy(({ heartbeat, approvals }) => {
      heartbeat.tick_timeout_minutes = 3
      approvals.expire_days = 2
      approvals.new_cards_per_day = 9
    })
    expect([set.tickTimeoutMs(), set.cardExpiryMs(), set.newCardsPerDay()]).toEqual([3 * minute, 2 * day, 9])
  })

  it('a task of each tick has no time of its own, and one that is done once has none again', () => {
    const { nextRunAt } = policy()
    expect(nextRunAt({ schedule: { kind: 'every-tick' }, nextRunAt: null }, 0)).toBeNull()
    expect(nextRunAt({ schedule: { kind: 'once', at: 0 } as never, nextRunAt: 0 }, 5)).toBeNull()
  })

  it('what falls into the quiet hours waits for their end', () => {
    const quiet = policy(({ user }) => {
      user.quiet_hours = { from: '22:00', to: '07:00' }
    })
    const night = Date.parse('2026-04-01T23:30:00+02:00')
    const morning = Date.parse('2026-04-02T07:00:00+02:00')
    expect(quiet.afterQuietHours(night)).toBe(morning)
    expect(policy().afterQuietHours(night)).toBe(night)
    expect(quiet.nextRunAt({ schedule: { kind: 'every', minutes: 60 }, nextRunAt: null }, night)).toBe(morning)
  })

  it('a call touches what its tool says, and nothing that is known where the tool is gone', () => {
    const { targetOf } = policy()
    expect(targetOf({ tool: 'mail', arguments: { to: 'team' } })).toBe('team')
    expect(targetOf({ tool: 'gone', arguments: { to: 'team' } })).toBe('')
  })
})

describe('the day of a moment', () => {
  it.each([
    ['Europe/Berlin', '2026-04-01T00:00:00+02:00', '2026-03-31T22:00:00Z'],
    ['Europe/Berlin', '2026-04-01T23:59:59+02:00', '2026-03-31T22:00:00Z'],
    ['Asia/Kathmandu', '2026-04-01T12:00:00Z', '2026-03-31T18:15:00Z'],
    ['UTC', '2026-04-01T12:00:00.999Z', '2026-04-01T00:00:00.999Z'],
  ])('begins at local midnight, in %s at %s', (zone, at, began) => {
    expect(policy(() => {}, zone).startOfDay(Date.parse(at))).toBe(Date.parse(began))
  })

  it('is told of each moment, in whatever order they are asked for', () => {
    const { startOfDay } = policy()
    const noon = Date.parse('2026-04-01T12:00:00+02:00')
    const days = [0, 1, 0, 2, 2, 1].map((n) => startOfDay(noon + n * day) - startOfDay(noon))
    expect(days).toEqual([0, 1, 0, 2, 2, 1].map((n) => n * day))
    for (let hours = 0; hours < 12; hours++) expect(startOfDay(noon + hours * hour)).toBe(startOfDay(noon))
    expect(startOfDay(noon + 12 * hour)).toBe(startOfDay(noon) + day)
  })
})
