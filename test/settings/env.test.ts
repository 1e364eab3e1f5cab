import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { defaultSettings, Settings } from '../../src/domain/settings.ts'
import { envExample, environmentLayer, fromText, variableOf } from '../../src/settings/env.ts'
import { type SettingKey, settingKey, settingKeys } from '../../src/settings/keys.ts'

const setting = (key: string): SettingKey => {
  const found = settingKey(key)
  if (found === undefined) throw new Error(`${key} is no setting`)
  return found
}

describe('a setting in the environment', () => {
  it('has a variable that no other setting has', () => {
    expect(variableOf('heartbeat.interval_minutes')).toBe('UNDERMIND_HEARTBEAT_INTERVAL_MINUTES')
    expect(new Set(settingKeys.map(({ key }) => variableOf(key))).size).toBe(settingKeys.length)
  })

  it.each([
    ['heartbeat.enabled', 'TRUE', true],
    ['heartbeat.enabled', '0', false],
    ['heartbeat.enabled', 'off', false],
    ['heartbeat.enabled', 'maybe', 'maybe'],
    ['heartbeat.concurrency', ' 12 ', 12],
    ['heartbeat.concurrency', '1e3', '1e3'],
    ['heartbeat.concurrency', '0x10', '0x10'],
    ['heartbeat.concurrency', '99999999999999999999', '99999999999999999999'],
    ['sources.own', 'notes/**, *.md,', ['notes/**', '*.md']],
    ['sources.own', '["{a,b}/*"]', ['{a,b}/*']],
    ['sources.own', '[]', []],
    ['sources.own', '[broken', '[broken'],
    ['user.name', ' Ada ', 'Ada'],
    ['user.name', '42', '42'],
  ])('%s=%j stands for %j', (key, text, value) => {
    expect(fromText(setting(key), text)).toEqual(value)
  })

  it('counts as not set when it is empty', () => {
    expect(environmentLayer({ UNDERMIND_USER_NAME: '', UNDERMIND_HEARTBEAT_ENABLED: '  ' }).values).toEqual({})
  })
})

describe('.env.example', () => {
  const lines = envExample().split('\n')

  it('has one line for every setting, and says nothing when it is used as it is', () => {
    const variables = lines.filter((line) => /^#UNDERMIND_/.test(line)).map((line) => line.slice(1, line.indexOf('=')))
    expect(variables).toEqual(settingKeys.map(({ key }) => variableOf(key)))
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })

  it('holds the defaults: with every line in force nothing changes', () => {
    const assigned = lines.filter((line) => line.startsWith('#UNDERMIND_')).map((line) => line.slice(1).split(/=(.*)/))
    const { values } = environmentLayer(Object.fromEntries(assigned))
    expect(Settings.parse({ ...values, models: undefined })).toEqual(defaultSettings())
  })

  it('has no line that is too long to read', () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120)
  })
})

describe('the list of settings', () => {
  it('gives each a meaning, a rule, and the default that the schema gives it', () => {
    const defaults: unknown = defaultSettings()
    for (const { path, meaning, allowed, fallback } of settingKeys) {
      expect(meaning).toMatch(/\.$/)
      expect(allowed).not.toBe('')
      const value = path.reduce<unknown>(
        (at, name) => (at === undefined ? at : Reflect.get(Object(at), name)),
        defaults,
      )
      if (path.join('.') !== 'models.cloud.provider') expect(value).toEqual(fallback)
    }
  })

  it('names keys that need no quotes in TOML', () => {
    for (const { key } of settingKeys) expect(Object.keys(parse(`${key} = 1`))).toHaveLength(1)
  })
})
