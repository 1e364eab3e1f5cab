import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../src/cli/width.ts'
import { home } from './support/fake.ts'
import { rejudged } from './support/rejudged.ts'

const asking = ['replay', 'ev_1', '--model', 'ollama:qwen3:4b']

describe('undermind replay with another model', () => {
  it('shows side by side what was decided and what that model decides', async () => {
    const it = home({ replay: rejudged() })
    expect(await it.undermind(...asking)).toBe(0)
    expect(it.door.calls).toEqual([
      { method: 'subconscious.replay', params: { evaluation: 'ev_1', model: 'ollama:qwen3:4b', analyse: false } },
    ])
    expect(it.out().replaceAll(/ {3,}/g, ' | ')).toBe(
      [
        'Tell me about urgent messages in the inbox',
        ' | then | now',
        'Judge | builtin | qwen3:4b (ollama)',
        'Decision | skip | act',
        'Reason | Nothing urgent | A deadline is named',
        'Text | The contract must be signed by 2 April',
        'Found in | inbox/0003.eml',
        'Became | skipped',
        '',
        'Judged on | 3 changes',
        'Used | 1 call, 940 tokens, 1.5 s',
        '',
      ].join('\n'),
    )
  })

  it('says plainly what is gone and what did not fit', async () => {
    const it = home({
      replay: rejudged({
        recorded: { provider: null, model: null, card: 'Sign the contract', state: 'awaitingApproval' },
        rejudged: { decision: null, failure: { code: 'model/no-verdict', message: 'It gave no decision.' } },
        changes: { missing: 2, left: 1 },
        used: { cost: 2_000_000 },
      }),
    })
    expect(await it.undermind(...asking)).toBe(0)
    expect(it.out()).toMatch(/Judge +no longer known +qwen3:4b \(ollama\)/)
    expect(it.out()).toMatch(/Decision +skip +none/)
    expect(it.out()).toMatch(/It gave no decision\./)
    expect(it.out()).toMatch(/Deeper +Sign the contract/)
    expect(it.out()).toMatch(/Gone +Of the changes of then, 2 are no longer kept\./)
    expect(it.out()).toMatch(/No room +1 change did not fit\./)
    expect(it.out()).toMatch(/940 tokens, 2\.00, 1\.5 s/)
  })

  it('has it look deeper when asked to, and shows what that came to', async () => {
    const analysis = { kind: 'proposal', title: 'Sign it', text: 'It is due.', calls: [] }
    const it = home({ replay: rejudged({ rejudged: { decision: 'escalate', analysis } }) })
    await it.undermind(...asking, '--analyse')
    expect(it.door.calls[0]?.params).toMatchObject({ analyse: true })
    expect(it.out()).toMatch(/Deeper +Sign it\n +It is due\./)
  })

  it('gives programs one object, with what more there is', async () => {
    const it = home({ replay: rejudged() })
    expect(await it.undermind(...asking, '--json')).toBe(0)
    expect(JSON.parse(it.out())).toMatchObject({
      recorded: { decision: 'skip' },
      rejudged: { decision: 'act', route: 'local' },
      used: { promptTokens: 900 },
    })
  })

  it('fits the terminal', async () => {
    const long = 'word '.repeat(60)
    const it = home({ replay: rejudged({ title: long, recorded: { reason: long }, rejudged: { text: long } }) })
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    for (const columns of [60, 80, 120]) {
      it.io.columns = columns
      await it.undermind(...asking)
      for (const line of it.out().split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
    }
  })

  it('does not look deeper without a model that does', async () => {
    const it = home({ replay: [] })
    expect(await it.undermind('replay', 'ev_1', '--analyse')).toBe(2)
    expect(it.err()).toContain('--model')
    expect(it.door.calls).toEqual([])
  })
})
