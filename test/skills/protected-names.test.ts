import { linkSync, realpathSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { confined } from '../../src/skills/confine.ts'
import { realDisk } from '../../src/skills/disk.ts'
import { codeOf, diskWith, refusalOf, workspace } from './workspace.ts'

describe('a protected file', () => {
  const protectedPaths = [
    '.undermind/state.db',
    '.UNDERMIND/token',
    '.undermind',
    '.undermind-0123456789abcdef0123456789abcdef.tmp',
    'sub/.undermind/token',
    'UNDERM~1/token',
    '.git/config',
    '.git/hooks/post-commit',
    '.Git/config',
    '.Ｇit/config',
    '.g\u200cit/config',
    '.gi\u0301t/config',
    '.gıt/config',
    '．git/config',
    '.git：x',
    '.git／config',
    'GIT~1/config',
    'deep/er/.git/config',
    '.git',
    'undermind.toml',
    'Undermind.TOML',
    'undermınd.toml',
    'ｕndermind.toml',
    'UNDERM~1.TOM',
    '.mcp.json',
    '.MCP.json',
    'sub/.mcp.json',
    '.mcp.jſon',
    'MCP~1.JSO',
    '.env',
    '.ENV',
    '.env.local',
    '.envrc',
    'sub/.env.production',
    '.en\u00adv',
    '․env',
    'ENV~1.LOC',
  ]

  it.each(protectedPaths)('%j is refused to readers and writers, whether it is there or not', async (path) => {
    const { root, put } = workspace()
    for (const access of ['read', 'write'] as const) expect(await refusalOf(root, path, access)).toContain('Refused')
    put(path, 'x')
    for (const access of ['read', 'write'] as const) expect(await refusalOf(root, path, access)).toContain('Refused')
  })

  it.each(['HEARTBEAT.md', 'heartbeat.MD', 'HEARTBEAT.ＭD', 'HEART\u200bBEAT.md', 'HEARTB~1.MD', 'team/HEARTBEAT.md'])(
    '%j may be read and not written',
    async (path) => {
      const { root, put } = workspace()
      put(path, '- look\n')
      expect(await refusalOf(root, path, 'write')).toContain('only the user writes HEARTBEAT.md')
      expect((await confined(root, path, { access: 'read' })).exists).toBe(true)
    },
  )

  it.each(['.git.', '.git ', '.env.', 'HEARTBEAT.md.', '.undermind./token'])(
    '%j, which Windows takes for it, is refused',
    async (path) => {
      const { root } = workspace()
      expect(await refusalOf(root, path)).toContain('Refused')
    },
  )

  it('is refused under any name that the file system itself resolves to it', async () => {
    const { root, put, at } = workspace()
    put('SHORT1/config', 'x')
    // As on a disk where SHORT1 is the short name of .git.
    const disk = diskWith({
      realpath: (async (path: string) =>
        (await realDisk.realpath(path)).replace('SHORT1', '.git')) as typeof realDisk.realpath,
    })
    expect(await codeOf(confined(root, 'SHORT1/config', { disk }))).toBe('tool/path-refused')
    expect((await confined(root, 'SHORT1/config')).folder).toBe(realpathSync(at('SHORT1')))
  })

  it('cannot be reached to write by a second name of it', async () => {
    const { root, put, at } = workspace()
    put('.env', 'SECRET=1')
    linkSync(at('.env'), at('notes.md'))
    expect(await refusalOf(root, 'notes.md')).toContain('hard link')
  })
})
