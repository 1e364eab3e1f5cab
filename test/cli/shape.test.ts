import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../src/cli/width.ts'
import { wrap } from '../../src/cli/wrap.ts'
import { home } from './support/fake.ts'
import { card, row, skipped, status, task, tick } from './support/rows.ts'

const long =
  '检查收件箱里有没有紧急邮件，如果有就告诉我是谁发的 and please mention every deadline 👩‍👩‍👧 that is named in it'

const filled = () =>
  home({
    status: status({ workspace: `/home/mina/${'x'.repeat(60)}/notes` }),
    trigger: { ticks: [tick({ evaluations: tick().evaluations.map((one) => ({ ...one, title: long, text: long })) })] },
    log_list: [row({ title: long, text: long }), skipped('ev_2'), row({ state: 'failed' })],
    tasks_list: [task({ id: 'task_01h2x9abcdefghjkmnpq', title: long }), task()],
    escalations_list: [card({ title: long, task_title: long, id: 'ev_01h2x9abcdefghjkmnpq' })],
    escalations_get: card({ title: long, summary: long, task_title: long }),
    doctor: [{ check: 'model', ok: false, found: long, fix: long }],
  })

const lines = ['status', 'tick', 'log', 'tasks', 'approvals', 'approvals show x', 'doctor', 'stauts']

const esc = '\u001B'

describe('a terminal', () => {
  it.each(lines)('gets no line of %s that is wider than it, counting wide characters', async (line) => {
    for (const columns of [72, 80, 100, 140]) {
      const it = filled()
      it.io.isTTY = true
      it.io.columns = columns
      await it.undermind(...line.split(' '))
      const shown = stripVTControlCharacters(it.out() + it.err()).split('\n')
      for (const one of shown) {
        // Commands are there to be copied, and the code of an error stands behind its last line.
        if (/undermind (-w|approvals)|\[cli\//.test(one)) continue
        expect(displayWidth(one), one).toBeLessThanOrEqual(columns)
      }
    }
  })

  it('gets colours, unless it says no', async () => {
    const it = filled()
    it.io.isTTY = true
    await it.undermind('log')
    expect(it.out()).toContain('\u001B[32m●')
    expect(it.out()).toContain('\u001B[91m●')
    for (const [env, more] of [
      [{ NO_COLOR: '1' }, []],
      [{ TERM: 'dumb' }, []],
      [{}, ['--no-color']],
    ] as const) {
      const plain = filled()
      plain.io.isTTY = true
      Object.assign(plain.env, env)
      await plain.undermind('log', ...more)
      expect(plain.out()).not.toContain('\u001B')
    }
  })

  it('gets the dot of each state in its colour', async () => {
    const it = home({
      log_list: [
        'inProgress',
        'acted',
        'skipped',
        'awaitingApproval',
        'failed',
        'cancelled',
        'superseded',
        'dismissed',
      ].map((state) => row({ state, reason: null, text: null, sources: [] })),
    })
    it.io.isTTY = true
    await it.undermind('log', '--task', 'task_mail')
    const dots = [...it.out().matchAll(new RegExp(`${esc}\\[(\\d+)m●`, 'g'))].map(([, colour]) => colour)
    expect(dots).toEqual(['34', '32', '90', '33', '91', '90', '90', '90'])
    const texts = stripVTControlCharacters(it.out())
      .split('\n')
      .filter((line) => line.startsWith('    ') && !line.includes('ev_1'))
    expect(texts.map((text) => text.trim())).toEqual([
      'Evaluating…',
      'Done',
      'Nothing new',
      'Waiting for approval',
      'Failed',
      'Cancelled',
      'Superseded',
      'Skipped',
    ])
  })

  it('is told that something goes on, on standard error', async () => {
    const it = filled()
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    await it.undermind('tick')
    expect(it.err()).toMatch(/^Looking…\r +\r$/)
    await it.undermind('tick', '--json')
    expect(it.err()).toBe('')
  })

  it('gets errors and questions in grey where they are no result', async () => {
    const it = filled()
    it.io.isTTY = true
    await it.undermind('stauts')
    expect(it.err()).toContain('\u001B[90m[cli/wrong-use]\u001B[39m')
    await it.undermind('stauts', '--no-color')
    expect(it.err()).not.toContain('\u001B')
  })

  it('gets JSON that a person can read; a pipe gets it on one line', async () => {
    const it = filled()
    await it.undermind('status', '--json')
    expect(it.out().trimEnd()).not.toContain('\n')
    it.io.isTTY = true
    await it.undermind('status', '--json')
    expect(it.out().split('\n').length).toBeGreaterThan(10)
    expect(it.out()).not.toContain('\u001B')
  })
})

describe('a pipe', () => {
  it('gets no colours and no broken lines', async () => {
    const it = filled()
    it.io.columns = 40
    await it.undermind('log')
    expect(it.out()).not.toContain('\u001B')
    expect(it.out()).toContain(long)
  })
})

describe('a long list', () => {
  it('of thousands of tasks takes no longer than its length', async () => {
    const it = home({ tasks_list: Array.from({ length: 4000 }, (_, at) => task({ id: `task_${at}`, title: long })) })
    it.io.isTTY = true
    expect(await it.undermind('tasks')).toBe(0)
    expect(it.out()).toContain('task_3999')
  }, 5000)
})

describe('width', () => {
  it.each([
    ['abc', 3],
    ['检查', 4],
    ['ｆｕｌｌ', 8],
    ['한국', 4],
    ['ｶﾅ', 2],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['❤', 1],
    ['🇩🇪', 2],
    ['한', 2],
    ['é', 1],
    ['● — “', 5],
    ['', 0],
  ])('of %s is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})

describe('wrap', () => {
  it('breaks between words, between wide characters, and within what is too long', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
    expect(wrap('检查收件箱里有没有', 10)).toEqual(['检查收件箱', '里有没有'])
    expect(wrap('a 检查收件箱', 10)).toEqual(['a 检查收件', '箱'])
    expect(wrap('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
    expect(wrap('one\n\ntwo', 10)).toEqual(['one', '', 'two'])
    expect(wrap('', 10)).toEqual([''])
  })

  it('keeps every character but spaces, and every line within its width', () => {
    const unit = fc.constantFrom(
      'a',
      'bc',
      ' ',
      '  ',
      '检',
      '👩‍👩‍👧',
      'e\u0301',
      '\n',
      '-',
      'long-word-that-does-not-fit',
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 10, max: 40 }), (units, width) => {
        const text = units.join('')
        const lines = wrap(text, width)
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  it('ends quickly for a text of a megabyte', () => {
    expect(wrap('检 a'.repeat(100_000), 80).length).toBeGreaterThan(1000)
  })
})
