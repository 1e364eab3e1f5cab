import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../src/cli/width.ts'
import { hour } from '../../src/domain/clock.ts'
import { home, now } from './support/fake.ts'
import { status, usageToday } from './support/rows.ts'

const sums = {
  calls: 3,
  local_calls: 2,
  cloud_calls: 1,
  failed_calls: 0,
  prompt_tokens: 1000,
  completion_tokens: 234,
  cost: null as number | null,
}

const row = (key: string, given: Record<string, unknown> = {}) => ({
  key,
  title: null,
  ...sums,
  calls_avoided: null,
  ...given,
})

const summary = (given: Record<string, unknown> = {}) => ({
  today: usageToday(),
  from: '2026-03-26',
  to: '2026-04-01',
  by: 'day',
  total: { ...sums, calls: 15, cost: 31_234, calls_avoided: 1041 },
  rows: [
    row('2026-04-01', { calls: 12, cloud_calls: 2, cost: 30_000, calls_avoided: 41 }),
    row('2026-03-31', { failed_calls: 1, calls_avoided: 1000 }),
  ],
  more: 0,
  ...given,
})

const shown = async (given: Record<string, unknown>, ...argv: string[]) => {
  const it = home({ 'usage.summary': summary(given) })
  expect(await it.undermind('usage', ...argv)).toBe(0)
  return it.out()
}

describe('undermind usage', () => {
  it('shows today first, then day by day, then all of it', async () => {
    expect(await shown({})).toBe(
      [
        'Today         12 model calls (10 local, 2 cloud), 14,200 tokens, 0.03, 41 calls avoided',
        'Escalated     8 % of 37 verdicts in 7 days',
        '',
        'day         calls  cloud  failed  tokens  money  avoided',
        '2026-04-01  12     2      0       1,234   0.03   41',
        '2026-03-31  3      1      1       1,234   -      1,000',
        'all         15     1      0       1,234   0.03   1,041',
        '',
      ].join('\n'),
    )
  })

  it('asks for what it is told to ask for', async () => {
    const it = home({ 'usage.summary': summary({ by: 'task', rows: [row('task_1')] }) })
    await it.undermind('usage')
    await it.undermind('usage', '--days', '30', '--by', 'task')
    expect(it.door.calls.map(({ params }) => params)).toEqual([
      { days: 7, by: 'day' },
      { days: 30, by: 'task' },
    ])
  })

  it.each([
    ['--days', '0'],
    ['--days', '401'],
    ['--days', 'many'],
    ['--by', 'colour'],
  ])('refuses %s %s', async (...wrong) => {
    const it = home({ 'usage.summary': summary() })
    expect(await it.undermind('usage', ...wrong)).toBe(2)
    expect(it.door.calls).toEqual([])
  })

  it('names tasks by their titles, and says where there was none', async () => {
    const rows = [row('task_1', { title: 'Check mail' }), row('task_gone'), row('')]
    const out = await shown({ by: 'task', rows, more: 2 })
    expect(out).toMatch(/^task {8}calls /m)
    expect(out).toMatch(/^Check mail {2}3 /m)
    expect(out).toMatch(/^task_gone {3}3 /m)
    expect(out).toMatch(/^\(no task\) {3}3 /m)
    expect(out).toMatch(/ money$/m)
    expect(out).toContain('… 2 more rows')
    expect(await shown({ by: 'world', rows: [row('', { calls_avoided: 0 })] })).toContain('(no world)')
  })

  it('never shows money that is not known as nothing', async () => {
    const out = await shown({ today: usageToday({ cost: null }), rows: [row('2026-04-01')] })
    expect(out).toContain('14,200 tokens, 41 calls avoided')
    expect(out).not.toContain('0.00')
    expect(await shown({ today: usageToday({ cost: 0 }) })).toContain('14,200 tokens, 0.00, 41 calls avoided')
    expect(await shown({ today: usageToday({ cost: 12 }) })).toContain('14,200 tokens, 0.000012, 41 calls avoided')
  })

  it('says that no model was asked', async () => {
    const none = { calls: 0, local_calls: 0, cloud_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost: null }
    const today = usageToday({ ...none, calls_avoided: 1, escalations: { verdicts: 0, escalated: 0 } })
    const out = await shown({ today, rows: [] })
    expect(out).toContain('Today         no model calls, 1 call avoided\nEscalated     no verdicts in 7 days\n')
    expect(out).toContain('No model was asked: 2026-03-26 to 2026-04-01.')
    expect(await shown({ today, rows: [], from: '2026-04-01' })).toContain('No model was asked: 2026-04-01.')
  })

  it('tells of calls that failed', async () => {
    const today = usageToday({ calls: 1, local_calls: 1, cloud_calls: 0, failed_calls: 1, cost: null })
    expect(await shown({ today })).toContain('Today         1 model call (1 local, 1 failed), ')
  })

  it('shows what is left of the budget, and when cloud work goes on', async () => {
    const allowance = (limit: number, used: number) => ({ limit, used, left: limit - used })
    const budget = { money: allowance(500_000, 30_000), tokens: allowance(200_000, 14_200), refused_until: null }
    expect(await shown({ today: usageToday({ budget }) })).toContain(
      'Budget        0.47 of 0.50 and 185,800 of 200,000 tokens left today\n',
    )
    const used = { money: allowance(500_000, 490_000), tokens: null, refused_until: now + 6 * hour }
    expect(await shown({ today: usageToday({ budget: used }) })).toContain(
      'Budget        0.01 of 0.50 left today; used up, cloud work goes on at 2026-04-02 00:00\n',
    )
    const free = { money: null, tokens: null, refused_until: null }
    expect(await shown({ today: usageToday({ budget: free }) })).not.toContain('Budget')
  })

  it('gives programs everything, in millionths', async () => {
    expect(JSON.parse(await shown({}, '--json'))).toMatchObject({
      by: 'day',
      today: { calls: 12, cost: 30_000, callsAvoided: 41 },
      rows: [{ key: '2026-04-01' }, { key: '2026-03-31', cost: null }],
    })
  })

  it('keeps to the terminal, and shows nothing in a title that would steer it', async () => {
    const title = `\u001B[31m${'检查收件箱 and more '.repeat(10)}`
    const it = home({ 'usage.summary': summary({ by: 'task', rows: [row('task_1', { title })] }) })
    it.io.isTTY = true
    it.io.columns = 72
    it.env.NO_COLOR = '1'
    await it.undermind('usage')
    expect(it.out()).not.toContain('\u001B')
    for (const line of stripVTControlCharacters(it.out()).split('\n'))
      expect(displayWidth(line)).toBeLessThanOrEqual(72)
  })
})

describe('undermind status', () => {
  it('shows what today came to and what is left of the budget', async () => {
    const money = { limit: 500_000, used: 30_000, left: 470_000 }
    const usage = usageToday({ budget: { money, tokens: null, refused_until: null } })
    const it = home({ status: status({ usage }) })
    await it.undermind('status')
    expect(it.out()).toContain(
      'Today         12 model calls (10 local, 2 cloud), 14,200 tokens, 0.03, 41 calls avoided\nBudget        0.47 of 0.50 left today\n',
    )
  })
})
