import { describe, expect, it } from 'vitest'
import { minute } from '../../src/domain/clock.ts'
import { home, now } from './support/fake.ts'

const directive = (given: Record<string, unknown> = {}) => ({
  id: 'directive_2',
  scope: 'anna',
  text: 'Ask for the date first.',
  state: 'current',
  created_cycle: 3,
  expires_after: 20,
  age: 1,
  rows: ['session_1:4', 'session_1:6'],
  again_of: null,
  created_at: now - 5 * minute,
  ended_at: null,
  superseded_by: null,
  revoked_by: null,
  ...given,
})

describe('undermind sessions steering', () => {
  it('shows what holds, for whom, how old it is and where it came from, and what held before', async () => {
    const earlier = directive({ id: 'directive_1', scope: null, state: 'revoked', revoked_by: 'ada', age: 7, rows: [] })
    const it = home({ 'orchestration.steering_list': [directive(), earlier] })
    expect(await it.undermind('sessions', 'steering')).toBe(0)
    expect(it.out()).toBe(
      [
        'directive_2, 17:55 (5 min ago)',
        '  For sessions with anna; 1 cycle old, holds for 19 more cycles.',
        '  Ask for the date first.',
        '  From session_1:4, session_1:6.',
        'directive_1, 17:55 (5 min ago)',
        '  For all sessions; 7 cycles old, taken back by ada.',
        '  Ask for the date first.',
        '  From nothing that is known.',
        '',
      ].join('\n'),
    )
  })

  it('says so where nothing holds', async () => {
    const it = home({ 'orchestration.steering_list': [directive({ state: 'expired' })] })
    await it.undermind('sessions', 'steering', '--limit', '1')
    expect(it.out()).toMatch(/^Nothing steers the work of sessions just now\.\n/)
    expect(it.out()).toContain('expired')
  })

  it('takes one back, or goes back to one, and not both at once', async () => {
    const it = home({
      'orchestration.steering_revoke': directive({ state: 'revoked', revoked_by: 'user' }),
      'orchestration.steering_restore': directive(),
    })
    expect(await it.undermind('sessions', 'steering', '--revoke', 'directive_2')).toBe(0)
    expect(it.out()).toBe('Taken back: Ask for the date first. (directive_2)\n')
    expect(await it.undermind('sessions', 'steering', '--back-to', 'directive_2')).toBe(0)
    expect(it.out()).toBe('Holds again: Ask for the date first. (directive_2)\n')
    expect(await it.undermind('sessions', 'steering', '--revoke', 'a', '--back-to', 'b')).toBe(2)
    expect(it.door.calls).toHaveLength(2)
  })
})
