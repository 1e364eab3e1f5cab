import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { chdir, cwd } from 'node:process'
import { describe, expect, it } from 'vitest'
import { item, workspace } from './workspace.ts'

describe('a hostile tree', () => {
  it('is read past a pipe, a socket and a device, none of which is opened', async () => {
    const folder = workspace({ 'a.md': 'a' })
    execFileSync('mkfifo', [folder.path('pipe.md')])
    const server = createServer().listen(folder.path('socket.md'))
    await new Promise((listening) => server.once('listening', listening))
    try {
      expect(await folder.read()).toEqual({ added: ['a.md'], skipped: ['pipe.md', 'socket.md'] })
      expect(await folder.reasons()).toEqual({ 'pipe.md': 'a pipe', 'socket.md': 'a socket' })
    } finally {
      server.close()
    }
  })

  it('leads nowhere by links: not out of the root, not in circles, not to a file beside', async () => {
    const outside = workspace({ 'secret.md': 'secret' })
    const folder = workspace({ 'a.md': 'a', 'sub/b.md': 'b' })
    symlinkSync(outside.root, folder.path('out'))
    symlinkSync(outside.path('secret.md'), folder.path('secret.md'))
    symlinkSync('..', folder.path('sub/up'))
    symlinkSync('loop', folder.path('loop'))
    symlinkSync('a.md', folder.path('same.md'))
    symlinkSync(outside.path('secret.md'), folder.path('.gitignore'))
    expect(await folder.read()).toEqual({
      added: ['a.md', 'sub/b.md'],
      skipped: ['.gitignore', 'loop', 'out', 'same.md', 'secret.md', 'sub/up'],
    })
  })

  it('loses an item that becomes a link or a pipe', async () => {
    const folder = workspace({ 'a.md': 'a', 'b.md': 'b', 'c/d.md': 'd' })
    await folder.read()
    const outside = workspace({ 'd.md': 'other' })
    for (const name of ['a.md', 'b.md', 'c/d.md']) unlinkSync(folder.path(name))
    symlinkSync(outside.path('d.md'), folder.path('a.md'))
    execFileSync('mkfifo', [folder.path('b.md')])
    execFileSync('rmdir', [folder.path('c')])
    symlinkSync(outside.root, folder.path('c'))
    expect(await folder.read()).toEqual({ removed: ['a.md', 'b.md', 'c/d.md'], skipped: ['c'] })
    expect((await folder.read()).removed).toBeUndefined()
  })

  it('has names that no key can be: with a line break, with bytes that are no text, with what looks like an escape', async () => {
    const folder = workspace({ 'two\nlines.md': 'one', '50%25.md': 'two' })
    writeFileSync(Buffer.concat([Buffer.from(folder.path('bad')), Buffer.from([0xff])]), 'three')
    mkdirSync(Buffer.concat([Buffer.from(folder.path('dir')), Buffer.from([0xfe])]))
    writeFileSync(Buffer.concat([Buffer.from(folder.path('dir')), Buffer.from([0xfe]), Buffer.from('/in.md')]), 'four')
    expect(await folder.read()).toEqual({ added: ['50%2525.md', 'bad%FF', 'dir%FE/in.md', 'two%0Alines.md'] })
    expect(item(folder, 'dir%FE/in.md').body).toBe('four')
    expect(item(folder, 'two%0Alines.md').title).toBe('two%0Alines.md')
    expect(await folder.read()).toEqual({})
  })

  it('is skipped where it is too large or not text, and what was known of such a file stays', async () => {
    const folder = workspace({ 'a.md': 'small', 'b.md': 'text' }, { maxFileBytes: 10 })
    await folder.read()
    folder.write('a.md', 'x'.repeat(11))
    folder.write('b.md', Buffer.from([1, 0, 2]))
    expect(await folder.read()).toEqual({ skipped: ['a.md', 'b.md'] })
    expect(await folder.reasons()).toEqual({ 'a.md': 'larger than 10 bytes', 'b.md': 'not text' })
    folder.write('a.md', 'x'.repeat(10))
    expect(await folder.read()).toEqual({ modified: ['a.md'], skipped: ['b.md'] })
  })

  it('tells each reason once, and once more when it comes back', async () => {
    const told: string[] = []
    const binary = Buffer.from([0])
    const folder = workspace(
      { 'b.md': binary, 'c.md': binary },
      { onSkip: (key, reason) => told.push(`${key}: ${reason}`) },
    )
    symlinkSync('b.md', folder.path('link'))
    for (let count = 0; count < 3; count++) await folder.read()
    expect(told.sort()).toEqual(['b.md: not text', 'c.md: not text', 'link: a symbolic link'])
    folder.write('b.md', 'text')
    unlinkSync(folder.path('c.md'))
    await folder.read()
    folder.write('b.md', binary)
    folder.write('c.md', binary)
    await folder.read()
    expect(told.slice(3).sort()).toEqual(['b.md: not text', 'c.md: not text'])
  })

  it('may be as deep as paths can be said, and deeper', async () => {
    const folder = workspace()
    const here = cwd()
    const name = 'd'.repeat(100)
    try {
      chdir(folder.root)
      for (let depth = 0; depth < 50; depth++) {
        mkdirSync(name)
        chdir(name)
        writeFileSync('f.md', `${depth}`)
      }
    } finally {
      chdir(here)
    }
    const { added = [], skipped = [] } = await folder.read()
    const deepest = Math.max(...added.map((key) => key.split('/').length - 1))
    expect(deepest).toBeGreaterThan(35)
    expect(added).toHaveLength(deepest)
    expect(skipped).toHaveLength(1)
    expect(Object.values(await folder.reasons())).toEqual(['its path is too long'])
  })

  it('may have a folder in a folder two hundred times', async () => {
    const folder = workspace({ [`${'d/'.repeat(200)}f.md`]: 'deep' })
    expect((await folder.read()).added).toHaveLength(1)
  })
})
