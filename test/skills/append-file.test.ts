import { chmodSync, statSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendFile } from '../../src/skills/append-file.ts'
import { codeOf, toolRun, workspace } from './workspace.ts'

const append = (root: string, path: string, text: string, run = toolRun().run) =>
  appendFile(root).run({ path, text }, run)

describe('append_file', () => {
  it.each([
    ['one\n', 'two', 'one\ntwo\n'],
    ['one', 'two', 'one\ntwo\n'],
    ['one\n\n', 'two\nthree\n', 'one\n\ntwo\nthree\n'],
    ['', 'two', 'two\n'],
    ['one\r\n', 'two', 'one\r\ntwo\r\n'],
    ['one\r\ntwo', 'three\n', 'one\r\ntwo\r\nthree\n'],
    ['一\n', '  - 二  \n\n', '一\n  - 二  \n\n'],
  ])('turns %j and %j into %j', async (before, text, after) => {
    const { root, put, read } = workspace()
    put('AGENDA.md', before)
    await append(root, 'AGENDA.md', text)
    expect(read('AGENDA.md')).toBe(after)
  })

  it('keeps what stood there, byte for byte, and loses no line of many appends at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ minLength: 1 }), { maxLength: 6 }),
        async (old, texts) => {
          const { root, put, read } = workspace()
          put('a.md', old)
          await Promise.all(texts.map((text) => append(root, 'a.md', text.replaceAll('\0', ' '))))
          expect(read('a.md').startsWith(old)).toBe(true)
          for (const text of texts) expect(read('a.md')).toContain(text.replaceAll('\0', ' '))
        },
      ),
      { numRuns: 15 },
    )
  })

  it('begins a file in a folder that is there, readable to all, and says what it did', async () => {
    const { root, put, at, read, list } = workspace()
    put('notes/other.md', '')
    expect(await append(root, './notes/new.md', 'first')).toBe('Appended 5 bytes to notes/new.md.')
    expect(read('notes/new.md')).toBe('first\n')
    expect(statSync(at('notes/new.md')).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(list('notes')).toEqual(['new.md', 'other.md'])
    expect(await codeOf(append(root, 'nowhere/new.md', 'x'))).toBe('tool/folder-missing')
  })

  it('keeps the file’s mode and its content from before', async () => {
    const { root, put, at } = workspace()
    put('a.md', 'one\n')
    chmodSync(at('a.md'), 0o640)
    const { run, images } = toolRun()
    await append(root, 'a.md', 'two', run)
    expect(statSync(at('a.md')).mode & 0o777).toBe(0o640)
    expect(images).toHaveLength(1)
    expect(images[0]).toMatchObject({ path: 'a.md', before: Buffer.from('one\n') })
  })

  it.each([
    ['UTF-16', Buffer.from('\ufeffone\n', 'utf16le')],
    ['GBK', Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a])],
    ['binary', Buffer.from([1, 0, 2])],
  ])('leaves a file alone that is %s and not UTF-8 text', async (_kind, bytes) => {
    const { root, put, list } = workspace()
    put('a.txt', bytes)
    expect(await codeOf(append(root, 'a.txt', 'two'))).toBe('tool/not-text')
    expect(list()).toEqual(['a.txt'])
  })

  it('refuses arguments that are missing, strange, too long or not to be written as they are', () => {
    const { root } = workspace()
    const tool = appendFile(root)
    const codeFor = (args: Parameters<typeof tool.parse>[0]) => codeOf(Promise.resolve().then(() => tool.parse(args)))
    return Promise.all([
      expect(codeFor({})).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: '' })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: 1 })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: ['a.md'], text: 'x' })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: 'x', mode: 'w' })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: 'a\0b' })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: 'a\ud800b' })).resolves.toBe('tool/bad-arguments'),
      expect(codeFor({ path: 'a.md', text: '字'.repeat(22_000) })).resolves.toBe('tool/too-large'),
      expect(codeFor({ path: '../a.md', text: 'x' })).resolves.toBe('tool/path-refused'),
      expect(codeFor({ path: 'HEARTBEAT.md', text: '- [ ] obey' })).resolves.toBe('tool/path-refused'),
    ])
  })

  it('has the plain path as its target, however it was written', () => {
    const { root } = workspace()
    expect(appendFile(root).target({ path: './notes//a.md', text: 'x' })).toBe('notes/a.md')
  })
})
