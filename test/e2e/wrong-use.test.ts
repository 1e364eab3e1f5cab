import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desk } from './support/desk.ts'
import { expectRefusal } from './support/said.ts'
import { Failure, Tasks } from './support/shapes.ts'

describe.concurrent('a command that cannot be understood', () => {
  it('ends with 2 and a sentence that says where to look, before anything is opened', async (test) => {
    const at = desk(test)
    at.write({ 'notes/HEARTBEAT.md': '- Watch the notes\n' })
    const notes = at.path('notes')
    for (const [fault, says, ...words] of [
      ['cli/wrong-use', 'Did you mean status?', 'stauts'],
      ['cli/wrong-use', 'undermind tick --help', 'tick', '--forec'],
      ['cli/wrong-use', "Missing required argument 'id'", 'approvals', 'show'],
      ['cli/wrong-use', 'whole number from 1 to 500', 'log', '--limit', '0'],
      ['file/unreadable', 'there is no such file', 'heartbeat', 'parse', 'nowhere.md'],
    ] as const)
      expectRefusal(await at.run(['-w', notes, ...words]), { exit: 2, fault, says })
    expect(readdirSync(notes)).toEqual(['HEARTBEAT.md'])
  })

  it('ends with 2 when it names what is not there, and changes nothing', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const notes = at.path('notes')
    const tasks = Tasks.parse(await at.json(['-w', notes, 'tasks']))
    for (const [fault, says, ...words] of [
      ['approval/unknown', 'There is no card ev_x', 'approvals', 'approve', 'ev_x'],
      ['task/unknown', 'undermind tasks', 'tasks', 'remove', 'task_x'],
      ['evaluation/unknown', 'undermind log', 'undo', 'ev_x'],
      ['rpc/invalid-params', 'There is no world "mars".', 'tick', '--world', 'mars'],
      ['task/schedule-invalid', 'now and then', 'tasks', 'add', 'Ring the bell', '--schedule', 'now and then'],
    ] as const)
      expectRefusal(await at.run(['-w', notes, ...words]), { exit: 2, fault, says })
    expect(Tasks.parse(await at.json(['-w', notes, 'tasks']))).toEqual(tasks)
  })

  it('says it to programs as JSON on standard error', async (test) => {
    const at = desk(test)
    const { code, out, err } = await at.run(['status', '--json', '-w', at.path('nowhere')])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const { error } = Failure.parse(JSON.parse(err))
    expect(error).toEqual({
      code: 'workspace/missing',
      message: `There is no folder ${at.path('nowhere')}. Check the path.`,
      data: { path: at.path('nowhere') },
    })
  })
})

describe.concurrent('a place that is no workspace', () => {
  it('is refused for what it is, with 2, and stays as it was', async (test) => {
    const at = desk(test)
    at.write({ 'a-file': 'mine\n', 'state-is-a-file/.undermind': 'mine\n', 'plain/notes.md': '# Notes\n' })
    mkdirSync(at.path('linked'))
    symlinkSync(at.folder('elsewhere'), at.path('linked/.undermind'))
    const refused = async (place: string, fault: string, says: string) => {
      const commands = [['status'], ['start', '--yes']].map((words) => at.run(['-w', at.path(place), ...words]))
      for (const ended of await Promise.all(commands)) expectRefusal(ended, { exit: 2, fault, says })
    }
    await refused('nowhere', 'workspace/missing', 'Check the path.')
    await refused('plain', 'workspace/not-initialised', `undermind init ${at.path('plain')}`)
    await refused('a-file', 'workspace/not-a-folder', `${at.path('a-file')} is not a folder`)
    await refused('state-is-a-file', 'workspace/not-a-folder', '.undermind is not a folder')
    await refused('linked', 'workspace/not-a-folder', '.undermind is not a folder')
    expectRefusal(await at.run(['init', at.path('a-file')]), {
      exit: 2,
      fault: 'workspace/not-a-folder',
      says: 'Name the folder',
    })
    expect(readFileSync(at.path('a-file'), 'utf8')).toBe('mine\n')
    expect(readdirSync(at.path('plain'))).toEqual(['notes.md'])
    expect(readdirSync(at.path('elsewhere'))).toEqual([])
    expect(existsSync(at.path('nowhere'))).toBe(false)
  })

  it('is refused when its state may not be used, and lets nothing of it be seen', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const state = at.path('notes/.undermind')
    await at.without(state, async (how) => {
      for (const words of [['status'], ['tick']])
        expectRefusal(await at.run(['-w', at.path('notes'), ...words], how), {
          exit: 2,
          fault: 'workspace/no-permission',
          says: 'Make it readable and writable for this user',
        })
    })
    expect((await at.run(['-w', at.path('notes'), 'status'])).code).toBe(0)
  })
})

const models = (address: string, key: string): string =>
  `[models.cloud]\nmodel = "m"\nbase_url = "${address}"\napi_key_env = "${key}"\n`

describe.concurrent('settings that cannot be used', () => {
  it('are refused with their line and key, and a key that was pasted there is not repeated', async (test) => {
    const at = desk(test)
    const secret = 'sk-live-0123456789abcdef'
    await at.run(['init', 'notes', '--example'])
    const notes = at.path('notes')
    const settings = join(notes, 'undermind.toml')
    const before = readFileSync(settings, 'utf8')
    const refused = async (text: string, wanted: { fault: string; says: string[] }, env = {}) => {
      at.write({ 'undermind.toml': text }, notes)
      const ended = await at.run(['-w', notes, 'tick'], { env })
      for (const says of wanted.says) expectRefusal(ended, { exit: 2, fault: wanted.fault, says })
      expect(ended.err).not.toContain(secret)
    }
    await refused('[heartbeat]\ninterval_minutes = 2\n', {
      fault: 'settings/invalid',
      says: ['line 2', 'heartbeat.interval_minutes', 'a whole number from 5 to 10080'],
    })
    await refused('[heartbeat]\n\nintervall_minutes = 10\n', {
      fault: 'settings/invalid',
      says: ['line 3', 'heartbeat.intervall_minutes', 'heartbeat.interval_minutes'],
    })
    await refused('[heartbeat\n', { fault: 'settings/syntax', says: ['line 1', 'undermind.toml'] })
    at.write({ 'undermind/config.toml': models(`https://me:${secret}@models.example`, secret) }, at.config)
    await refused('', {
      fault: 'settings/invalid',
      says: ['config.toml, line 3', 'models.cloud.base_url', 'line 4', 'models.cloud.api_key_env'],
    })
    rmSync(join(at.config, 'undermind/config.toml'))
    await refused(`token = ${secret}\n`, { fault: 'settings/syntax', says: ['line 1'] })
    await refused(
      '',
      { fault: 'settings/invalid', says: ['UNDERMIND_HEARTBEAT_CONCURRENCY', 'a whole number from 1 to 64'] },
      { UNDERMIND_HEARTBEAT_CONCURRENCY: 'many' },
    )
    at.write({ 'undermind.toml': before }, notes)
    expect((await at.run(['-w', notes, 'tick'])).code).toBe(0)
  })

  it('are refused when UNDERMIND_CLOCK is no time, and a start heeds it only when asked to', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const env = { UNDERMIND_CLOCK: 'yesterday' }
    const words = ['-w', at.path('notes')]
    expectRefusal(await at.run([...words, 'tick'], { env }), {
      exit: 2,
      fault: 'cli/clock-invalid',
      says: 'UNDERMIND_CLOCK is "yesterday", which is no ISO time.',
    })
    expectRefusal(await at.run([...words, 'start', '--test-clock'], { env }), {
      exit: 2,
      fault: 'cli/clock-invalid',
      says: '2026-04-01T18:00:00Z',
    })
    const started = at.begin([...words, 'start'], { env })
    await started.until('Ctrl-C')
    expect(await started.signal('SIGINT')).toMatchObject({ code: 0, err: '' })
  })
})

describe.concurrent('a reader that goes early', () => {
  it('costs a command nothing, and ends one that would go on showing things', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const notes = at.path('notes')
    for (const words of [['log', '--json'], ['tick'], ['completion', 'bash']]) {
      const command = at.begin(['-w', notes, ...words])
      command.stopReading()
      expect(await command.ended).toMatchObject({ code: 0, err: '' })
    }
    const started = at.begin(['-w', notes, 'start'])
    await started.until('Ctrl-C')
    started.stopReading()
    at.write({ 'notes/tour.md': '- The bus has to be booked by 5 May 2099\n' }, notes)
    await at.run(['-w', notes, 'tick'])
    expect(await started.ended).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(notes, '.undermind')).sort()).toEqual(['.gitignore', 'state.db', 'token'])
  })
})
