import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JSONType } from '../../src/domain/json.ts'
import { maskSecrets } from '../../src/memory/secrets.ts'
import { type Disk, realDisk } from '../../src/skills/disk.ts'
import { builtinTools } from '../../src/skills/tools.ts'
import { HandClock } from '../support/clock.ts'
import { codeOf, diskWith, toolRun, workspace } from './workspace.ts'

const toolsIn = (root: string, disk?: Disk) =>
  builtinTools({
    root,
    notify: () => undefined,
    commands: [],
    clock: new HandClock(),
    mask: maskSecrets,
    env: { PATH: '/usr/bin:/bin' },
    ...(disk && { disk }),
  })

const use = (root: string, tool: string, args: Record<string, JSONType>, disk?: Disk, run = toolRun().run) => {
  const found = toolsIn(root, disk).get(tool)
  if (found === undefined) throw new Error(`no tool ${tool}`)
  return (async () => found.run(found.parse(args), run))()
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

describe('reading a file', () => {
  it('shows its lines below one that says which they are', async () => {
    const { root } = workspace({ 'notes/plan.md': 'one\r\ntwo\n\nfour\n' })
    expect(await use(root, 'read_file', { path: './notes/plan.md' })).toBe(
      'notes/plan.md, lines 1 to 4 of 4:\none\ntwo\n\nfour',
    )
    expect(await use(root, 'read_file', { path: 'notes/plan.md', from_line: 2, lines: 1 })).toBe(
      'notes/plan.md, lines 2 to 2 of 4:\ntwo\n[2 more; go on with from_line 3]',
    )
    expect(await use(root, 'read_file', { path: 'notes/plan.md', from_line: 9 })).toContain('there is no line 9')
  })

  it('holds no more than 400 lines and 64 KiB an answer, and says where to go on', async () => {
    const { root } = workspace({ 'long.txt': numbered(1000), 'wide.txt': `${'x'.repeat(7000)}\n`.repeat(30) })
    expect(await use(root, 'read_file', { path: 'long.txt' })).toContain('[600 more; go on with from_line 401]')
    const wide = await use(root, 'read_file', { path: 'wide.txt' })
    expect(Buffer.byteLength(wide)).toBeLessThan(66_000)
    expect(wide).toContain('lines 1 to 9 of 30')
    const { root: other } = workspace({ 'one.js': 'y'.repeat(200_000) })
    expect(await use(other, 'read_file', { path: 'one.js' })).toContain('[192000 more characters in this line]')
    expect(await codeOf(use(root, 'read_file', { path: 'long.txt', lines: 401 }))).toBe('tool/bad-arguments')
  })

  it('refuses clearly what is no text, too large, not there, a folder, or held secret', async () => {
    const { root, put, at } = workspace({ '.env': 'A=1', id_rsa: 'x', 'keys/a.pem': 'x', 'undermind.toml': '' })
    put('image.png', Buffer.from([137, 80, 78, 71, 0, 1, 2]))
    put('huge.log', Buffer.alloc(8 * 1024 * 1024 + 1, 97))
    put('.undermind/state.db', 'x')
    put('.git/config', 'x')
    execFileSync('mkfifo', [at('pipe')])
    expect(await codeOf(use(root, 'read_file', { path: 'image.png' }))).toBe('tool/not-text')
    expect(await codeOf(use(root, 'read_file', { path: 'huge.log' }))).toBe('tool/too-large')
    expect(await codeOf(use(root, 'read_file', { path: 'none.md' }))).toBe('tool/file-missing')
    for (const path of [
      '.env',
      'id_rsa',
      'keys/a.pem',
      '.undermind/state.db',
      '.git/config',
      'undermind.toml',
      'pipe',
      'keys',
      '../x',
    ])
      expect([path, await codeOf(use(root, 'read_file', { path }))]).toEqual([path, 'tool/path-refused'])
  })

  it('leaves credentials out, and shows characters that would do harm by their number', async () => {
    const { root } = workspace({ 'a.md': `password = "hunter22!"\nred \u001b[31m and \u202e turned\nخ‌ط 👩‍💻 é\n` })
    const text = await use(root, 'read_file', { path: 'a.md' })
    expect(text).not.toContain('hunter22')
    expect(text).toContain('red ⟨U+001B⟩[31m and ⟨U+202E⟩ turned\nخ‌ط 👩‍💻 é')
  })

  it('reads UTF-16 and Western European text', async () => {
    const { root, put } = workspace()
    put('wide.txt', Buffer.from('\ufeffGrüße', 'utf16le'))
    put('old.txt', Buffer.from('Gr\u00fc\u00dfe', 'latin1'))
    expect(await use(root, 'read_file', { path: 'wide.txt' })).toContain('Grüße')
    expect(await use(root, 'read_file', { path: 'old.txt' })).toContain('Grüße')
  })

  it('stops at a file that grows while it is read', async () => {
    const { root } = workspace({ 'log.txt': 'x\n' })
    const disk = diskWith({
      open: async (path, flags, mode) => {
        const handle = await realDisk.open(path, flags, mode)
        if (String(path).endsWith('log.txt'))
          handle.read = (async (buffer: Buffer, _at: number, length: number) => {
            buffer.fill(120)
            return { bytesRead: length, buffer }
          }) as typeof handle.read
        return handle
      },
    })
    expect(await codeOf(use(root, 'read_file', { path: 'log.txt' }, disk))).toBe('tool/too-large')
  })

  it('follows no link, not even one put in the place between the look and the opening', async () => {
    const { root, at, outside, put } = workspace({
      'plan.md': 'old',
      'sub/plan.md': 'old',
      '../outside/plan.md': 'theirs',
    })
    put('.env', 'SECRET=1')
    symlinkSync(at('.env'), at('link.md'))
    expect(await codeOf(use(root, 'read_file', { path: 'link.md' }))).toBe('tool/path-refused')
    for (const path of ['plan.md', 'sub/plan.md']) {
      let swapped = false
      const disk = diskWith({
        open: async (file, flags, mode) => {
          if (!swapped && (path === 'plan.md' ? String(file).endsWith('plan.md') : String(file).endsWith('sub'))) {
            swapped = true
            if (path === 'plan.md') {
              renameSync(at('plan.md'), at('gone.md'))
              symlinkSync(at('.env'), at('plan.md'))
            } else {
              renameSync(at('sub'), at('moved'))
              symlinkSync(outside, at('sub'))
            }
          }
          return realDisk.open(file, flags, mode)
        },
      })
      expect([path, await codeOf(use(root, 'read_file', { path }, disk))]).toEqual([path, 'tool/path-refused'])
    }
  })
})

describe('listing files', () => {
  const files = {
    'b.md': '',
    'a/z.ts': '',
    'a/deep/y.ts': '',
    'HEARTBEAT.md': '',
    '.env': '',
    '.undermind/state.db': '',
    '.git/HEAD': '',
    'undermind.toml': '',
    'node_modules/x/index.js': '',
    'dist/out.js': '',
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'a/x.log': '',
    'a/keep.log': '',
    'a/.gitignore': 'deep/hidden.ts\n',
    'a/deep/hidden.ts': '',
  }

  it('names what lies in a folder, sorted, folders marked, without what is ignored or protected', async () => {
    const { root } = workspace(files)
    expect((await use(root, 'list_files', {})).split('\n')).toEqual([
      '4 in the workspace:',
      '.gitignore',
      'HEARTBEAT.md',
      'a/',
      'b.md',
    ])
    expect((await use(root, 'list_files', { path: './a/' })).split('\n')).toEqual([
      '4 in a:',
      'a/.gitignore',
      'a/deep/',
      'a/keep.log',
      'a/z.ts',
    ])
    expect(await use(root, 'list_files', { path: 'dist' })).toContain('dist/out.js')
  })

  it('finds files by a glob at any depth', async () => {
    const { root } = workspace(files)
    expect((await use(root, 'list_files', { glob: '*.{ts,js}' })).split('\n').slice(1)).toEqual([
      'a/deep/y.ts',
      'a/z.ts',
    ])
    expect((await use(root, 'list_files', { glob: 'a/**' })).split('\n').slice(1)).toEqual([
      'a/.gitignore',
      'a/deep/y.ts',
      'a/keep.log',
      'a/z.ts',
    ])
    expect(await use(root, 'list_files', { glob: '*.rs' })).toBe('No file matches *.rs in the workspace.')
    expect(await use(root, 'list_files', { glob: '*.ts', path: 'a', limit: 1 })).toContain('there are more')
  })

  it('marks links, shows names with newlines on one line, and goes on past closed folders and odd things', async () => {
    const { root, put, at, outside } = workspace({ 'a.md': '' })
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret.md'), 'x')
    symlinkSync(outside, at('out'))
    put('evil\nname.md', '')
    put('odd:folder/x.md', '')
    execFileSync('mkfifo', [at('pipe')])
    const server = createServer().listen(at('socket'))
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    const listed = await use(root, 'list_files', {})
    expect(listed).toContain('evil⟨U+000A⟩name.md')
    expect(listed).toContain('out (a link or no regular file')
    expect(listed).toContain('pipe (a link or no regular file')
    const deep = await use(root, 'list_files', { glob: '**' })
    expect(deep).not.toContain('secret.md')
    expect(deep).toContain('[not readable: odd:folder]')
    expect(await codeOf(use(root, 'list_files', { path: 'out' }))).toBe('tool/path-refused')
    expect(await codeOf(use(root, 'list_files', { path: '..' }))).toBe('tool/path-refused')
    expect(await codeOf(use(root, 'list_files', { path: '/' }))).toBe('tool/path-refused')
    expect(await codeOf(use(root, 'list_files', { path: 'none' }))).toBe('tool/folder-missing')
  })

  it('is quick with a .gitignore and a glob made to take for ever', async () => {
    const { root, put } = workspace({ '.gitignore': `${'*a'.repeat(40)}b\n${'**/'.repeat(30)}x\n` })
    for (let index = 0; index < 20; index++) put(`${'a'.repeat(200)}${index}`, '')
    const before = performance.now()
    await use(root, 'list_files', { glob: `${'*a'.repeat(60)}b` })
    await use(root, 'list_files', { glob: `${'**/*a/'.repeat(20)}b` })
    expect(performance.now() - before).toBeLessThan(1000)
  })
})

describe('searching files', () => {
  const files = {
    'a.md': 'Alpha\nbeta alpha\n',
    'b/c.txt': 'alpha\n',
    'b/d.md': 'gamma\n',
    id_rsa: 'alpha\n',
    'node_modules/x.md': 'alpha\n',
  }

  it('shows each line that holds the text or matches the expression, with its place', async () => {
    const { root } = workspace(files)
    expect(await use(root, 'search_files', { text: 'alpha' })).toBe(
      '2 lines in 3 files:\na.md:2: beta alpha\nb/c.txt:1: alpha',
    )
    expect(await use(root, 'search_files', { regex: '^a.*a$', ignore_case: true })).toBe(
      '2 lines in 3 files:\na.md:1: Alpha\nb/c.txt:1: alpha',
    )
    expect(await use(root, 'search_files', { text: 'alpha', glob: '*.md', ignore_case: true, limit: 1 })).toBe(
      '1 line in 2 files so far; there is more, so narrow the search:\na.md:1: Alpha',
    )
    expect(await use(root, 'search_files', { text: 'nowhere' })).toBe('No lines in 3 files.')
  })

  it('wants either a text or an expression that JavaScript can read', async () => {
    const { root } = workspace(files)
    for (const args of [{}, { text: 'a', regex: 'a' }, { regex: '(' }, { text: 'a\nb' }, { text: 'a', glob: '../*' }])
      expect([args, await codeOf(use(root, 'search_files', args))]).toEqual([args, 'tool/bad-arguments'])
  })

  it('passes over large and binary files and says how many', async () => {
    const { root, put } = workspace({ 'a.md': 'x' })
    put('big.txt', Buffer.alloc(1024 * 1024 + 1, 120))
    put('bin.dat', Buffer.from([120, 0, 120]))
    expect(await use(root, 'search_files', { text: 'x' })).toContain('[passed over: 1 over 1 MiB, 1 not text]')
  })

  it('is no way to guess a secret', async () => {
    const { root } = workspace({ 'a.md': 'password = "hunter22!"\n' })
    expect(await use(root, 'search_files', { text: 'password' })).toMatch(/a\.md:1: password = .*secret left out/)
    expect(await use(root, 'search_files', { text: 'hunter22' })).toContain('No lines')
    expect(await use(root, 'search_files', { regex: 'hunter.*' })).toContain('No lines')
  })

  it('gives an expression up that goes back for ever, while everything else goes on', async () => {
    const { root } = workspace({ 'a.md': `${'a'.repeat(60)}b\n` })
    const clock = new HandClock()
    const tools = builtinTools({ root, notify: () => undefined, commands: [], clock })
    const tool = tools.get('search_files')!
    const found = codeOf(tool.run(tool.parse({ regex: '(a+)+$' }), toolRun().run))
    while (clock.nextWakeAt === null) await new Promise((next) => setImmediate(next))
    clock.set(clock.now() + 2000)
    expect(await found).toBe('tool/pattern-too-slow')
    expect(clock.nextWakeAt).toBeNull()
  })

  it('ends at once when it is called off', async () => {
    const { root } = workspace({ 'a.md': `${'a'.repeat(60)}b\n` })
    const clock = new HandClock()
    const abort = new AbortController()
    const tool = builtinTools({ root, notify: () => undefined, commands: [], clock }).get('search_files')!
    const found = codeOf(tool.run(tool.parse({ regex: '(a+)+$' }), toolRun({ signal: abort.signal }).run))
    while (clock.nextWakeAt === null) await new Promise((next) => setImmediate(next))
    abort.abort()
    expect(await found).toBe('tool/aborted')
  })
})

describe('any arguments whatever', () => {
  it('are answered or refused with a sentence', async () => {
    const { root } = workspace({ 'a.md': 'one\ntwo\n', 'b/c.md': 'three\n' })
    const value = fc.oneof(
      fc.constantFrom('a.md', 'b', '.', '', '**', '*.md', '{a,b}', '../x', '.env', '(', 'a|b', '[', '{{{,}}}'),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.integer({ min: -1, max: 500 }),
    )
    const args = fc.dictionary(
      fc.constantFrom('path', 'glob', 'text', 'regex', 'limit', 'lines', 'from_line', 'evaluation', 'odd'),
      value,
      { maxKeys: 3 },
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('read_file', 'list_files', 'search_files'), args, async (tool, given) => {
        expect(await codeOf(use(root, tool, given))).toMatch(/^(none|tool\/.*)$/)
      }),
      { numRuns: 150 },
    )
  })
})
