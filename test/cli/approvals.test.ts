import { describe, expect, it } from 'vitest'
import { day } from '../../src/domain/clock.ts'
import { Fault } from '../../src/domain/errors.ts'
import { home, now } from './support/fake.ts'
import { card, row } from './support/rows.ts'

const own = (given: Record<string, unknown> = {}) =>
  card({ external: false, provenance: [{ source: 'folder', key: 'notes.md', external: false }], ...given })

const done = { evaluation: 'ev_card', state: 'approved', outcome: row({ id: 'ev_card', text: 'Appended 30 bytes.' }) }

describe('undermind approvals', () => {
  const cards = [
    card(),
    own({ id: 'ev_unknown', kind: 'unknown', priority: 'critical' }),
    own({ id: 'ev_b1', bundled: true }),
    own({ id: 'ev_b2', bundled: true }),
  ]

  it('lists what waits with its targets, folds the rest of a full day, and says how to answer', async () => {
    const it = home({ escalations_list: cards })
    expect(await it.undermind('approvals')).toBe(0)
    expect(it.door.calls[0]?.params).toEqual({ state: 'open', limit: 100 })
    expect(it.out()).toBe(
      [
        '● ev_card  important · external content took part · expires 2026-04-15 18:00 (in 14 days)',
        '  Note dates from the inbox in the agenda',
        '  append_file → AGENDA.md',
        '  The model: Note the date of the contract',
        '',
        '● ev_unknown  critical · expires 2026-04-15 18:00 (in 14 days)',
        '  Note dates from the inbox in the agenda',
        '  append_file → AGENDA.md',
        '  It may have happened already.',
        '  The model: Note the date of the contract',
        '',
        '2 more cards of a full day: undermind approvals --bundled',
        '',
        'undermind approvals show ev_card',
        'undermind approvals approve ev_card',
        'undermind approvals dismiss ev_card',
        '',
      ].join('\n'),
    )
    await it.undermind('approvals', '--bundled')
    expect(it.out()).toContain('ev_b2')
  })

  it('gives programs every card, with the arguments under the names that the tool has for them', async () => {
    const call = { tool: 'http_post', arguments: { content_type: 'x', nested_value: { a_b: 1 } } }
    const it = home({ escalations_list: [card({ calls: [call] }), own({ id: 'ev_b1', bundled: true })] })
    await it.undermind('approvals', 'list', '--json')
    const read = JSON.parse(it.out()) as Record<string, unknown>[]
    expect(read).toHaveLength(2)
    expect(read[0]).toMatchObject({ id: 'ev_card', taskTitle: card().task_title, expiresAt: now + 14 * day })
    expect(read[0]?.calls).toEqual([call])
  })

  it('lists answered ones when asked to, with who answered', async () => {
    const it = home({
      escalations_list: [card({ state: 'approved', answered_at: now, answered_by: 'mina' }), own({ state: 'expired' })],
    })
    await it.undermind('approvals', 'list', '--all', '--limit', '3')
    expect(it.door.calls[0]?.params).toEqual({ state: 'all', limit: 3 })
    expect(it.out()).toContain('approved by mina, 18:00 (just now)')
    expect(it.out()).not.toContain('undermind approvals approve')
  })

  it('says that nothing waits', async () => {
    const it = home({ escalations_list: [] })
    await it.undermind('approvals')
    expect(it.out()).toBe('Nothing waits for you.\n')
    await it.undermind('approvals', '--json')
    expect(it.out()).toBe('[]\n')
  })
})

describe('undermind approvals show', () => {
  it('shows what would be done from data first, then what led to it, then the words of the model as such', async () => {
    const it = home({ escalations_get: card() })
    expect(await it.undermind('approvals', 'show', 'ev_card')).toBe(0)
    expect(it.out()).toBe(
      [
        '● ev_card  important · external content took part · expires 2026-04-15 18:00 (in 14 days)',
        '  Task: Note dates from the inbox in the agenda',
        '',
        'What would be done',
        '  1. append_file → AGENDA.md',
        '     path:',
        '    │ AGENDA.md',
        '     text:',
        '    │ - 2 April: sign the contract',
        '',
        'What led to it',
        '  inbox/0003.eml (external)',
        '    │ Please sign by 2 April.',
        '',
        "In the model's words",
        '    │ Note the date of the contract',
        '    │ The mail names 2 April; the agenda does not have it.',
        '',
        'Digest d1',
        '',
        'undermind approvals approve ev_card',
        'undermind approvals dismiss ev_card',
        '',
      ].join('\n'),
    )
  })

  it('asks about an interrupted action whether it happened', async () => {
    const it = home({ escalations_get: card({ kind: 'unknown' }) })
    await it.undermind('approvals', 'show', 'ev_card')
    expect(it.out()).toContain('This may have happened already')
    expect(it.out()).toContain('undermind approvals resolve ev_card --not-happened')
    expect(it.out()).not.toContain('undermind approvals approve')
  })

  it('offers no answer to a card that has one', async () => {
    const it = home({ escalations_get: card({ state: 'dismissed', answered_at: now, answered_by: 'user' }) })
    await it.undermind('approvals', 'show', 'ev_card')
    expect(it.out()).toContain('dismissed by user')
    expect(it.out()).not.toContain('undermind approvals dismiss')
  })

  it('gives programs the card', async () => {
    const it = home({ escalations_get: card() })
    await it.undermind('approvals', 'show', 'ev_card', '--json')
    expect(JSON.parse(it.out())).toMatchObject({ id: 'ev_card', digest: 'd1', callsShown: card().calls_shown })
  })
})

describe('undermind approvals approve', () => {
  it('shows a person the card and sends the digest that it has shown', async () => {
    const it = home({ escalations_get: card(), escalations_approve: done })
    it.io.isTTY = true
    it.env.NO_COLOR = '1'
    expect(await it.undermind('approvals', 'approve', 'ev_card')).toBe(0)
    expect(it.out()).toContain('What would be done\n  1. append_file → AGENDA.md')
    expect(it.out()).toContain('acted')
    expect(it.out()).toContain('Appended 30 bytes.')
    expect(it.door.calls[1]).toEqual({
      method: 'subconscious.escalations_approve',
      params: { id: 'ev_card', digest: 'd1', by: 'cli', wait: true },
    })
  })

  it('sends the digest that it was given, and reads no card then', async () => {
    const it = home({ escalations_approve: done })
    await it.undermind('approvals', 'approve', 'ev_card', '--digest', 'seen', '--json')
    expect(it.door.calls.map(({ params }) => params.digest)).toEqual(['seen'])
    expect(JSON.parse(it.out())).toMatchObject({
      evaluation: 'ev_card',
      state: 'approved',
      outcome: { state: 'acted' },
    })
  })

  it('takes the present digest where no person looks on', async () => {
    const it = home({ escalations_get: card({ digest: 'd7' }), escalations_approve: done })
    await it.undermind('approvals', 'approve', 'ev_card', '--json')
    expect(it.door.calls[1]?.params.digest).toBe('d7')
  })

  it.each(['failed', 'awaitingApproval', 'cancelled'])('ends with 1 when what was approved ended %s', async (state) => {
    const it = home({
      escalations_get: card(),
      escalations_approve: { ...done, outcome: row({ state, failure: null }) },
    })
    expect(await it.undermind('approvals', 'approve', 'ev_card')).toBe(1)
    expect(await it.undermind('approvals', 'approve', 'ev_card', '--json')).toBe(1)
  })

  it('replaces the arguments that are edited and keeps the others', async () => {
    const it = home({ escalations_get: card(), escalations_approve: done })
    await it.undermind('approvals', 'approve', 'ev_card', '--edit', '{"text":"- 2 April: the contract"}')
    expect(it.door.calls[1]?.params.calls).toEqual([
      { tool: 'append_file', arguments: { path: 'AGENDA.md', text: '- 2 April: the contract' } },
    ])
  })

  it('takes calls as a whole', async () => {
    const it = home({ escalations_get: card(), escalations_approve: done })
    const calls = [{ tool: 'notify', arguments: { text: 'hello' } }]
    await it.undermind('approvals', 'approve', 'ev_card', '--edit', JSON.stringify(calls), '--digest', 'seen')
    expect(it.door.calls[1]?.params).toMatchObject({ calls, digest: 'seen' })
  })

  it.each(['{', '"words"', '[]', '[{"tool":1}]', 'null', '3'])(
    'refuses the edit %s before anything is approved',
    async (edit) => {
      const it = home({ escalations_get: card() })
      expect(await it.undermind('approvals', 'approve', 'ev_card', '--edit', edit, '--json')).toBe(2)
      expect(JSON.parse(it.err())).toMatchObject({ error: { code: 'cli/edit-invalid' } })
      expect(it.out()).toBe('')
    },
  )

  it('wants all calls of a card that has several', async () => {
    const calls = [...card().calls, { tool: 'notify', arguments: {} }]
    const it = home({ escalations_get: card({ calls }) })
    expect(await it.undermind('approvals', 'approve', 'ev_card', '--edit', '{"text":"x"}')).toBe(2)
    expect(it.err()).toContain('This card has 2 calls.')
  })

  it('answers the others when one of several fails, and ends as that one', async () => {
    const it = home({
      escalations_get: ({ id }: { id: string }) => card({ id }),
      escalations_approve: ({ id }: { id: string }) => {
        if (id === 'ev_1') throw new Fault('approval/answered', 'This card was expired.', { id })
        return { ...done, evaluation: id }
      },
    })
    expect(await it.undermind('approvals', 'approve', 'ev_1', 'ev_2', 'ev_2', '--json')).toBe(1)
    expect(JSON.parse(it.out())).toMatchObject([
      { evaluation: 'ev_1', error: { code: 'approval/answered', message: 'This card was expired.' } },
      { evaluation: 'ev_2', state: 'approved' },
    ])
    expect(it.err()).toBe('')
    await it.undermind('approvals', 'approve', 'ev_1', 'ev_2')
    expect(it.err()).toBe('ev_1: This card was expired. [approval/answered]\n')
    expect(it.out()).toContain('Appended 30 bytes.')
  })

  it('with --all leaves alone what nobody has looked at, and says so', async () => {
    const cards = [
      card({ id: 'ev_mail' }),
      own({ id: 'ev_own', digest: 'd_own' }),
      own({ id: 'ev_again', kind: 'unknown' }),
      own({ id: 'ev_allow', kind: 'confirmWrite' }),
    ]
    const it = home({ escalations_list: cards, escalations_approve: { ...done, evaluation: 'ev_own' } })
    expect(await it.undermind('approvals', 'approve', '--all')).toBe(0)
    const approved = it.door.calls.filter(({ method }) => method.endsWith('approve'))
    expect(approved.map(({ params }) => [params.id, params.digest])).toEqual([['ev_own', 'd_own']])
    expect(it.out()).toContain('3 cards left for you to look at and to name:\n  ev_mail: external content took part\n')
    await it.undermind('approvals', 'approve', '--all', '--json')
    expect(JSON.parse(it.out())).toMatchObject([
      { evaluation: 'ev_own', state: 'approved' },
      { evaluation: 'ev_mail', state: 'open', left: 'external content took part' },
      { evaluation: 'ev_again', left: 'it may have happened already' },
      { evaluation: 'ev_allow', left: 'it gives a lasting permission' },
    ])
  })

  it('with --all shows a person each card before it is approved', async () => {
    const it = home({ escalations_list: [own()], escalations_approve: done })
    it.io.isTTY = true
    await it.undermind('approvals', 'approve', '--all', '--no-color')
    expect(it.out().indexOf('What would be done')).toBeGreaterThan(-1)
    expect(it.out().indexOf('What would be done')).toBeLessThan(it.out().indexOf('Appended'))
  })

  it('approves an external card that was named among several', async () => {
    const it = home({
      escalations_get: ({ id }: { id: string }) => card({ id }),
      escalations_approve: ({ id }: { id: string }) => ({ ...done, evaluation: id }),
    })
    expect(await it.undermind('approvals', 'approve', 'ev_1', 'ev_2')).toBe(0)
    expect(it.door.calls.filter(({ method }) => method.endsWith('approve'))).toHaveLength(2)
  })

  it.each([
    [[]],
    [['ev_1', '--all']],
    [['ev_1', 'ev_2', '--digest', 'd']],
    [['--all', '--digest', 'd']],
    [['ev_1', 'ev_2', '--edit', '{}']],
  ])('does not guess what %j means', async (words) => {
    const it = home()
    expect(await it.undermind('approvals', 'approve', ...words)).toBe(2)
    expect(it.door.calls).toEqual([])
  })
})

describe('the other answers', () => {
  it('dismiss skips each card that is named', async () => {
    const it = home({
      escalations_dismiss: ({ id }: { id: string }) => ({ evaluation: id, state: 'dismissed' }),
    })
    expect(await it.undermind('approvals', 'dismiss', 'ev_1', 'ev_2')).toBe(0)
    expect(it.out()).toBe('ev_1 is skipped. Nothing was done.\nev_2 is skipped. Nothing was done.\n')
    await it.undermind('approvals', 'dismiss', 'ev_1', '--json')
    expect(JSON.parse(it.out())).toEqual({ evaluation: 'ev_1', state: 'dismissed' })
    expect(it.door.calls[0]?.params).toEqual({ id: 'ev_1', by: 'cli' })
  })

  it.each([
    [
      ['respond', 'ev_1', 'Only the first'],
      'respond',
      { id: 'ev_1', text: 'Only the first', by: 'cli' },
      'thought over again',
    ],
    [['resolve', 'ev_1', '--happened'], 'resolve', { id: 'ev_1', happened: true, by: 'cli' }, 'marked as done'],
    [['resolve', 'ev_1', '--not-happened'], 'resolve', { id: 'ev_1', happened: false, by: 'cli' }, 'did not happen'],
    [['retry', 'ev_1'], 'retry', { id: 'ev_1' }, 'waits for your answer'],
  ])('does %j', async (words, method, params, said) => {
    const it = home({ [`escalations_${method}`]: { evaluation: 'ev_2' } })
    expect(await it.undermind('approvals', ...words)).toBe(0)
    expect(it.door.calls).toEqual([{ method: `subconscious.escalations_${method}`, params }])
    expect(it.out()).toContain(`ev_2`)
    expect(it.out()).toContain(said)
    await it.undermind('approvals', ...words, '--json')
    expect(JSON.parse(it.out())).toEqual({ evaluation: 'ev_2' })
  })

  it('resolve does not guess, nor take both', async () => {
    const it = home()
    expect(await it.undermind('approvals', 'resolve', 'ev_1')).toBe(2)
    expect(it.err()).toContain('--happened or --not-happened')
    expect(await it.undermind('approvals', 'resolve', 'ev_1', '--happened', '--not-happened')).toBe(2)
    expect(it.door.calls).toEqual([])
  })
})
