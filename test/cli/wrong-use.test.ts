import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { home } from './support/fake.ts'
import { status } from './support/rows.ts'

describe('wrong use', () => {
  it.each([
    ['stauts', "Unknown command 'stauts'. Did you mean status?"],
    ['xyzzy', "Unknown command 'xyzzy'."],
    ['--nonsense', "Unknown option '--nonsense'."],
    ['--json', 'undermind needs to be told what to do.'],
    ['-w', "Option '-w, --workspace <dir>' argument missing."],
    ['init a b', "Too many arguments for 'init'. Expected 1 argument but got 2."],
    ['init --exmaple', 'Did you mean --example?'],
    ['trust now', 'Too many arguments'],
    ['trust --maybe', "Unknown option '--maybe'."],
    ['start here', 'Too many arguments'],
    ['start --test-clock', 'Set UNDERMIND_CLOCK'],
    ['tick now', 'Too many arguments'],
    ['tick --forec', 'Did you mean --force?'],
    ['tick --world', 'argument missing'],
    ['pause memory', 'Too many arguments'],
    ['resume --wrold', 'Did you mean --world?'],
    ['status quo', 'Too many arguments'],
    ['why', "Missing required argument 'task|evaluation'."],
    ['why a b', 'Too many arguments'],
    ['tasks lst', "Unknown command 'lst'. Did you mean list?"],
    ['tasks list all', "Unknown command 'all'."],
    ['tasks add', "Missing required argument 'title'."],
    ['tasks add a b', 'Too many arguments'],
    ['tasks add a --intent maybe', 'Allowed choices are read, write.'],
    ['tasks add a --catch-up never', 'Allowed choices are once, skip.'],
    ['tasks add a --max-lateness 0', 'whole number from 1 to'],
    ['tasks add a --schedule {"kind"', 'it begins like JSON and is none'],
    ['tasks edit', "Missing required argument 'task'."],
    ['tasks edit task_1', 'Nothing is named that should change.'],
    ['tasks enable', "Missing required argument 'task'."],
    ['tasks disable', "Missing required argument 'task'."],
    ['tasks remove', "Missing required argument 'task'."],
    ['tasks intent words', 'Too many arguments'],
    ['goals ad', "Unknown command 'ad'. Did you mean add?"],
    ['goals add', "Missing required argument 'text'."],
    ['goals edit goal_1', "Missing required argument 'text'."],
    ['goals remove', "Missing required argument 'goal'."],
    ['log --limit 0', 'whole number from 1 to 500'],
    ['log --limit 501', 'whole number from 1 to 500'],
    ['log --limit 1e2', 'whole number from 1 to 500'],
    ['log --limit ٣', 'whole number from 1 to 500'],
    ['log --state actd', 'Allowed choices are inProgress, acted,'],
    ['log --since whenever', 'Cannot read "whenever" as a time.'],
    ['log --since 2026-02-30', 'Cannot read "2026-02-30" as a time.'],
    ['log --follow --state acted', 'Following shows everything'],
    ['approvals aprove', "Unknown command 'aprove'. Did you mean approve?"],
    ['approvals list --limit x', 'whole number'],
    ['approvals show', "Missing required argument 'id'."],
    ['approvals approve', 'Name the cards to approve, or say --all.'],
    ['approvals dismiss', "Missing required argument 'id'."],
    ['approvals respond ev_1', "Missing required argument 'text'."],
    ['approvals resolve ev_1', '--happened or --not-happened'],
    ['approvals retry', "Missing required argument 'id'."],
    ['undo', "Missing required argument 'evaluation'."],
    ['replay', "Missing required argument 'evaluation'."],
    ['diagram tik', 'There is no chart tik. Did you mean tick?'],
    ['diagram __proto__', 'There is no chart __proto__.'],
    ['doctor who', 'Too many arguments'],
    ['heartbeat', 'undermind heartbeat needs to be told what to do.'],
    ['heartbeat parse', "Missing required argument 'file'."],
    ['decisions parse answer.txt', "Required option '--tasks <ids>' not specified."],
    ['decisions parse answer.txt --tasks ,', 'No task is named.'],
    ['completion', "Missing required argument 'shell'."],
    ['completion tcsh', 'Allowed choices are bash, zsh, fish.'],
    ['help stauts', "Unknown command 'stauts'. Did you mean status?"],
    ['help tasks ad', "Unknown command 'tasks ad'. Did you mean add?"],
  ])('%s ends with 2, a sentence, and nothing asked of anybody', async (line, says) => {
    const it = home()
    const words = line.split(' ')
    expect(await it.undermind(...words)).toBe(2)
    if (!words.includes('--json')) expect(it.err()).toContain(says)
    expect(it.err()).not.toMatch(/\n\s+at /)
    expect(it.out()).toBe('')
    expect(it.door.calls).toEqual([])
    expect(await it.undermind('--json', ...words)).toBe(2)
    expect(it.out()).toBe('')
    const { error } = JSON.parse(it.err()) as { error: { code: string; message: string; data: object } }
    expect(error.code).toMatch(/^cli\//)
    expect(error.message).toContain(says)
    expect(error.data).toBeTypeOf('object')
  })

  it('does not take a forgotten variable for the current folder', async () => {
    const it = home({ status: status() })
    expect(await it.undermind('status', '-w', '')).toBe(2)
    expect(it.asked).toEqual([])
  })

  it('says where to look for what would be right', async () => {
    const it = home()
    await it.undermind('tasks', 'add')
    expect(it.err()).toBe(
      "Missing required argument 'title'. undermind tasks add --help shows how it is used. [cli/wrong-use]\n",
    )
  })
})

describe('what goes wrong elsewhere', () => {
  const failing = (error: unknown) =>
    home({
      status: () => {
        throw error
      },
    })

  it.each([
    [new Fault('store/corrupt', 'The store is damaged. Restore a copy.', { file: 'state.db' }), 1],
    [Fault.use('workspace/missing', 'There is no folder x. Check the path.'), 2],
    [new Fault('rpc/unreachable', 'Nobody answers.', {}, 'unreachable'), 3],
    [new Error('out of memory'), 1],
    ['a thrown text', 1],
  ])('ends with the code of its kind: %s', async (error, code) => {
    const it = failing(error)
    expect(await it.undermind('status')).toBe(code)
    expect(it.out()).toBe('')
    expect(it.err()).not.toContain('\n    at ')
    expect(await it.undermind('status', '--json')).toBe(code)
    expect(it.out()).toBe('')
    expect(JSON.parse(it.err())).toHaveProperty('error.code')
  })

  it('tells a person the sentence with the code, and a program the facts too', async () => {
    const it = failing(new Fault('store/corrupt', 'The store is damaged. Restore a copy.', { file: 'state.db' }))
    await it.undermind('status')
    expect(it.err()).toBe('The store is damaged. Restore a copy. [store/corrupt]\n')
    await it.undermind('status', '--json')
    expect(JSON.parse(it.err())).toEqual({
      error: {
        code: 'store/corrupt',
        message: 'The store is damaged. Restore a copy.',
        data: { file: 'state.db' },
      },
    })
  })

  it('survives facts that JSON cannot hold', async () => {
    const round: Record<string, unknown> = {}
    round.self = round
    const it = failing(new Fault('store/odd', 'Odd.', { round, big: 1n }))
    expect(await it.undermind('status', '--json')).toBe(1)
    expect(JSON.parse(it.err())).toEqual({ error: { code: 'store/odd', message: 'Odd.', data: {} } })
  })

  it('shows the stack only to who asks for it', async () => {
    const it = failing(new Error('out of memory'))
    it.env.UNDERMIND_DEBUG = '1'
    await it.undermind('status')
    expect(it.err()).toContain('out of memory [runtime/unexpected]\n')
    expect(it.err()).toMatch(/\n\s+at /)
  })

  it('keeps the lines of a sentence that lists', async () => {
    const it = failing(Fault.use('settings/invalid', 'Cannot use the settings.\n- line 3\n- line 4'))
    await it.undermind('status')
    expect(it.err()).toBe('Cannot use the settings.\n- line 3\n- line 4 [settings/invalid]\n')
  })

  it('does not pretend to understand an answer of another version', async () => {
    const it = home({ goals_list: [] })
    it.door.call = async () => ({ instead: 'of a list' })
    expect(await it.undermind('goals')).toBe(1)
    expect(it.err()).toContain('[cli/answer-not-understood]')
  })

  it('closes the way to the workspace, also after a failure', async () => {
    const it = failing(new Error('x'))
    await it.undermind('status')
    expect(it.door.isOpen).toBe(false)
  })
})

describe('help and version', () => {
  it('bare undermind shows help and is no error', async () => {
    const it = home()
    expect(await it.undermind()).toBe(0)
    expect(it.out()).toContain('Usage: undermind')
    expect(it.err()).toBe('')
    const bare = it.out()
    expect(await it.undermind('help')).toBe(0)
    expect(it.out()).toBe(bare)
  })

  it('prints the version', async () => {
    const it = home()
    expect(await it.undermind('--version')).toBe(0)
    expect(it.out()).toBe('0.1.0\n')
  })

  const paths = [
    ...'init trust start tick pause resume status why log usage undo replay diagram doctor eval completion help'.split(
      ' ',
    ),
    ...['list', 'add', 'edit', 'enable', 'disable', 'remove', 'intent'].map((name) => `tasks ${name}`),
    ...['list', 'add', 'edit', 'remove'].map((name) => `goals ${name}`),
    ...['list', 'show', 'approve', 'dismiss', 'respond', 'resolve', 'retry'].map((name) => `approvals ${name}`),
    'heartbeat parse',
    'decisions parse',
  ]

  it.each(paths)('%s has help with an example that calls it', async (path) => {
    const it = home()
    expect(await it.undermind(...path.split(' '), '--help')).toBe(0)
    const [, shown = ''] = it.out().split('Examples:\n')
    expect(shown).toContain(`undermind ${path.replace(/ list$/, '')}`)
    expect(it.out()).toContain('--json')
    const help = it.out()
    expect(await it.undermind('help', ...path.split(' '))).toBe(0)
    expect(it.out()).toBe(help)
  })
})
