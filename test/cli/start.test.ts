import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import type { EvaluationState } from '../../src/domain/evaluation.ts'
import { type EvaluationId, id, type TaskId, type TickId, type WorldId } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { type Answers, cwd, type Home, home } from './support/fake.ts'
import { card, row, skipped, status, task } from './support/rows.ts'

const tickId = id<TickId>('tick_memory_1')

const evaluation = (of: string, state: EvaluationState): News => ({
  type: 'evaluation',
  id: id<EvaluationId>(of),
  task: id<TaskId>('task_mail'),
  tick: tickId,
  state,
  phase: null,
})
const tickEnds = (state: string): News => ({ type: 'tick', id: tickId, world: id<WorldId>('memory'), state })

const answers = (given: Answers = {}): Answers => ({
  status: status(),
  log_list: ({ since }: { since?: number }) =>
    since === undefined
      ? [row(), skipped('ev_2'), skipped('ev_3'), row({ id: 'ev_card', state: 'awaitingApproval', sources: [] })]
      : [],
  escalations_get: card(),
  ...given,
})

/** Lets everything that is under way come to rest. */
const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate()
}

/** Starts, lets things happen, interrupts. */
const started = async (it: Home, happen: () => void, ...argv: string[]): Promise<number> => {
  const ended = it.undermind('start', ...argv)
  await rest()
  happen()
  await rest()
  it.interrupt()
  return ended
}

const headOf = (workspace: string, command: string): string =>
  [
    'undermind 0.1.0',
    `Workspace     ${workspace}`,
    'Trust         trusted',
    'Model         builtin',
    'Tasks         4 tasks, 1 card waiting for you',
    'Next tick     18:05 (in 5 min)',
    `Elsewhere     ${command}`,
    'Stop          Ctrl-C',
    '',
    '',
  ].join('\n')
const farewell = 'Stopped. Nothing is lost: what was in hand goes on at the next start.\n'

describe('undermind start', () => {
  it('says where it runs, shows each evaluation as it happens, folds skips, and stops with one line', async () => {
    const it = home(answers())
    const code = await started(it, () =>
      it.door.emit(
        evaluation('ev_1', 'inProgress'),
        evaluation('ev_2', 'skipped'),
        evaluation('ev_1', 'acted'),
        evaluation('ev_3', 'skipped'),
        evaluation('ev_card', 'awaitingApproval'),
        tickEnds('done'),
      ),
    )
    expect(code).toBe(0)
    expect(it.out()).toBe(
      [
        `${headOf(cwd, 'undermind status')}● 18:00 acted  Tell me about urgent messages in the inbox`,
        '    Urgent: the contract must be signed by 2 April',
        '    > Please sign by 2 April.',
        '    inbox/0003.eml · ev_1',
        '● 18:00 awaitingApproval  Tell me about urgent messages in the inbox',
        '    Waiting for approval',
        '    ev_card',
        '    append_file → AGENDA.md',
        '    The model: Note the date of the contract',
        '    › undermind approvals show ev_card',
        '    › undermind approvals approve ev_card',
        '    › undermind approvals dismiss ev_card',
        '· 18:00 2 skipped: nothing new',
        farewell,
      ].join('\n'),
    )
    expect(it.asked).toEqual([`serve ${cwd} {}`, 'stop'])
    expect(it.door.listeners).toBe(0)
  })

  it('reads the rows of much news in one call', async () => {
    const it = home(answers())
    await started(it, () => it.door.emit(evaluation('ev_1', 'acted'), evaluation('ev_2', 'skipped')))
    expect(it.door.calls.filter(({ method, params }) => method.endsWith('log_list') && !params.since)).toHaveLength(1)
  })

  it('tells of nothing twice, and of an evaluation again when it has gone on', async () => {
    let state = 'awaitingApproval'
    const it = home(answers({ log_list: () => [row({ id: 'ev_card', state })] }))
    await started(it, () => {
      it.door.emit(evaluation('ev_card', 'awaitingApproval'), evaluation('ev_card', 'awaitingApproval'))
    })
    expect(it.out().split('● ')).toHaveLength(2)
    const again = home(answers({ log_list: () => [row({ id: 'ev_card', state })] }))
    const ended = again.undermind('start')
    await rest()
    again.door.emit(evaluation('ev_card', 'awaitingApproval'))
    await rest()
    again.door.emit(evaluation('ev_card', 'inProgress'))
    await rest()
    state = 'acted'
    again.door.emit(evaluation('ev_card', 'acted'))
    await rest()
    again.interrupt()
    await ended
    expect(again.out()).toContain('● 18:00 awaitingApproval')
    expect(again.out()).toContain('● 18:00 acted')
  })

  it('shows what happened before it could listen', async () => {
    const rows = [row(), skipped('ev_2')]
    const it = home(answers({ log_list: ({ since }: { since?: number }) => (since === undefined ? [] : rows) }))
    await started(it, () => {})
    expect(it.out()).toContain('● 18:00 acted')
    expect(it.out()).toContain('· 18:00 1 skipped: nothing new')
  })

  it('reads an old evaluation by itself when it is not among the newest', async () => {
    const { title: _, ...old } = row({ id: 'ev_old', batch: 0, from: 0, through: 1, call: null })
    const why = { evaluation: old, task: task(), card: null, changes: [], more_changes: 0, call: null, journal: [] }
    const it = home(answers({ why }))
    await started(it, () => it.door.emit(evaluation('ev_old', 'acted')))
    expect(it.out()).toContain('inbox/0003.eml · ev_old')
    expect(it.out()).toContain('Tell me about urgent messages')
  })

  it('shows skips that are still held back when it is stopped', async () => {
    const it = home(answers())
    await started(it, () => it.door.emit(evaluation('ev_2', 'skipped')))
    expect(it.out()).toContain(`· 18:00 1 skipped: nothing new\n${farewell}`)
  })

  it('tells of failed ticks, paused tasks, notifications and trouble with the disk', async () => {
    const it = home(answers({ tasks_list: [task({ paused: 'Failed 6 times in a row.' })] }))
    await started(it, () =>
      it.door.emit(
        tickEnds('quiet'),
        tickEnds('failed'),
        { type: 'task', id: id<TaskId>('task_mail'), what: 'paused' },
        { type: 'task', id: id<TaskId>('task_mail'), what: 'changed' },
        { type: 'notification', title: 'Mail', body: 'It cannot be read.' },
        { type: 'store', state: 'stalled', reason: 'The disk is full.' },
        { type: 'store', state: 'flowing', reason: null },
      ),
    )
    expect(it.out()).toBe(
      [
        `${headOf(cwd, 'undermind status')}● Tick failed at 18:00. undermind doctor looks for the reason.`,
        '● 18:00 “Tell me about urgent messages in the inbox” is paused: Failed 6 times in a row.',
        '○ 18:00 Mail: It cannot be read.',
        'Nothing can be saved just now: The disk is full. It goes on by itself once that is put right.',
        'It can save again, and goes on.',
        farewell,
      ].join('\n'),
    )
  })

  it('stops and fails when its store is taken from it', async () => {
    const it = home(answers())
    const ended = it.undermind('start')
    await rest()
    it.door.emit({ type: 'store', state: 'lost', reason: 'Another undermind has taken over.' })
    expect(await ended).toBe(1)
    expect(it.err()).toContain('Another undermind has taken over.')
    expect(it.err()).toContain('[cli/runtime-lost]')
    expect(it.asked).toContain('stop')
  })

  it('stops what it began when it cannot show it', async () => {
    const it = home({
      status: () => {
        throw new Fault('store/corrupt', 'The store is damaged.')
      },
    })
    expect(await it.undermind('start')).toBe(1)
    expect(it.asked).toContain('stop')
  })

  it('passes on that somebody else runs there', async () => {
    const it = home()
    it.parts.serve = async () => {
      throw new Fault('workspace/in-use', 'Process 7 uses this workspace. Stop it first.')
    }
    expect(await it.undermind('start')).toBe(1)
    expect(it.err()).toBe('Process 7 uses this workspace. Stop it first. [workspace/in-use]\n')
  })

  it('stops at once when it was interrupted while it began', async () => {
    const it = home(answers())
    const serve = it.parts.serve
    it.parts.serve = async (workspace, options) => {
      it.interrupt()
      return serve(workspace, options)
    }
    expect(await it.undermind('start')).toBe(0)
    expect(it.asked).toContain('stop')
  })

  it('runs the example, with commands that can be copied', async () => {
    const it = home(answers())
    await started(it, () => {}, '--example')
    expect(it.asked[0]).toBe('serve /tmp/undermind example {}')
    expect(it.out()).toContain("Elsewhere     undermind -w '/tmp/undermind example' status")
  })

  it('leaves the example alone where a workspace is named', async () => {
    const it = home(answers())
    await started(it, () => {}, '--example', '--workspace', '/notes')
    expect(it.asked[0]).toBe('serve /notes {}')
  })

  it('gives programs a line for each thing', async () => {
    const it = home(answers())
    await started(
      it,
      () => it.door.emit(evaluation('ev_1', 'acted'), evaluation('ev_2', 'skipped'), tickEnds('done')),
      '--json',
    )
    const lines = it
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ type }) => type)).toEqual(['started', 'evaluation', 'skipped', 'tick', 'stopped'])
    expect(lines[0]).toMatchObject({ workspace: '/home/mina/notes', tasks: 4 })
    expect(lines[1]).toMatchObject({ id: 'ev_1', state: 'acted', card: null })
  })
})

describe('trust at the start', () => {
  it('asks a person once, and goes on either way', async () => {
    for (const yes of [true, false]) {
      const it = home(answers())
      it.trusted = { trusted: false, reason: 'never' }
      it.io.isTTY = true
      it.io.confirm = () => yes
      expect(await started(it, () => {})).toBe(0)
      expect(it.asked.filter((asked) => asked.startsWith('confirm'))).toHaveLength(1)
      expect(it.asked.includes(`grant ${cwd}`)).toBe(yes)
      expect(it.err().includes('not trusted')).toBe(!yes)
    }
  })

  it('goes on untrusted without a terminal and says so on standard error', async () => {
    const it = home(answers())
    it.trusted = { trusted: false, reason: 'never' }
    expect(await started(it, () => {})).toBe(0)
    expect(it.asked).toEqual([`serve ${cwd} {}`, 'stop'])
    expect(it.err()).toBe(
      `${cwd} is not trusted: it is read, and nothing is written to it. undermind trust says that it is yours.\n`,
    )
  })

  it('takes --yes for a yes', async () => {
    const it = home(answers())
    it.trusted = { trusted: false, reason: 'never' }
    await started(it, () => {}, '--yes')
    expect(it.asked).toEqual([`grant ${cwd}`, `serve ${cwd} {}`, 'stop'])
    expect(it.err()).toBe('')
  })
})

describe('undermind log --follow', () => {
  it('shows what was, oldest first, then what happens, until it is interrupted', async () => {
    const it = home(answers({ log_list: [row(), row({ id: 'ev_0', sources: [] })] }))
    const ended = it.undermind('log', '--follow', '--limit', '2')
    await rest()
    it.door.emit(evaluation('ev_1', 'acted'))
    await rest()
    it.interrupt()
    expect(await ended).toBe(0)
    const ids = it.out().match(/ev_\d/g)
    expect(ids).toEqual(['ev_0', 'ev_1', 'ev_1'])
    expect(it.door.isOpen).toBe(false)
  })

  it('gives programs a line for each', async () => {
    const it = home(answers({ log_list: [row()] }))
    const ended = it.undermind('log', '-f', '--json')
    await rest()
    it.interrupt()
    await ended
    expect(JSON.parse(it.out())).toMatchObject({ type: 'evaluation', id: 'ev_1' })
  })

  it('ends with 3 when nothing runs that could be followed', async () => {
    const it = home(answers())
    it.door.daemon = false
    expect(await it.undermind('log', '--follow')).toBe(3)
    expect(it.err()).toContain('undermind start')
    expect(it.out()).toBe('')
  })

  it('ends with 3 when what it follows has stopped', async () => {
    const it = home(answers({ log_list: [] }))
    const ended = it.undermind('log', '--follow')
    await rest()
    it.door.emit({ type: 'store', state: 'lost', reason: 'The connection ended.' })
    expect(await ended).toBe(3)
    expect(it.err()).toContain('any more')
  })

  it('fails when what it follows goes away', async () => {
    const it = home(answers({ log_list: [] }))
    const ended = it.undermind('log', '--follow')
    await rest()
    it.door.answers['subconscious.log_list'] = () => {
      throw new Fault('rpc/gone', 'The daemon has gone.', {}, 'unreachable')
    }
    it.door.emit(evaluation('ev_9', 'acted'))
    expect(await ended).toBe(3)
    expect(it.err()).toBe('The daemon has gone. [rpc/gone]\n')
  })
})
