import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { defaultSettings } from '../../src/domain/settings.ts'
import { type LoadedSettings, type LoadRequest, loadSettings } from '../../src/settings/load.ts'
import { faultOf } from './support/fault.ts'
import { folder } from './support/folder.ts'

interface Given extends Partial<LoadRequest> {
  user?: string
  file?: string
}

const load = ({ user, file, ...rest }: Given): LoadedSettings =>
  loadSettings({
    workspace: folder(file === undefined ? {} : { 'undermind.toml': file }),
    userConfigDir: folder(user === undefined ? {} : { 'undermind/config.toml': user }),
    env: {},
    trusted: true,
    ...rest,
  })

const beat = (minutes: number): string => `[heartbeat]\ninterval_minutes = ${minutes}\n`

describe('loading settings', () => {
  it('gives the defaults where nothing is written', () => {
    const { settings, origins, files, ignored } = load({})
    expect(settings).toEqual(defaultSettings())
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
    expect(origins).toHaveProperty(['user.timezone'], 'default')
    expect(files).toEqual([])
    expect(ignored).toEqual([])
  })

  it('lets the later of user file, workspace file, environment and command line win, and says which did', () => {
    const env = { UNDERMIND_HEARTBEAT_INTERVAL_MINUTES: '30' }
    const overrides = { 'heartbeat.interval_minutes': 40 }
    const seen = [
      load({ user: beat(10) }),
      load({ user: beat(10), file: beat(20) }),
      load({ user: beat(10), file: beat(20), env }),
      load({ user: beat(10), file: beat(20), env, overrides }),
    ].map(({ settings, origins }) => [settings.heartbeat.interval_minutes, origins['heartbeat.interval_minutes']])
    expect(seen).toEqual([
      [10, 'user file'],
      [20, 'workspace file'],
      [30, 'environment'],
      [40, 'command line'],
    ])
  })

  it('mixes origins setting by setting, and names the files it read', () => {
    const workspace = folder({ 'undermind.toml': 'models.cloud.base_url = "https://a.example"' })
    const config = folder({ 'undermind/config.toml': '[models.cloud]\nmodel = "large"' })
    const { settings, files } = load({ workspace, userConfigDir: config })
    expect(settings.models.cloud).toEqual({ provider: 'openai', model: 'large', base_url: 'https://a.example' })
    expect(files).toEqual([join(config, 'undermind/config.toml'), join(workspace, 'undermind.toml')])
  })

  it('replaces lists and does not join them', () => {
    const { settings } = load({ user: 'sources.own = ["a", "b"]', file: 'sources.own = ["c"]' })
    expect(settings.sources.own).toEqual(['c'])
  })

  it('reads a file with a byte order mark and Windows line ends', () => {
    expect(load({ file: '\uFEFF[heartbeat]\r\nconcurrency = 9\r\n' }).settings.heartbeat.concurrency).toBe(9)
  })

  it('takes texts from the command line as it takes them from the environment', () => {
    const overrides = { 'heartbeat.enabled': 'no', 'sources.own': 'notes/**, *.md', 'journal.keep_days': undefined }
    const { settings } = load({ overrides })
    expect(settings.heartbeat.enabled).toBe(false)
    expect(settings.sources.own).toEqual(['notes/**', '*.md'])
  })
})

describe('a setting that cannot be', () => {
  it('is refused with file, line, column, key, what was found and what is allowed', () => {
    const workspace = folder({ 'undermind.toml': '# mine\n[heartbeat]\n  interval_minutes = 2\n' })
    const fault = faultOf(() => load({ workspace }))
    expect(fault.code).toBe('settings/invalid')
    expect(fault.kind).toBe('use')
    const file = join(workspace, 'undermind.toml')
    expect(fault.message).toBe(
      `Cannot use the settings. ${file}, line 3, column 3: heartbeat.interval_minutes is 2; allowed is a whole number from 5 to 10080: a shorter beat only burns energy, since task schedules have their own minute.`,
    )
    expect(fault.data).toMatchObject({
      problems: [{ name: file, line: 3, column: 3, key: 'heartbeat.interval_minutes' }],
    })
  })

  it.each([
    ['[heartbeat]\nenabled = "yes"', 'line 2, column 1: heartbeat.enabled is "yes"; allowed is true or false'],
    [
      'heartbeat.overlap = "queue"',
      'line 1, column 1: heartbeat.overlap is "queue"; allowed is "supersede" or "finish"',
    ],
    ['a = 1\nheartbeat = true', 'line 2, column 1: heartbeat is true; allowed is a table of settings'],
    ['[[heartbeat]]\nenabled = true', 'line 1, column 3: heartbeat is a list; allowed is a table of settings'],
    ['heartbeat = { enabled = true, concurrency = 0 }', 'line 1, column 31: heartbeat.concurrency is 0'],
    ['[sources]\nown = ["ok", 3]', 'line 2, column 1: sources.own[1] is 3; allowed is a list of globs'],
    [
      '[briefing]\ntime = 07:00:00',
      'briefing.time is a date or time without quotes; allowed is a time of day as "HH:MM"',
    ],
    ['[journal]\nkeep_days = nan', 'journal.keep_days is NaN'],
    ['[user]\nquiet_hours = "22-7"', 'line 2, column 1: user.quiet_hours is "22-7"; allowed is a table of settings'],
    ['[user."quiet_hours"]\n"from" = 1', 'line 2, column 1: user.quiet_hours.from is 1'],
  ])('is found where it stands: %j', (file, sentence) => {
    expect(faultOf(() => load({ file })).message).toContain(sentence)
  })

  it('is refused even where a later origin hides it', () => {
    expect(faultOf(() => load({ user: beat(1), file: beat(9) })).message).toContain('heartbeat.interval_minutes is 1')
  })

  it('names the environment variable or the command line it came from', () => {
    const env = { UNDERMIND_HEARTBEAT_CONCURRENCY: 'many' }
    expect(faultOf(() => load({ env })).message).toContain(
      'environment variable UNDERMIND_HEARTBEAT_CONCURRENCY: heartbeat.concurrency is "many"; allowed is a whole number',
    )
    const overrides = { 'heartbeat.concurrency': '1.5' }
    expect(faultOf(() => load({ overrides })).message).toContain('command line: heartbeat.concurrency is "1.5"')
  })

  it('does not hide the others: all are listed', () => {
    const fault = faultOf(() => load({ file: 'heartbeat.concurrency = 0\nbriefing.time = "noon"\nwhat = 1' }))
    expect(fault.message.split('\n- ')).toHaveLength(4)
  })

  it('is missed where its table needs it', () => {
    const fault = faultOf(() => load({ file: '\n[user.quiet_hours]\nfrom = "22:00"' }))
    expect(fault.message).toContain('line 3, column 1: user.quiet_hours.from needs user.quiet_hours.to beside it')
    const env = { UNDERMIND_MODELS_CLOUD_MODEL: 'large' }
    expect(faultOf(() => load({ env })).message).toContain('models.cloud.model needs models.cloud.base_url beside it')
  })

  it('does not show what may be a secret', () => {
    const file = '[models.cloud]\napi_key_env = "sk-very-secret"\nbase_url = "https://u:very-secret@x.example"'
    const fault = faultOf(() => load({ file }))
    expect(fault.message).toContain('models.cloud.api_key_env is a text of 14 characters')
    expect(JSON.stringify([fault.message, fault.data])).not.toContain('very-secret')
  })

  it('cannot steer the terminal that shows it', () => {
    const file = '"\\u001b[2Jbad\\u202e" = 1\nheartbeat.overlap = "\\u001b[31m\\n"'
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(faultOf(() => load({ file })).message.replaceAll('\n- ', '')).not.toMatch(/[\u0000-\u001f\u202e]/)
  })
})

describe('an unknown setting', () => {
  it.each([
    ['heartbeat.intervall_minutes = 9', 'heartbeat.intervall_minutes', 'heartbeat.interval_minutes'],
    ['[hearbeat]\nenabled = true', 'hearbeat', 'heartbeat'],
    ['interval_minutes = 9', 'interval_minutes', 'heartbeat.interval_minutes'],
    ['heartbeat.intervalMinutes = 9', 'heartbeat.intervalMinutes', 'heartbeat.interval_minutes'],
    ['heartbeat.interval = 9', 'heartbeat.interval', 'heartbeat.interval_minutes'],
    ['briefing.keep_days = 9', 'briefing.keep_days', 'journal.keep_days'],
    ['user.time-zone = "UTC"', 'user.time-zone', 'user.timezone'],
  ])('is refused with the nearest known one: %j', (file, key, meant) => {
    expect(faultOf(() => load({ file })).message).toContain(`: ${key} is not a setting. Did you mean ${meant}?`)
  })

  it.each(['zzz = 1', `"${'long'.repeat(30)}" = 1`, '"" = 1', '[__proto__]\nx = 1', 'constructor = 1'])(
    'is refused without advice when nothing is near: %j',
    (file) => {
      expect(faultOf(() => load({ file })).message).toContain('is not a setting. Remove it.')
    },
  )

  it('is refused on the command line too', () => {
    expect(faultOf(() => load({ overrides: { 'heartbeat.beat': 1 } })).message).toContain(
      'command line: heartbeat.beat',
    )
    expect(faultOf(() => load({ overrides: { '__proto__.x': 1 } })).code).toBe('settings/invalid')
  })

  it('in the environment is listed, since a variable of that name may be for another program', () => {
    const env = { UNDERMIND_HEARTBEAT_INTERVAL: '9', UNDERMIND_TOKEN: 'x', HEARTBEAT_X: '1' }
    expect(load({ env }).ignored).toEqual([
      {
        key: 'UNDERMIND_HEARTBEAT_INTERVAL',
        reason: 'No setting has this environment variable. Did you mean UNDERMIND_HEARTBEAT_INTERVAL_MINUTES?',
      },
    ])
  })

  it('is not what the variable with the key is', () => {
    const file = '[models.cloud]\nmodel = "m"\nbase_url = "https://x.example"\napi_key_env = "UNDERMIND_MODELS_KEY"'
    expect(load({ file, env: { UNDERMIND_MODELS_KEY: 'secret' } }).ignored).toEqual([])
  })
})

describe('a settings file that cannot be read', () => {
  it('is refused with line and column when it is not TOML, without an excerpt', () => {
    const fault = faultOf(() => load({ file: '[heartbeat]\nsecret = = "hidden"\n' }))
    expect(fault.code).toBe('settings/syntax')
    expect(fault.kind).toBe('use')
    expect(fault.data).toMatchObject({ line: 2, column: 10 })
    expect(fault.message).toContain('undermind.toml, line 2, column 10: ')
    expect(fault.message).not.toContain('hidden')
  })

  it('is refused when it is a folder, too large or not UTF-8', () => {
    const workspace = folder({ 'undermind.toml/x': '' })
    expect(faultOf(() => load({ workspace })).message).toContain('it is not a file')
    expect(faultOf(() => load({ file: '#'.repeat(1024 * 1024 + 1) })).message).toContain('1048577 bytes')
    const latin = folder()
    writeFileSync(join(latin, 'undermind.toml'), Buffer.from([0x23, 0xe4]))
    const fault = faultOf(() => load({ workspace: latin }))
    expect(fault.code).toBe('settings/unreadable')
    expect(fault.message).toContain('it is not UTF-8 text')
  })

  it('is refused at once when it is a pipe that nobody writes to', () => {
    const workspace = folder()
    execFileSync('mkfifo', [join(workspace, 'undermind.toml')])
    expect(faultOf(() => load({ workspace })).code).toBe('settings/unreadable')
  })

  it('gives settings or a fault, and nothing else, for any text', () => {
    const workspace = folder()
    const config = folder()
    mkdirSync(join(config, 'undermind'))
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '[heartbeat]',
        '[[heartbeat]]',
        'enabled',
        '=',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'''",
        '#',
        '\n',
        '\r\n',
        '.',
        '5',
        ',',
      ),
      fc.constantFrom(
        'interval_minutes = 9\n',
        'sources.own = ["a"]\n',
        'user = { name = "x" }\n',
        'models.local.model = """\n',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, trusted) => {
        writeFileSync(join(workspace, 'undermind.toml'), pieces.join(''))
        try {
          expect(loadSettings({ workspace, userConfigDir: config, env: {}, trusted }).settings).toBeDefined()
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 250 },
    )
  })
})

describe("a stranger's folder", () => {
  const file = '[heartbeat]\nconcurrency = 7\n[models.local]\nprovider = "openai"\nbase_url = "http://evil.example"\n'

  it('names no provider, address or key, and everything else of it applies', () => {
    const workspace = folder({ 'undermind.toml': file })
    const { settings, origins, ignored } = load({ workspace, trusted: false })
    expect(settings.models).toEqual(defaultSettings().models)
    expect(settings.heartbeat.concurrency).toBe(7)
    expect(origins['models.local.provider']).toBe('default')
    expect(ignored.map(({ key }) => key)).toEqual(['models.local.provider', 'models.local.base_url'])
    expect(ignored[0]?.reason).toContain(`${join(workspace, 'undermind.toml')}, line 4: this folder is not trusted`)
  })

  it('cannot stop undermind with nonsense where it has no say', () => {
    expect(load({ file: 'models = 3', trusted: false }).ignored).toHaveLength(1)
    expect(load({ file: '[models.cloud]\nbase_url = 1\nwhat = 2', trusted: false }).ignored).toHaveLength(2)
  })

  it('leaves the models of the user as they are', () => {
    const user = '[models.local]\nprovider = "ollama"\nmodel = "mine"'
    const { settings } = load({ user, file: 'models.local.model = "theirs"', trusted: false })
    expect(settings.models.local).toMatchObject({ provider: 'ollama', model: 'mine' })
  })

  it('names what it likes once it is trusted', () => {
    const { settings, ignored } = load({ file, trusted: true })
    expect(settings.models.local.base_url).toBe('http://evil.example')
    expect(ignored).toEqual([])
  })
})
