import { describe, expect, it } from 'vitest'
import type { EvalRequest, EvalView, EvalWatch, RatioView, ScoreView } from '../../src/cli/eval-view.ts'
import { displayWidth } from '../../src/cli/width.ts'
import { cwd, home } from './support/fake.ts'

const of = (hits: number, all: number): RatioView => ({
  hits,
  of: all,
  share: all === 0 ? null : hits / all,
  low: 0.25,
  high: 0.75,
})

const score = (given: Partial<ScoreView> = {}): ScoreView => ({
  cases: 4,
  right: of(2, 4),
  precision: of(3, 4),
  urgent: of(1, 2),
  falseSkips: of(1, 3),
  needlessEscalations: of(0, 2),
  wrongActs: of(1, 1),
  escalations: of(0, 4),
  proposals: of(0, 0),
  needlessProposals: of(0, 0),
  failed: 0,
  ...given,
})

const view = (given: Partial<EvalView> = {}): EvalView => ({
  provider: 'builtin',
  model: 'builtin',
  cases: 4,
  batch: 1,
  analysed: false,
  stopped: null,
  total: score(),
  kinds: [{ kind: 'spam', score: score({ cases: 1, urgent: of(0, 0), precision: of(0, 0) }) }],
  languages: [{ lang: 'zh', score: score({ cases: 3 }) }],
  cost: {
    calls: 5,
    repairs: 1,
    unreadable: 0,
    promptTokens: 900,
    completionTokens: 40,
    totalMs: 1500,
    medianMs: 20,
    p95Ms: 300,
  },
  failures: [
    {
      id: 'prize-draw',
      kind: 'spam',
      title: 'Anything important?',
      mistakes: ['wrong act'],
      decision: 'act',
      keys: ['inbox/1.eml'],
      said: 'You won!\u001b[2J',
      expected: ['skip'],
      must: [],
      why: 'It is phishing.',
    },
  ],
  ...given,
})

/** A home whose evaluation comes to this, and what it was asked. */
function evaluating(result: EvalView | ((watch: EvalWatch) => Promise<EvalView>) = view()) {
  const it = home()
  const requests: EvalRequest[] = []
  it.parts.eval = async (request, watch) => {
    requests.push(request)
    return typeof result === 'function' ? await result(watch) : result
  }
  return { it, requests }
}

describe('undermind eval', () => {
  it('shows a row for each kind and language, and everything together with its range', async () => {
    const { it } = evaluating()
    expect(await it.undermind('eval')).toBe(0)
    const lines = it.out().split('\n')
    expect(lines.slice(0, 4).map((line) => line.split(/\s{2,}/))).toEqual([
      ['kind', 'cases', 'right', 'precise', 'urgent', 'missed', 'asked', 'acted'],
      ['spam', '1', '50 %', '–', '–', '1/3', '0/2', '1/1'],
      ['in zh', '3', '50 %', '75 %', '1/2', '1/3', '0/2', '1/1'],
      ['all', '4', '50 %', '75 %', '1/2', '1/3', '0/2', '1/1'],
    ])
    expect(it.out()).toMatch(/Right +2 of 4, 50 % \(25 to 75 %\)/)
    expect(it.out()).toMatch(/Tokens +900 of prompts, 40 of answers/)
    expect(it.out()).toMatch(/Time +1\.5 s; a call 20 ms, 95 of 100 within 300 ms/)
    expect(it.out()).not.toContain('prize-draw')
    expect(it.err()).toBe('')
  })

  it('is asked for nothing in particular, or for what the words say', async () => {
    const { it, requests } = evaluating()
    await it.undermind('eval')
    await it.undermind(...'eval --model ollama:qwen3:4b --cases a.json /b.json --only spam'.split(' '))
    await it.undermind(...'eval --limit 3 --batch 8 --analyse -w /elsewhere'.split(' '))
    const judging = { model: null, workspace: cwd, isNamed: false }
    const plain = { ...judging, files: [], kind: null, limit: null, batch: 1, analyse: false }
    expect(requests).toEqual([
      plain,
      { ...plain, model: 'ollama:qwen3:4b', files: [`${cwd}/a.json`, '/b.json'], kind: 'spam' },
      { ...plain, limit: 3, batch: 8, analyse: true, workspace: '/elsewhere', isNamed: true },
    ])
  })

  it.each(['--batch 0', '--batch many', '--limit 0', '--limit -3', 'now'])('does not take %s', async (words) => {
    const { it, requests } = evaluating()
    expect(await it.undermind('eval', ...words.split(' '))).toBe(2)
    expect(requests).toEqual([])
  })

  it('gives programs one object, without what went on', async () => {
    const { it } = evaluating(async (watch) => {
      watch.onProgress(1, 4)
      return view()
    })
    it.io.isTTY = true
    expect(await it.undermind('eval', '--json')).toBe(0)
    expect(JSON.parse(it.out())).toEqual(view())
    expect(it.err()).toBe('')
  })

  it('lists what went wrong when asked, and lets no text steer the terminal', async () => {
    const { it } = evaluating()
    await it.undermind('eval', '--failures')
    expect(it.out()).toContain(
      [
        'prize-draw [spam]: wrong act',
        '    Task: Anything important?',
        '    Wanted: skip. It is phishing.',
        '    Said: act (inbox/1.eml). You won!⟨U+001B⟩[2J',
        '',
      ].join('\n'),
    )
  })

  it('shows a person how far it is, and takes it away again', async () => {
    const { it } = evaluating(async (watch) => {
      watch.onProgress(1, 4)
      watch.onProgress(2, 4)
      return view()
    })
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    await it.undermind('eval')
    expect(it.err()).toMatch(/^\r1 of 4 judged\r2 of 4 judged\r +\r$/)
    it.io.isTTY = false
    await it.undermind('eval')
    expect(it.err()).toBe('')
  })

  it('ends at Ctrl-C with what there is by then', async () => {
    const { it } = evaluating(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () =>
            resolve(view({ stopped: 'You stopped it.', total: score({ cases: 2 }) })),
          )
          setImmediate(() => it.interrupt())
        }),
    )
    expect(await it.undermind('eval')).toBe(0)
    expect(it.out()).toMatch(/Cases +2 of 4/)
    expect(it.out()).toMatch(/Ended early +You stopped it\./)
  })

  it('fits the terminal', async () => {
    const { it } = evaluating()
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    for (const columns of [72, 80, 120]) {
      it.io.columns = columns
      await it.undermind('eval', '--failures')
      for (const line of it.out().split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
    }
  })

  it('needs no workspace', async () => {
    const { it } = evaluating()
    await it.undermind('eval')
    expect(it.asked).toEqual([])
  })
})
