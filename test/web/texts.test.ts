import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from '../../src/web/texts/en.ts'
import { fill } from '../../src/web/texts/fill.ts'
import { relativeTime } from '../../src/web/texts/times.ts'
import { zh } from '../../src/web/texts/zh.ts'

const factsOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

describe('the tables of texts', () => {
  it('have the same keys, in the same order', () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en))
    expect(Object.keys(en).length).toBeGreaterThan(200)
  })

  it('name the same facts under each key', () => {
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      for (const form of en[key].split('|')) expect([key, factsOf(form)]).toEqual([key, factsOf(zh[key])])
    }
  })

  it('have the words that were agreed on', () => {
    expect([en['answer.approve'], zh['answer.approve']]).toEqual(['Go ahead', '继续'])
    expect([en['answer.skip'], zh['answer.skip']]).toEqual(['Skip', '跳过'])
    expect([en['worlds.runNow'], zh['worlds.runNow']]).toEqual(['Run now', '立即运行'])
    expect([en['page.activity'], zh['page.activity']]).toEqual(['Activity log', '活动日志'])
    expect([en['tasks.default'], zh['tasks.default']]).toEqual(['default', '默认'])
    expect([en['state.skipped'], zh['state.skipped']]).toEqual(['Nothing new', '没有新内容'])
    expect([en['state.awaitingApproval'], zh['state.awaitingApproval']]).toEqual(['Waiting for approval', '等待批准'])
    expect([en['phase.judging'], zh['phase.judging']]).toEqual(['Evaluating…', '评估中…'])
  })

  it('hold every text of the page: no part of it has words of its own', () => {
    const folder = join(import.meta.dirname, '../../src/web')
    const parts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
    const own = parts.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*[.…]?)\s*<\//g)].map(
        ([, words]) => `${name}: ${words}`,
      ),
    )
    expect(own).toEqual([])
    expect(parts.length).toBeGreaterThan(20)
  })
})

describe('filling in a text', () => {
  it('takes the form that goes with a number, and writes numbers as the language does', () => {
    expect(fill('{n} call|{n} calls', 'en-GB', { n: 1 })).toBe('1 call')
    expect(fill('{n} call|{n} calls', 'en-GB', { n: 12_000 })).toBe('12,000 calls')
    expect(fill('{n} 次调用', 'zh-CN', { n: 1 })).toBe('1 次调用')
  })

  it('takes what a fact says as it is', () => {
    expect(fill('“{title}” by {by}', 'en-GB', { title: '{by} | $& {title}', by: 'ada' })).toBe(
      '“{by} | $& {title}” by ada',
    )
    expect(fill('{constructor} {missing}', 'en-GB', {})).toBe('{constructor} {missing}')
  })
})

describe('a distance in time', () => {
  it.each([
    [0, 'now'],
    [-30_000, 'now'],
    [-60_000, '1 minute ago'],
    [-59 * 60_000, '1 hour ago'],
    [3 * 3_600_000, 'in 3 hours'],
    [14 * 86_400_000, 'in 14 days'],
  ])('of %d ms reads %s', (apart, words) => {
    expect(relativeTime(1_000_000_000_000 + apart, 1_000_000_000_000, 'en-GB')).toBe(words)
  })
})
