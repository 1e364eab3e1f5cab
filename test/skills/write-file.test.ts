import { chmodSync, chownSync, mkdirSync, renameSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contentHash } from '../../src/skills/content-hash.ts'
import { type Disk, realDisk } from '../../src/skills/disk.ts'
import { writeFile } from '../../src/skills/write-file.ts'
import { codeOf, diskDyingAtRename, diskFailingAt, diskWith, systemError, toolRun, workspace } from './workspace.ts'

const write = (root: string, path: string, content: string, disk?: Disk, run = toolRun().run) =>
  writeFile(root, disk).run({ path, content }, run)

const leftover = `.undermind-${'0'.repeat(32)}.tmp`

describe('write_file', () => {
  it('replaces a file whole, keeps its mode, and says what stands there now', async () => {
    const { root, put, at, read, list } = workspace()
    put('plan.md', 'old and longer\n')
    chmodSync(at('plan.md'), 0o600)
    expect(await write(root, 'plan.md', 'new')).toBe(`Wrote plan.md (3 bytes, SHA-256 ${contentHash('new')}).`)
    expect(read('plan.md')).toBe('new')
    expect(statSync(at('plan.md')).mode & 0o777).toBe(0o600)
    expect(list()).toEqual(['plan.md'])
  })

  it('keeps the before-image before the file is replaced, and none when nothing changes', async () => {
    const { root, read } = workspace({ 'plan.md': 'old' })
    const seen: string[] = []
    const { run, images } = toolRun()
    const keepBefore: typeof run.keepBefore = (image) => {
      seen.push(read('plan.md'))
      run.keepBefore(image)
    }
    await write(root, 'plan.md', 'new', realDisk, { ...run, keepBefore })
    expect(seen).toEqual(['old'])
    expect(images).toEqual([
      { path: 'plan.md', before: Buffer.from('old'), beforeHash: contentHash('old'), afterHash: contentHash('new') },
    ])
    expect(await write(root, 'plan.md', 'new', realDisk, run)).toContain('Left as it was')
    expect(images).toHaveLength(1)
    await write(root, 'fresh.md', '', realDisk, run)
    expect(images[1]).toMatchObject({ before: null, beforeHash: null, afterHash: contentHash('') })
  })

  it('leaves the file as it was when the before-image cannot be kept', async () => {
    const { root, read, list } = workspace({ 'plan.md': 'old' })
    const { run } = toolRun({
      keepBefore: () => {
        throw new Error('the store is locked')
      },
    })
    await expect(write(root, 'plan.md', 'new', realDisk, run)).rejects.toThrow('the store is locked')
    expect(read('plan.md')).toBe('old')
    expect(list()).toEqual(['plan.md'])
  })

  it('writes nothing when another content was expected', async () => {
    const { root, read, list } = workspace({ 'plan.md': 'old' })
    const tool = writeFile(root)
    const { run, images } = toolRun()
    const expecting = (path: string, hash: string) => tool.run({ path, content: 'new', expectedHash: hash }, run)
    expect(await codeOf(expecting('plan.md', contentHash('other')))).toBe('tool/changed-since')
    expect(await codeOf(expecting('absent.md', contentHash('other')))).toBe('tool/changed-since')
    expect(await codeOf(expecting('plan.md', 'abc'))).toBe('tool/bad-arguments')
    expect([read('plan.md'), list(), images]).toEqual(['old', ['plan.md'], []])
    await expecting('plan.md', contentHash('old').toUpperCase())
    expect(read('plan.md')).toBe('new')
  })

  it('refuses content, results and present files that are too large', async () => {
    const { root, put, at } = workspace()
    const tool = writeFile(root)
    expect(() => tool.parse({ path: 'a.md', content: 'x'.repeat(1024 * 1024 + 1) })).toThrow('at most 1048576')
    put('huge.md', '')
    truncateSync(at('huge.md'), 8 * 1024 * 1024 + 1)
    expect(await codeOf(write(root, 'huge.md', 'x'))).toBe('tool/too-large')
    expect(statSync(at('huge.md')).size).toBe(8 * 1024 * 1024 + 1)
  })

  it('respects a file that is marked read-only', async () => {
    const { root, at, read } = workspace({ 'plan.md': 'old' })
    chmodSync(at('plan.md'), 0o444)
    expect(await codeOf(write(root, 'plan.md', 'new'))).toBe('tool/read-only')
    expect(read('plan.md')).toBe('old')
  })

  it('stops when it was told to before the file is replaced', async () => {
    const { root, read, list } = workspace({ 'plan.md': 'old' })
    const early = toolRun({ signal: AbortSignal.abort() })
    const untouched = diskWith({ realpath: (() => Promise.reject(new Error('looked'))) as Disk['realpath'] })
    expect(await codeOf(write(root, 'plan.md', 'new', untouched, early.run))).toBe('tool/aborted')
    const stop = new AbortController()
    const disk = diskWith({
      readdir: (async (path: string) => {
        stop.abort()
        return realDisk.readdir(path)
      }) as typeof realDisk.readdir,
    })
    const late = toolRun({ signal: stop.signal })
    expect(await codeOf(write(root, 'plan.md', 'new', disk, late.run))).toBe('tool/aborted')
    expect([read('plan.md'), list(), late.images]).toEqual(['old', ['plan.md'], []])
  })

  it('lets the version stand that somebody saves at the same moment', async () => {
    for (const there of [true, false]) {
      const { root, put, read, list } = workspace(there ? { 'plan.md': 'old' } : {})
      const disk = diskWith({
        open: async (path, flags, mode) => {
          if (String(path).endsWith('.tmp')) put('plan.md', 'theirs')
          return realDisk.open(path, flags, mode)
        },
      })
      const { run, images } = toolRun()
      expect(await codeOf(write(root, 'plan.md', 'new', disk, run))).toBe('tool/changed-meanwhile')
      expect([read('plan.md'), list(), images]).toEqual(['theirs', ['plan.md'], []])
    }
  })

  it.runIf(process.getuid?.() === 0)('leaves a file with its owner', async () => {
    const { root, at } = workspace({ 'plan.md': 'old' })
    chownSync(at('plan.md'), 1234, 1235)
    await write(root, 'plan.md', 'new')
    expect(statSync(at('plan.md'))).toMatchObject({ uid: 1234, gid: 1235 })
    chownSync(at('plan.md'), 1234, 1236)
    await write(root, 'plan.md', 'newer', diskFailingAt('chown', 'EPERM'))
    expect(statSync(at('plan.md'))).toMatchObject({ uid: 0 })
  })
})

describe('a disk that fails', () => {
  it.each([
    ['writeFile', 'ENOSPC', 'tool/disk-full'],
    ['writeFile', 'EDQUOT', 'tool/disk-full'],
    ['sync', 'ENOSPC', 'tool/disk-full'],
    ['sync', 'EIO', 'tool/disk-failed'],
    ['writeFile', 'EROFS', 'tool/read-only'],
    ['chmod', 'EACCES', 'tool/not-permitted'],
  ] as const)('leaves the file untouched and nothing beside it: %s answers %s', async (call, code, fault) => {
    const { root, read, list } = workspace({ 'plan.md': 'old' })
    const { run, images } = toolRun()
    expect(await codeOf(write(root, 'plan.md', 'new', diskFailingAt(call, code), run))).toBe(fault)
    expect([read('plan.md'), list(), images]).toEqual(['old', ['plan.md'], []])
  })

  it('leaves the file untouched when it is read-only from the start or refuses the last step', async () => {
    const { root, read, list } = workspace({ 'plan.md': 'old' })
    const open: Disk['open'] = async (path, flags, mode) => {
      if (String(path).endsWith('.tmp')) throw systemError('EROFS')
      return realDisk.open(path, flags, mode)
    }
    expect(await codeOf(write(root, 'plan.md', 'new', diskWith({ open })))).toBe('tool/read-only')
    const rename = () => Promise.reject(systemError('ENOSPC'))
    expect(await codeOf(write(root, 'plan.md', 'new', diskWith({ rename })))).toBe('tool/disk-full')
    expect([read('plan.md'), list()]).toEqual(['old', ['plan.md']])
  })

  it('says that a change was made but not confirmed, rather than that it failed', async () => {
    const { root, read } = workspace({ 'plan.md': 'old' })
    const folderAnswering = (code: string) =>
      diskWith({
        open: async (path, flags, mode) => {
          const handle = await realDisk.open(path, flags, mode)
          if ((await handle.stat()).isDirectory()) handle.sync = () => Promise.reject(systemError(code))
          return handle
        },
      })
    await expect(write(root, 'plan.md', 'new', folderAnswering('EIO'))).rejects.toThrow('Changed plan.md, but')
    expect(read('plan.md')).toBe('new')
    expect(await write(root, 'plan.md', 'newer', folderAnswering('EINVAL'))).toContain('Wrote')
  })
})

describe('a write that was killed', () => {
  it('before the file was replaced is known not to have happened, after it to have happened', async () => {
    for (const when of ['before', 'after'] as const) {
      const { root, read, list } = workspace({ 'plan.md': 'old' })
      const { run, images } = toolRun()
      await expect(write(root, 'plan.md', 'new', diskDyingAtRename(when), run)).rejects.toThrow('killed')
      expect(images).toHaveLength(1)
      const happened = await writeFile(root).check?.({ path: 'plan.md', content: 'new' }, run)
      expect([when, happened, read('plan.md')]).toEqual(
        when === 'before' ? ['before', 'notHappened', 'old'] : ['after', 'happened', 'new'],
      )
      expect(list()).toHaveLength(when === 'before' ? 2 : 1)
    }
  })

  it('is told apart for a new file, too', async () => {
    for (const when of ['before', 'after'] as const) {
      const { root } = workspace()
      const { run } = toolRun()
      await expect(write(root, 'new.md', 'new', diskDyingAtRename(when), run)).rejects.toThrow('killed')
      const happened = await writeFile(root).check?.({ path: 'new.md', content: 'new' }, run)
      expect(happened).toBe(when === 'before' ? 'notHappened' : 'happened')
    }
  })

  it('did not happen when no before-image was kept, and cannot be judged when the file is another or out of reach', async () => {
    const { root, at, put, outside } = workspace({ 'sub/plan.md': 'old' })
    const { run } = toolRun()
    const check = () => writeFile(root).check?.({ path: 'sub/plan.md', content: 'new' }, run)
    expect(await check()).toBe('notHappened')
    await write(root, 'sub/plan.md', 'new', realDisk, run)
    expect(await check()).toBe('happened')
    put('sub/plan.md', 'edited')
    expect(await check()).toBe('unknown')
    renameSync(at('sub'), outside)
    expect(await check()).toBe('unknown')
    symlinkSync(outside, at('sub'))
    expect(await check()).toBe('unknown')
  })

  it('leaves a temporary file that the next write in that folder takes away, with nothing else', async () => {
    const { root, put, list, at } = workspace({ 'plan.md': 'old' })
    await expect(write(root, 'plan.md', 'new', diskDyingAtRename('before'))).rejects.toThrow('killed')
    put(leftover, 'half')
    put('.undermind-undone.tmp', 'the user’s own')
    put(`sub/${leftover}`, 'another folder')
    mkdirSync(at(`.undermind-${'1'.repeat(32)}.tmp`))
    await write(root, 'other.md', 'x')
    expect(list()).toEqual([`.undermind-${'1'.repeat(32)}.tmp`, '.undermind-undone.tmp', 'other.md', 'plan.md', 'sub'])
    expect(list('sub')).toEqual([leftover])
  })
})
