import { describe, expect, it } from 'vitest'
import { day, hour, minute } from '../../src/domain/clock.ts'
import { home, now } from './support/fake.ts'
import { row, skipped, status, task, tick } from './support/rows.ts'

describe('undermind status', () => {
  it('shows a fact a line', async () => {
    const { undermind, out } = home({ status: status() })
    expect(await undermind('status')).toBe(0)
    expect(out()).toBe(
      [
        'Workspace     /home/mina/notes',
        'Trust         trusted',
        'Running       yes',
        'Mode          simple',
        'Model         builtin',
        'Agent         none: no model is set under [models.cloud]',
        'Memory        resting, last tick 17:55 (5 min ago), next 18:05 (in 5 min), 12 ticks',
        'Tasks         4 tasks',
        'HEARTBEAT.md  3 tasks',
        'Waiting       1 card: undermind approvals',
        'Today         12 model calls (10 local, 2 cloud), 14,200 tokens, 0.03, 41 calls avoided',
        '',
      ].join('\n'),
    )
  })

  it('says what is wrong and what to do', async () => {
    const [world] = status().instances
    const it = home({
      status: status({
        trusted: false,
        pending_escalations: 0,
        heartbeat_file: { kind: 'noTask' },
        stalled: 'The disk is full.',
        dead_letters: 2,
        sources: [{ id: 'mail', title: 'Mail', health: 'failing', failure: 'No answer.' }],
        paused_tasks: [{ id: 'task_1', title: 'Check mail', why: 'Failed 6 times in a row.' }],
        instances: [
          {
            ...world,
            state: 'halted',
            halted_reason: 'Stopped by you',
            consecutive_failures: 3,
            failure_reason: 'Nobody answers.',
            next_tick_at: null,
          },
        ],
      }),
    })
    it.door.daemon = false
    await it.undermind('status')
    expect(it.out()).toContain('Trust         not trusted, nothing is written: undermind trust if it is yours')
    expect(it.out()).toContain('Running       no: undermind start')
    expect(it.out()).toContain('halted, Stopped by you, last tick 17:55 (5 min ago), 12 ticks, 3 failures in a row')
    expect(it.out()).toContain('HEARTBEAT.md  holds text but no task; a task is a list item')
    expect(it.out()).toContain('Waiting       nothing')
    expect(it.out()).toContain('Problem       Nothing can be saved just now: The disk is full.')
    expect(it.out()).toContain('Problem       Mail could not be read: No answer.')
    expect(it.out()).toContain('Problem       “Check mail” is paused: Failed 6 times in a row.')
    expect(it.out()).toContain('Problem       2 messages could not be delivered.')
  })

  it('gives programs worlds, tasks and pendingApprovals', async () => {
    const { undermind, out } = home({ status: status() })
    expect(await undermind('status', '--json')).toBe(0)
    expect(JSON.parse(out())).toMatchObject({
      worlds: [
        {
          id: 'memory',
          title: 'Memory',
          state: 'resting',
          lastTickAt: now - 5 * minute,
          totalTicks: 12,
          consecutiveFailures: 0,
        },
      ],
      tasks: 4,
      pendingApprovals: 1,
      running: true,
      heartbeatFile: { kind: 'read', tasks: 3 },
    })
  })
})

describe('undermind tick', () => {
  it('shows each evaluation with all of its text, folds skips, and sums up', async () => {
    const { undermind, out, door } = home({ trigger: { ticks: [tick()] } })
    expect(await undermind('tick')).toBe(0)
    expect(door.calls).toEqual([
      { method: 'subconscious.trigger', params: { kind: 'memory', force: false, wait: true } },
    ])
    expect(out()).toBe(
      [
        '● 18:00 acted  Tell me about urgent messages in the inbox',
        '    Urgent: the contract must be signed by 2 April',
        '    > Please sign by 2 April.',
        '    inbox/0003.eml · ev_1',
        '· 18:00 2 skipped: nothing new',
        '● 18:00 awaitingApproval  Tell me about urgent messages in the inbox',
        '    Waiting for approval',
        '    inbox/0003.eml · ev_card',
        'Tick done: 1 acted, 1 waiting for approval, 2 skipped (1 model call, 2 avoided, 412 ms).',
        'undermind approvals shows what waits for you.',
        '',
      ].join('\n'),
    )
  })

  it('gives programs one object of the agreed shape', async () => {
    const { undermind, out } = home({ trigger: { ticks: [tick()] } })
    await undermind('tick', '--json')
    const read = JSON.parse(out()) as Record<string, unknown>
    expect(read).toMatchObject({
      world: 'memory',
      tick: 'tick_memory_1',
      state: 'done',
      modelCalls: 1,
      durationMs: 412,
    })
    expect(read.evaluations).toHaveLength(4)
    expect((read.evaluations as unknown[])[0]).toEqual({
      id: 'ev_1',
      task: 'task_mail',
      title: 'Tell me about urgent messages in the inbox',
      state: 'acted',
      text: row().text,
      reason: 'A deadline is named',
      sources: row().sources,
    })
  })

  it('says that a quiet tick had nothing to judge, which is no failure', async () => {
    const quiet = tick({ state: 'quiet', evaluations: [], model_calls: 0, calls_avoided: 3, duration_ms: 4 })
    const { undermind, out } = home({ trigger: { ticks: [quiet] } })
    expect(await undermind('tick')).toBe(0)
    expect(out()).toBe('Tick quiet: nothing due has anything to judge (0 model calls, 3 avoided, 4 ms).\n')
  })

  it.each([
    ['failed', 1],
    ['timedOut', 1],
    ['cancelled', 1],
    ['superseded', 0],
  ])('ends a %s tick with %i, and gives its reason when it did not go well', async (state, code) => {
    const ended = tick({ state, reason: 'The model does not answer', evaluations: [], calls_avoided: 0 })
    const it = home({ trigger: { ticks: [ended] } })
    expect(await it.undermind('tick')).toBe(code)
    expect(it.out().includes(`Tick ${state}: The model does not answer`)).toBe(code === 1)
    expect(await it.undermind('tick', '--json')).toBe(code)
    expect(JSON.parse(it.out())).toMatchObject({ state })
  })

  it('asks for what is forced, and for each world', async () => {
    const it = home({ trigger: { ticks: [tick()] } })
    await it.undermind('tick', '--force', '--world', 'all', '--json')
    expect(it.door.calls[0]?.params).toEqual({ kind: 'all', force: true, wait: true })
    expect(JSON.parse(it.out())).toHaveLength(1)
  })
})

describe('undermind log', () => {
  const rows = [
    row(),
    skipped('ev_2'),
    skipped('ev_3'),
    skipped('ev_4', { tick: 'tick_memory_0', settled_at: now - day }),
    row({ id: 'ev_5', state: 'failed', text: null, failure: { code: 'model/down', message: 'The model is down.' } }),
    row({ id: 'ev_6', state: 'dismissed', reason: 'Expired unanswered', sources: [], settled_at: now - 2 * day }),
    row({ id: 'ev_7', state: 'inProgress', phase: 'analysing', settled_at: null, text: null, sources: [] }),
  ]

  it('shows the newest first, first lines only, with the skips of each tick folded', async () => {
    const { undermind, out } = home({ log_list: rows })
    expect(await undermind('log')).toBe(0)
    expect(out()).toBe(
      [
        '● 18:00 acted  Tell me about urgent messages in the inbox',
        '    Urgent: the contract must be signed by 2 April',
        '    > Please sign by 2 April.',
        '    inbox/0003.eml · ev_1',
        '· 18:00 2 skipped: nothing new',
        '· 2026-03-31 18:00 1 skipped: nothing new',
        '● 18:00 failed  Tell me about urgent messages in the inbox',
        '    The model is down.',
        '    inbox/0003.eml · ev_5',
        '● 2026-03-30 18:00 dismissed  Tell me about urgent messages in the inbox',
        '    Expired unanswered',
        '    ev_6',
        '● 17:59 inProgress  Tell me about urgent messages in the inbox',
        '    Analysing…',
        '    ev_7',
        '',
      ].join('\n'),
    )
  })

  it('shows each skip with its reason to who asks for one task or state', async () => {
    const it = home({ log_list: [skipped('ev_2')] })
    await it.undermind('log', '--task', 'task_mail', '--state', 'skipped', '--since', '2h', '--limit', '7')
    expect(it.door.calls[0]?.params).toEqual({ task: 'task_mail', state: 'skipped', since: now - 2 * hour, limit: 7 })
    expect(it.out()).toBe(
      '● 18:00 skipped  Tell me about urgent messages in the inbox\n    Nothing new\n    (Nothing urgent)\n    ev_2\n',
    )
  })

  it('gives programs every row, newest first', async () => {
    const { undermind, out } = home({ log_list: rows })
    await undermind('log', '--json')
    const read = JSON.parse(out()) as { id: string; createdAt: number }[]
    expect(read.map(({ id }) => id)).toEqual(['ev_1', 'ev_2', 'ev_3', 'ev_4', 'ev_5', 'ev_6', 'ev_7'])
    expect(read[0]).toMatchObject({ task: 'task_mail', state: 'acted', createdAt: now - minute, settledAt: now })
  })

  it('says so when there is nothing, and gives programs an empty list', async () => {
    const it = home({ log_list: [] })
    await it.undermind('log')
    expect(it.out()).toBe('There is nothing to show.\n')
    await it.undermind('log', '--json')
    expect(it.out()).toBe('[]\n')
  })
})

describe('undermind tasks', () => {
  it('lists them in columns, with or without saying list', async () => {
    const own = task({
      id: 'task_own',
      title: 'Pay the rent',
      source: 'user',
      intent: 'write',
      schedule: { kind: 'cron', expression: '0 9 1 * *' },
      schedule_text: 'cron 0 9 1 * *',
      next_run_at: now + 15 * hour,
    })
    const off = task({ id: 'task_off', title: 'Email Anna', asks_to_write: true, enabled: false })
    const it = home({ tasks_list: [task(), own, off, task({ id: 'task_stuck', paused: 'Failed 6 times' })] })
    expect(await it.undermind('tasks')).toBe(0)
    const listed = it.out()
    expect(listed).toBe(
      [
        'id          task                                                  intent  schedule        state   next',
        'task_mail   Tell me about urgent messages in the inbox [default]  read    every tick      on      next tick',
        'task_own    Pay the rent                                          write   cron 0 9 1 * *  on      2026-04-02 09:00',
        'task_off    Email Anna [default] [asks to write]                  read    every tick      off     -',
        'task_stuck  Tell me about urgent messages in the inbox [default]  read    every tick      paused  -',
        '',
      ].join('\n'),
    )
    await it.undermind('tasks', 'list')
    expect(it.out()).toBe(listed)
  })

  it('gives programs the agreed fields', async () => {
    const it = home({ tasks_list: [task()] })
    await it.undermind('tasks', 'list', '--json')
    expect(JSON.parse(it.out())).toMatchObject([
      {
        id: 'task_mail',
        title: 'Tell me about urgent messages in the inbox',
        source: 'system',
        intent: 'read',
        schedule: { kind: 'every-tick' },
        enabled: true,
        nextRunAt: null,
        inputs: [],
      },
    ])
  })

  it('adds one with everything that can be said of it', async () => {
    const it = home({ tasks_add: task({ title: 'Pay the rent', source: 'user' }) })
    const words = [
      '--schedule',
      'daily 09:00',
      '--intent',
      'write',
      '--input',
      'inbox/**',
      'notes/**',
      '--only-if-changed',
    ]
    expect(
      await it.undermind('tasks', 'add', 'Pay the rent', ...words, '--catch-up', 'skip', '--max-lateness', '90'),
    ).toBe(0)
    expect(it.door.calls).toEqual([
      {
        method: 'subconscious.tasks_add',
        params: {
          title: 'Pay the rent',
          schedule: 'daily 09:00',
          intent: 'write',
          inputs: ['inbox/**', 'notes/**'],
          only_if_changed: true,
          catch_up: 'skip',
          max_lateness_minutes: 90,
        },
      },
    ])
    expect(it.out()).toBe('Added: Pay the rent\n  task_mail · read · every tick · on, next at the next tick\n')
  })

  it('takes a schedule as JSON', async () => {
    const it = home({ tasks_add: task() })
    await it.undermind('tasks', 'add', 'x', '--schedule', '{"kind":"every","minutes":30}')
    expect(it.door.calls[0]?.params.schedule).toEqual({ kind: 'every', minutes: 30 })
  })

  it.each([
    [['edit', 'task_1', '--title', 'Pay'], 'tasks_update', { task: 'task_1', title: 'Pay' }, 'Changed'],
    [['edit', 'task_1', '--no-only-if-changed'], 'tasks_update', { task: 'task_1', only_if_changed: false }, 'Changed'],
    [['enable', 'task_1'], 'tasks_update', { task: 'task_1', enabled: true }, 'Enabled'],
    [['disable', 'task_1'], 'tasks_update', { task: 'task_1', enabled: false }, 'Disabled'],
    [['remove', 'task_1'], 'tasks_remove', { task: 'task_1' }, 'Removed'],
  ])('does %j', async (words, method, params, done) => {
    const it = home({ [method]: task() })
    expect(await it.undermind('tasks', ...words)).toBe(0)
    expect(it.door.calls).toEqual([{ method: `subconscious.${method}`, params }])
    expect(it.out().startsWith(`${done}: Tell me`)).toBe(true)
    await it.undermind('tasks', ...words, '--json')
    expect(JSON.parse(it.out())).toMatchObject({ id: 'task_mail' })
  })
})

describe('undermind goals', () => {
  const goal = { id: 'goal_1', text: 'Finish the thesis', created_at: now }

  it('lists them', async () => {
    const it = home({ goals_list: [goal] })
    await it.undermind('goals')
    expect(it.out()).toBe('id      goal\ngoal_1  Finish the thesis\n')
    await it.undermind('goals', '--json')
    expect(JSON.parse(it.out())).toEqual([{ id: 'goal_1', text: 'Finish the thesis', createdAt: now }])
  })

  it.each([
    [['add', 'Finish the thesis'], 'goals_add', { text: 'Finish the thesis' }, 'Added'],
    [['edit', 'goal_1', 'Finish it'], 'goals_update', { goal: 'goal_1', text: 'Finish it' }, 'Changed'],
    [['remove', 'goal_1'], 'goals_remove', { goal: 'goal_1' }, 'Removed'],
  ])('does %j', async (words, method, params, done) => {
    const it = home({ [method]: goal })
    expect(await it.undermind('goals', ...words)).toBe(0)
    expect(it.door.calls).toEqual([{ method: `subconscious.${method}`, params }])
    expect(it.out()).toBe(`${done}: Finish the thesis (goal_1)\n`)
  })
})

describe('the smaller commands', () => {
  it('pause and resume tell how each world is', async () => {
    const it = home({
      pause: { instances: [{ instance: 'memory', state: 'paused' }] },
      resume: { instances: [{ instance: 'memory', state: 'resting' }] },
    })
    await it.undermind('pause')
    expect(it.out()).toBe('memory is paused.\n')
    await it.undermind('resume', '--world', 'memory', '--json')
    expect(JSON.parse(it.out())).toEqual([{ id: 'memory', state: 'resting' }])
    expect(it.door.calls.map(({ params }) => params)).toEqual([{ kind: 'all' }, { kind: 'memory' }])
  })

  it('undo tells of every file', async () => {
    const it = home({
      undo: [
        { path: 'AGENDA.md', outcome: 'restored', copy: 'AGENDA.md.kept' },
        { path: 'new.md', outcome: 'removed', copy: null },
      ],
    })
    expect(await it.undermind('undo', 'ev_1', '--force')).toBe(0)
    expect(it.door.calls[0]?.params).toEqual({ evaluation: 'ev_1', force: true })
    expect(it.out()).toBe(
      'AGENDA.md is as it was before. What stood there is kept in AGENDA.md.kept.\nnew.md is gone again: there was none before.\n',
    )
  })

  const step = { version: 1, at: now, event: 'verdict', recorded: 'skipped', replayed: 'skipped' }

  it('replay ends with 0 when every step is the same', async () => {
    const it = home({ replay: [step] })
    expect(await it.undermind('replay', 'ev_1')).toBe(0)
    expect(it.out()).toBe(
      'step  time   event    was      replayed\n1     18:00  verdict  skipped  the same\nIt replays exactly.\n',
    )
  })

  it('replay ends with 1 when one is not, with --json too', async () => {
    const it = home({ replay: [step, { ...step, version: 2, replayed: 'acted' }] })
    expect(await it.undermind('replay', 'ev_1')).toBe(1)
    expect(it.out()).toContain('2     18:00  verdict  skipped  acted')
    expect(it.out()).toContain('It replays differently at 1 step: the chart has changed since.')
    expect(await it.undermind('replay', 'ev_1', '--json')).toBe(1)
    expect(JSON.parse(it.out())).toHaveLength(2)
  })

  it('doctor ends with 1 when something is not well, and says how to fix it', async () => {
    const well = { check: 'model', ok: true, found: 'built in', fix: null }
    const ill = { check: 'disk', ok: false, found: 'it is full', fix: 'Free some space.' }
    const it = home({ doctor: [well, ill] })
    expect(await it.undermind('doctor')).toBe(1)
    expect(it.out()).toBe('✓ model: built in\n✗ disk: it is full\n  → Free some space.\n1 problem found.\n')
    expect(await it.undermind('doctor', '--json')).toBe(1)
    expect(JSON.parse(it.out())).toEqual([well, ill])
    it.door.answers['subconscious.doctor'] = [well]
    expect(await it.undermind('doctor')).toBe(0)
  })

  it('diagram prints a chart, and names them all when asked for none', async () => {
    const it = home()
    await it.undermind('diagram', 'tick')
    expect(it.out()).toBe('stateDiagram-v2\n  [*] --> working\n')
    await it.undermind('diagram')
    expect(it.out()).toBe('tick\nevaluation\n')
    await it.undermind('diagram', 'tick', '--json')
    expect(JSON.parse(it.out())).toEqual({ name: 'tick', mermaid: 'stateDiagram-v2\n  [*] --> working' })
    await it.undermind('diagram', '--json')
    expect(Object.keys(JSON.parse(it.out()) as object)).toEqual(['tick', 'evaluation'])
  })

  it('show how a file, a title and an answer are understood, without opening a workspace', async () => {
    const it = home()
    await it.undermind('heartbeat', 'parse', '/x/HEARTBEAT.md', '--json')
    expect(JSON.parse(it.out())).toEqual(['a task of /x/HEARTBEAT.md'])
    await it.undermind('heartbeat', 'parse', '/x/HEARTBEAT.md')
    expect(it.out()).toBe('- a task of /x/HEARTBEAT.md\n')
    await it.undermind('decisions', 'parse', 'answer.txt', '--tasks', 't1, t2,,t3', '--json')
    expect(JSON.parse(it.out())).toEqual({ t1: 'skip', t2: 'failed', t3: 'failed' })
    it.io.stdin = 'Email the team\r\n\r\nReview my schedule\n'
    await it.undermind('tasks', 'intent', '--json')
    expect(JSON.parse(it.out())).toEqual(['write', 'read', 'read'])
    it.io.stdin = 'Pay the invoice'
    await it.undermind('tasks', 'intent')
    expect(it.out()).toBe('write  Pay the invoice\n')
    it.io.stdin = ''
    await it.undermind('tasks', 'intent', '--json')
    expect(it.out()).toBe('[]\n')
    expect(it.asked).toEqual([])
  })

  it('take a file from where the user is', async () => {
    const it = home()
    await it.undermind('heartbeat', 'parse', 'HEARTBEAT.md', '--json')
    expect(JSON.parse(it.out())).toEqual([`a task of ${it.parts.cwd}/HEARTBEAT.md`])
  })
})
