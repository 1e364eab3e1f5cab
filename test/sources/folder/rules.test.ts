import { describe, expect, it } from 'vitest'
import { patternsOf } from '../../../src/sources/folder/gitignore.ts'
import { workspace } from './workspace.ts'

const found = async (...given: Parameters<typeof workspace>) => {
  const { added = [] } = await workspace(...given).read()
  return added.filter((key) => !key.endsWith('.gitignore'))
}

describe('what is passed over', () => {
  it('is undermind’s and git’s own state, node_modules, and every file where secrets live', async () => {
    const never = [
      '.git/config',
      'sub/.git',
      '.undermind/state.db',
      '.undermind-foreign-1/token',
      'node_modules/x/index.js',
      'sub/node_modules/x.md',
      '.env',
      'sub/.env.local',
      '.ENV',
      '.envrc',
      '.mcp.json',
      'undermind.toml',
      'certs/server.pem',
      'server.KEY',
      'id_rsa',
      'id_rsa.pub',
      'id_ed25519',
      '.ssh/config',
      '.npmrc',
    ]
    const files = Object.fromEntries([...never, 'keys.md', 'environment.md'].map((name) => [name, 'x']))
    expect(await found(files)).toEqual(['environment.md', 'keys.md'])
  })

  it('is a private key under any name', async () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n'
    expect(await workspace({ 'backup.txt': key }).reasons()).toEqual({ 'backup.txt': 'a private key' })
  })

  it('cannot be brought back by settings, except for node_modules', async () => {
    const files = { '.env': 'x', 'node_modules/a.md': 'x' }
    expect(await found(files, { ignore: ['!.env', '!node_modules/'] })).toEqual(['node_modules/a.md'])
  })

  it('is what the settings say, whatever a .gitignore in the folder says', async () => {
    const files = { '.gitignore': '!drafts/\n!*.tmp', 'drafts/a.md': 'x', 'a.tmp': 'x', 'a.md': 'x' }
    expect(await found(files, { ignore: ['drafts/', '*.tmp'] })).toEqual(['a.md'])
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['a pattern at any depth', { '.gitignore': '*.log', 'a.log': '', 'b/a.log': '', 'b/a.txt': '' }, ['b/a.txt']],
    ['an anchored pattern at its place only', { '.gitignore': '/out', 'out/a': '', 'b/out/a': '' }, ['b/out/a']],
    ['a pattern for folders not for a file of that name', { '.gitignore': 'out/', 'a/out/x': '', out: '' }, ['out']],
    ['what an exception takes back', { '.gitignore': '*.log\n!keep.log', 'a.log': '', 'keep.log': '' }, ['keep.log']],
    ['nothing out of a folder that is itself passed over', { '.gitignore': 'out/\n!out/keep', 'out/keep': '' }, []],
    ['a nested file for its own folder only', { 'a/.gitignore': '*.txt', 'a/x/y.txt': '', 'b/y.txt': '' }, ['b/y.txt']],
    [
      'a nested file over an outer one',
      { '.gitignore': '*.txt', 'a/.gitignore': '!*.txt', 'a/y.txt': '' },
      ['a/y.txt'],
    ],
    [
      'a folder that a nested file takes back, with what is in it',
      { '.gitignore': 'build/', 'a/.gitignore': '!build/', 'a/build/x': '', 'build/x': '' },
      ['a/build/x'],
    ],
    [
      'a nested file whose folder has a name full of signs',
      { '!a [b]*/.gitignore': 'x\n/y/z', '!a [b]*/x': '', '!a [b]*/y/z': '', 'a b/x': '', '!a [b]*/q': '' },
      ['!a [b]*/q', 'a b/x'],
    ],
    [
      '.git/info/exclude, below everything else',
      { '.git/info/exclude': '*.a\n*.b', '.gitignore': '!*.b', 'x.a': '', 'x.b': '' },
      ['x.b'],
    ],
    [
      'Windows lines, a mark, comments',
      { '.gitignore': '\uFEFF# x\r\n\r\na.txt \r\n\\#b\r\n', 'a.txt': '', '#b': '', c: '' },
      ['c'],
    ],
  ])('reads a .gitignore as git does: %s', async (_title, files, kept) => {
    expect(await found(files)).toEqual(kept)
  })

  it('changes with a .gitignore: what it newly names is gone from the folder, what it lets go is new', async () => {
    const folder = workspace({ '.gitignore': 'a/', 'a/x': 'x', 'b/x': 'x' })
    await folder.read()
    folder.write('.gitignore', 'b/')
    expect(await folder.read()).toEqual({ added: ['a/x'], modified: ['.gitignore'], removed: ['b/x'] })
  })

  it('does not depend on patterns that would keep the matcher busy for hours', async () => {
    const stars = (count: number) => `${'**/a/'.repeat(count)}b`
    expect(patternsOf('', [stars(2), stars(3), '**/**/**/c', 'a/***/b'].join('\n'))).toEqual([
      stars(2),
      '**/c',
      'a/***/b',
    ])
    expect(patternsOf('', `${stars(2)}\n`.repeat(1000))).toHaveLength(64)
    const deep = `${'a/'.repeat(100)}c`
    expect(
      await found({ '.gitignore': `${stars(9)}\n${'*a'.repeat(60)}b`, [deep]: '', ['a'.repeat(250)]: '' }),
    ).toHaveLength(2)
  })
})
