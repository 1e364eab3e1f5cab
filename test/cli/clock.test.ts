import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { parseSince } from '../../src/cli/since.ts'
import { localTime, relativeTime, when } from '../../src/cli/times.ts'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { cwd, type Home, home, now } from './support/fake.ts'
import { row, status, tick } from './support/rows.ts'

const clock = '2030-05-06T07:08:00Z'

const untilShown = async (it: Home, text: string): Promise<void> => {
  while (!it.out().includes(text)) await setImmediate()
}

describe('UNDERMIND_CLOCK', () => {
  it('is handed on by commands, and times are told from there', async () => {
    const it = home({ trigger: { ticks: [tick()] }, status: status(), log_list: [row()] })
    it.env.UNDERMIND_CLOCK = clock
    await it.undermind('tick')
    expect(it.asked).toEqual([`connect ${cwd} {"testClock":"${clock}"}`])
    await it.undermind('log', '--since', '1h')
    expect(it.door.calls.at(-1)?.params.since).toBe(Date.parse(clock) - hour)
    await it.undermind('status')
    expect(it.out()).toContain('last tick 2026-04-01 17:55 (')
  })

  it('is ignored by start, unless it is asked not to', async () => {
    for (const [more, options, next] of [
      [[], '{}', 'in 5 min'],
      [['--test-clock'], `{"testClock":"${clock}"}`, 'ago'],
    ] as const) {
      const it = home({ status: status(), log_list: [] })
      it.env.UNDERMIND_CLOCK = clock
      const serve = it.parts.serve
      it.parts.serve = async (...given) => {
        void setImmediate().then(it.interrupt)
        return serve(...given)
      }
      expect(await it.undermind('start', ...more)).toBe(0)
      expect(it.asked[0]).toBe(`serve ${cwd} ${options}`)
      expect(it.out()).toContain(next)
    }
  })

  it('goes on from there as the real clock goes on', async () => {
    const it = home({ status: status(), log_list: [] })
    it.env.UNDERMIND_CLOCK = clock
    const ended = it.undermind('start', '--test-clock')
    await untilShown(it, 'Ctrl-C')
    it.parts.now = () => now + 3 * minute
    it.door.emit({ type: 'notification', title: 'Mail', body: 'It is back.' })
    await untilShown(it, 'Mail')
    it.interrupt()
    await ended
    expect(it.out()).toContain('○ 09:11 Mail: It is back.')
  })

  it.each(['noon', '2026-04-01', '2026-04-01T18', '2026-13-01T00:00:00Z', '1775059200000'])(
    'is refused when it is %s',
    async (given) => {
      const it = home({ trigger: { ticks: [tick()] } })
      it.env.UNDERMIND_CLOCK = given
      expect(await it.undermind('tick', '--json')).toBe(2)
      expect(JSON.parse(it.err())).toMatchObject({ error: { code: 'cli/clock-invalid' } })
      expect(it.asked).toEqual([])
    },
  )

  it('that is empty is none', async () => {
    const it = home({ trigger: { ticks: [tick()] } })
    it.env.UNDERMIND_CLOCK = ''
    expect(await it.undermind('tick')).toBe(0)
    expect(it.asked).toEqual([`connect ${cwd} {}`])
  })
})

describe('times', () => {
  it('are local, with the day where it is another one', () => {
    expect(localTime(now, now)).toBe('18:00')
    expect(localTime(now + 7 * hour, now)).toBe('2026-04-02 01:00')
    expect(when(null, now)).toBe('never')
    expect(when(now - 2 * hour, now)).toBe('16:00 (2 h ago)')
  })

  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [30_000, 'in a moment'],
    [-minute, '1 min ago'],
    [-47 * hour, '47 h ago'],
    [3 * day, 'in 3 days'],
  ])('%i ms away is %s', (away, text) => {
    expect(relativeTime(now + away, now)).toBe(text)
  })
})

describe('--since', () => {
  it.each([
    ['30m', now - 30 * minute],
    ['2 h', now - 2 * hour],
    ['3d', now - 3 * day],
    ['1w', now - 7 * day],
    ['today', Date.parse('2026-03-31T22:00:00Z')],
    ['yesterday', Date.parse('2026-03-30T22:00:00Z')],
    ['2026-03-28', Date.parse('2026-03-27T23:00:00Z')],
    ['2026-03-29', Date.parse('2026-03-28T23:00:00Z')],
    ['2026-04-01T10:00', Date.parse('2026-04-01T08:00:00Z')],
    ['2026-04-01 10:00:30', Date.parse('2026-04-01T08:00:30Z')],
    ['2026-04-01T10:00:00Z', Date.parse('2026-04-01T10:00:00Z')],
    ['2026-04-01T10:00+02:00', Date.parse('2026-04-01T08:00:00Z')],
  ])('%s is read in the local zone', (text, at) => {
    expect(parseSince(text, now)).toBe(at)
  })

  it.each(['', '5', 'm', '-3h', '2026-02-30', '2026-04-31T10:00Z', '2026-04-01T25:00', 'NaN', '1.5h', '٣h'])(
    'refuses %j',
    (text) => {
      expect(() => parseSince(text, now)).toThrow('Cannot read')
    },
  )
})
