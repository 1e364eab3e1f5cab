import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTrustStore } from '../../src/settings/trust.ts'
import { faultOf } from './support/fault.ts'
import { folder } from './support/folder.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('trust in a workspace', () => {
  it('is there once the user has said yes, in whatever process, until it is revoked', () => {
    const config = folder()
    const workspace = folder()
    expect(openTrustStore(config).isTrusted(workspace)).toEqual({ trusted: false, reason: 'never' })
    openTrustStore(config).trust(workspace)
    expect(openTrustStore(config).isTrusted(workspace)).toEqual({ trusted: true })
    openTrustStore(config).revoke(workspace)
    expect(openTrustStore(config).isTrusted(workspace)).toEqual({ trusted: false, reason: 'never' })
  })

  it('is kept outside of the workspace, in a file and a folder for its user alone', () => {
    const config = folder()
    mkdirSync(join(config, 'undermind'), { mode: 0o755 })
    const workspace = folder()
    const store = openTrustStore(config)
    store.trust(workspace)
    expect(store.path).toBe(join(config, 'undermind', 'trust.json'))
    expect(modeOf(store.path)).toBe(0o600)
    expect(modeOf(join(config, 'undermind'))).toBe(0o700)
    expect(readdirSync(join(config, 'undermind'))).toEqual(['trust.json'])
    expect(readdirSync(workspace)).toEqual([])
  })

  it('is in the folder, not in the name it is reached by', () => {
    const store = openTrustStore(folder())
    const place = folder({ 'mine/x': '', 'strange/x': '' })
    symlinkSync(join(place, 'mine'), join(place, 'link'))
    store.trust(join(place, 'link'))
    expect(store.isTrusted(join(place, 'mine', '..', 'mine'))).toEqual({ trusted: true })
    rmSync(join(place, 'link'))
    symlinkSync(join(place, 'strange'), join(place, 'link'))
    expect(store.isTrusted(join(place, 'link'))).toEqual({ trusted: false, reason: 'never' })
  })

  it('in one workspace is none in another', () => {
    const store = openTrustStore(folder())
    const [one, other] = [folder(), folder()]
    store.trust(one)
    store.trust(other)
    store.revoke(one)
    expect(store.isTrusted(one).trusted).toBe(false)
    expect(store.isTrusted(other).trusted).toBe(true)
  })

  it('outlives a draft that a crash left behind', () => {
    const store = openTrustStore(folder())
    const workspace = folder()
    store.trust(workspace)
    symlinkSync(join(workspace, 'elsewhere'), `${store.path}.${process.pid}.tmp`)
    store.trust(workspace)
    expect(store.isTrusted(workspace).trusted).toBe(true)
    expect(existsSync(join(workspace, 'elsewhere'))).toBe(false)
  })

  it('can be taken from a folder that is gone, and not given to it', () => {
    const store = openTrustStore(folder())
    const place = folder({ 'mine/x': '' })
    const workspace = join(place, 'mine')
    store.trust(workspace)
    renameSync(workspace, join(place, 'gone'))
    expect(store.isTrusted(workspace)).toMatchObject({ trusted: false, problem: { code: 'workspace/missing' } })
    expect(faultOf(() => store.trust(workspace)).code).toBe('workspace/missing')
    store.revoke(workspace)
    renameSync(join(place, 'gone'), workspace)
    expect(store.isTrusted(workspace)).toEqual({ trusted: false, reason: 'never' })
  })
})

describe('trust ends', () => {
  const models = '[models.local]\nmodel = "small"\n'

  it.each([
    ['an address', 'undermind.toml', `${models}base_url = "http://evil.example"\n`],
    ['another model', 'undermind.toml', models.replace('small', 'large')],
    ['no models any more', 'undermind.toml', ''],
    ['a program', '.mcp.json', '{ "mcpServers": { "a": { "command": "sh" } } }'],
    ['an empty list of programs', '.mcp.json', ''],
  ])('when the folder names %s', (_what, name, text) => {
    const store = openTrustStore(folder())
    const workspace = folder({ 'undermind.toml': models })
    store.trust(workspace)
    writeFileSync(join(workspace, name), text)
    expect(store.isTrusted(workspace)).toEqual({ trusted: false, reason: 'changed' })
    store.trust(workspace)
    expect(store.isTrusted(workspace)).toEqual({ trusted: true })
  })

  it('not when something else of the settings changes, or their order and comments', () => {
    const store = openTrustStore(folder())
    const workspace = folder({ 'undermind.toml': 'models.local = { model = "small", provider = "auto" }' })
    store.trust(workspace)
    const text = '# mine\n[models.local]\nprovider = "auto"\nmodel = "small"\n[heartbeat]\nconcurrency = 9\n'
    writeFileSync(join(workspace, 'undermind.toml'), text)
    expect(store.isTrusted(workspace)).toEqual({ trusted: true })
  })

  it('and comes back when the change is taken back', () => {
    const store = openTrustStore(folder())
    const workspace = folder()
    store.trust(workspace)
    writeFileSync(join(workspace, '.mcp.json'), '{}')
    expect(store.isTrusted(workspace).trusted).toBe(false)
    rmSync(join(workspace, '.mcp.json'))
    expect(store.isTrusted(workspace).trusted).toBe(true)
  })

  it.each([
    ['undermind.toml', '[models', 'settings/syntax'],
    ['.mcp.json', ' '.repeat(1024 * 1024 + 1), 'settings/unreadable'],
  ])('when %s cannot be read, with the reason, and cannot be given', (name, text, code) => {
    const store = openTrustStore(folder())
    const workspace = folder()
    store.trust(workspace)
    writeFileSync(join(workspace, name), text)
    expect(store.isTrusted(workspace)).toMatchObject({ trusted: false, reason: 'changed', problem: { code } })
    expect(faultOf(() => store.trust(workspace)).code).toBe(code)
  })
})

describe('a trust file that cannot be understood', () => {
  it.each(['', '{', 'null', '[]', '{"version":2,"workspaces":{}}', '{"version":1,"workspaces":{"/":true}}'])(
    'trusts nothing, and says so: %j',
    (text) => {
      const workspace = folder()
      const store = openTrustStore(folder({ 'undermind/trust.json': text }))
      const trust = store.isTrusted(workspace)
      expect(trust).toMatchObject({ trusted: false, reason: 'never', problem: { code: 'trust/corrupt' } })
      expect(readFileSync(store.path, 'utf8')).toBe(text)
    },
  )

  it('is put aside, not overwritten, by the next yes', () => {
    const workspace = folder()
    const store = openTrustStore(folder({ 'undermind/trust.json': 'broken' }))
    store.trust(workspace)
    expect(store.isTrusted(workspace)).toEqual({ trusted: true })
    expect(readFileSync(`${store.path}.unreadable`, 'utf8')).toBe('broken')
  })

  it('that cannot be written is a fault that names it', () => {
    const workspace = folder()
    const config = folder({ undermind: 'a file, not a folder' })
    const fault = faultOf(() => openTrustStore(config).trust(workspace))
    expect(fault.code).toBe('trust/cannot-write')
    expect(fault.message).toContain(join(config, 'undermind', 'trust.json'))
  })
})
