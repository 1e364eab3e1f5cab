import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, isAbsolute, join, relative } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { confined } from '../../src/skills/confine.ts'
import type { realDisk } from '../../src/skills/disk.ts'
import { codeOf, diskWith, refusalOf, systemError, workspace } from './workspace.ts'

describe('a path in the workspace', () => {
  it('is found below the real workspace folder, with empty and single-dot names taken out', async () => {
    const { root, put } = workspace()
    put('notes/day.md', 'x')
    const place = await confined(root, './notes//./day.md')
    expect(place).toMatchObject({ path: 'notes/day.md', name: 'day.md', exists: true })
    expect(place.folder).toBe(join(realpathSync(root), 'notes'))
  })

  it('may name a file that is not there yet, and a workspace reached by a link of the user’s own', async () => {
    const { root, outside } = workspace()
    symlinkSync(root, outside)
    const place = await confined(outside, 'new.md')
    expect(place).toMatchObject({ path: 'new.md', folder: realpathSync(root), exists: false })
  })

  it.each([
    '会议：计划.md',
    '输入／输出.md',
    'Ünïcode ünd Leerzeichen.md',
    '.gitignore',
    '.github/x.yml',
    'git/environment.md',
  ])('may be called %s', async (path) => {
    const { root, put } = workspace()
    put(path, '')
    expect((await confined(root, path)).path).toBe(path)
  })

  it('asks for the folder when it is not there, and does not make it', async () => {
    const { root, list } = workspace()
    expect(await codeOf(confined(root, 'a/b/c.md'))).toBe('tool/folder-missing')
    await expect(confined(root, 'a/b/c.md')).rejects.toThrow('there is no folder a.')
    expect(list()).toEqual([])
  })
})

describe('a path that leads or might lead elsewhere', () => {
  it.each([
    ['/etc/passwd', 'it is absolute'],
    ['\\\\server\\share', 'it is absolute'],
    ['C:notes.md', 'it is absolute'],
    ['../outside.md', 'upwards'],
    ['a/../../outside.md', 'upwards'],
    ['a/../b.md', 'upwards'],
    ['‥/outside.md', 'upwards'],
    ['．．/outside.md', 'upwards'],
    ['..', 'upwards'],
    ['a\\b.md', 'backslash'],
    ['notes.md:stream', 'colon'],
    ['notes.md::$DATA', 'colon'],
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['.', 'it names a folder'],
    ['notes/', 'it names a folder'],
    ['notes/.', 'it names a folder'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['a\u009bb', 'control character'],
    ['a\u202egpj.md', 'direction of text'],
    ['a\ud800b', 'control character'],
    ['notes.md.', 'ends with a dot or a space'],
    ['notes.md ', 'ends with a dot or a space'],
    ['notes. /a.md', 'ends with a dot or a space'],
    ['...', 'upwards'],
    ['nul', 'device'],
    ['a/COM1.txt', 'device'],
    [`${'é'.repeat(128)}.md`, 'a name in it is longer'],
    ['a/'.repeat(600), 'it is longer than 1024 bytes'],
  ])('%j is refused', async (path, why) => {
    const { root } = workspace()
    const refusal = await refusalOf(root, path)
    expect(refusal).toContain('Refused the path "')
    expect(refusal).toContain(why)
    expect(refusal).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('is refused when the system finds it too long', async () => {
    const { root } = workspace()
    const disk = diskWith({ lstat: (() => Promise.reject(systemError('ENAMETOOLONG'))) as typeof realDisk.lstat })
    expect(await codeOf(confined(root, 'a.md', { disk }))).toBe('tool/path-refused')
  })

  it('is refused when the workspace is not there', async () => {
    const { outside } = workspace()
    expect(await refusalOf(outside, 'a.md')).toContain('the workspace folder is not there')
  })
})

describe('a symbolic link', () => {
  it('is refused as the file, dangling or not', async () => {
    const { root, put, at, outside } = workspace()
    put('real.md', 'x')
    symlinkSync(at('real.md'), at('inside.md'))
    symlinkSync(join(outside, 'nothing.md'), at('dangling.md'))
    for (const path of ['inside.md', 'dangling.md'])
      expect(await refusalOf(root, path)).toContain('it is a symbolic link')
  })

  it('is refused as any folder on the way, even when it leads to a folder of the workspace', async () => {
    const { root, at, outside } = workspace()
    mkdirSync(outside)
    mkdirSync(at('a/b'), { recursive: true })
    symlinkSync(outside, at('out'))
    symlinkSync(at('a'), at('in'))
    symlinkSync(outside, at('a/b/deep'))
    expect(await refusalOf(root, 'out/x.md')).toContain('out is a symbolic link')
    expect(await refusalOf(root, 'in/b/x.md')).toContain('in is a symbolic link')
    expect(await refusalOf(root, 'a/b/deep/x.md')).toContain('a/b/deep is a symbolic link')
  })
})

describe('what is no regular file', () => {
  it('is refused: a folder, a pipe, a socket, a file used as a folder', async () => {
    const { root, put, at } = workspace()
    mkdirSync(at('folder'))
    put('file.md', 'x')
    execFileSync('mkfifo', [at('pipe')])
    const server = createServer().listen(at('socket'))
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    expect(await refusalOf(root, 'folder')).toContain('it is a folder')
    expect(await refusalOf(root, 'pipe')).toContain('it is not a regular file')
    expect(await refusalOf(root, 'socket')).toContain('it is not a regular file')
    expect(await refusalOf(root, 'file.md/x')).toContain('file.md is not a folder')
  })
})

describe('any text whatever as a path', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '‥',
      '.git',
      '.GIT',
      '.g\u200dit',
      '.undermind',
      '.env',
      '.Env.x',
      '.mcp.json',
      'HEARTBEAT.md',
    ),
    fc.constantFrom(
      'undermind.toml',
      'notes',
      'notes ',
      'link',
      'notes.md',
      'loop',
      'C:',
      '~',
      '%2e%2e',
      'a:b',
      'a\\..\\b',
      '\0',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  const anyPath = fc.oneof(
    fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('/')),
    fc.string({ unit: 'binary' }),
  )

  it('either leads to an unprotected place inside or is refused with a sentence', async () => {
    const { root, put, at, outside } = workspace()
    mkdirSync(outside)
    writeFileSync(join(outside, 'notes.md'), 'x')
    put('notes/notes.md', 'x')
    symlinkSync(outside, at('link'))
    symlinkSync(at('loop'), at('loop'))
    let allowed = 0
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        try {
          const place = await confined(root, path)
          allowed += 1
          const file = join(place.folder, place.name)
          const inside = relative(realpathSync(root), file)
          expect(isAbsolute(inside) || inside === '' || inside.split('/').includes('..')).toBe(false)
          expect(realpathSync(dirname(file))).toBe(dirname(file))
          expect(inside).not.toMatch(
            /(^|\/)(\.git|\.undermind|\.env[^/]*|\.mcp\.json|heartbeat\.md|undermind\.toml)(\/|$)/i,
          )
          expect(place.exists ? lstatSync(file).isFile() : true).toBe(true)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          expect(['tool/path-refused', 'tool/folder-missing']).toContain(error.code)
          expect(error.message).not.toMatch(/[\p{Cc}]/u)
        }
      }),
      { numRuns: 1500 },
    )
    expect(allowed).toBeGreaterThan(50)
  })
})
