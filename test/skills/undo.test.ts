import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BeforeImage } from '../../src/domain/tool.ts'
import { appendFile } from '../../src/skills/append-file.ts'
import { contentHash } from '../../src/skills/content-hash.ts'
import { realDisk } from '../../src/skills/disk.ts'
import { undo } from '../../src/skills/undo.ts'
import { writeFile } from '../../src/skills/write-file.ts'
import { codeOf, diskFailingAt, diskWith, toolRun, workspace } from './workspace.ts'

/** A workspace in which these writes were made, and the images kept of them. */
const written = async (files: Record<string, string>, writes: [path: string, content: string][]) => {
  const place = workspace(files)
  const { run, images } = toolRun()
  for (const [path, content] of writes) await writeFile(place.root).run({ path, content }, run)
  return { ...place, images }
}

describe('undo', () => {
  it('restores what stood there, takes away what was not there, newest first, and then has nothing left to do', async () => {
    const { root, images, read, at, list } = await written({ 'a.md': 'a0' }, [
      ['a.md', 'a1'],
      ['new.md', 'n1'],
      ['a.md', 'a2'],
    ])
    expect(await undo(root, images)).toEqual([
      { path: 'a.md', outcome: 'restored', copy: null },
      { path: 'new.md', outcome: 'removed', copy: null },
    ])
    expect([read('a.md'), existsSync(at('new.md')), list()]).toEqual(['a0', false, ['a.md']])
    expect(await codeOf(undo(root, images))).toBe('undo/nothing-to-undo')
    expect(await codeOf(undo(root, images, { force: true }))).toBe('undo/nothing-to-undo')
    expect(await codeOf(undo(root, []))).toBe('undo/nothing-to-undo')
  })

  it('takes back an append and keeps the mode', async () => {
    const { root, at, read } = workspace({ 'a.md': 'one' })
    chmodSync(at('a.md'), 0o600)
    const { run, images } = toolRun()
    await appendFile(root).run({ path: 'a.md', text: 'two' }, run)
    await undo(root, images)
    expect([read('a.md'), statSync(at('a.md')).mode & 0o777]).toEqual(['one', 0o600])
  })

  it('touches no file at all when one of them was changed since, and names it', async () => {
    const { root, images, put, read } = await written({ 'a.md': 'a0', 'b.md': 'b0' }, [
      ['a.md', 'a1'],
      ['b.md', 'b1'],
    ])
    put('a.md', 'a1 and more')
    await expect(undo(root, images)).rejects.toThrow('Cannot undo: a.md was changed')
    expect(await codeOf(undo(root, images))).toBe('undo/changed-since')
    expect([read('a.md'), read('b.md')]).toEqual(['a1 and more', 'b1'])
  })

  it('forced, keeps a copy of what was changed since, as private as the file', async () => {
    const { root, images, put, at, read, list } = await written({ 'a.md': 'a0' }, [['a.md', 'a1']])
    put('a.md', 'mine')
    chmodSync(at('a.md'), 0o600)
    const copy = `a.md.undermind-undo-${contentHash('mine').slice(0, 8)}`
    expect(await undo(root, images, { force: true })).toEqual([{ path: 'a.md', outcome: 'restored', copy }])
    expect([read('a.md'), read(copy), list()]).toEqual(['a0', 'mine', ['a.md', copy]])
    expect(statSync(at(copy)).mode & 0o777).toBe(0o600)
  })

  it('forced, overwrites no other file that has the name of the copy', async () => {
    const { root, images, put, read } = await written({ 'a.md': 'a0' }, [['a.md', 'a1']])
    const copy = `a.md.undermind-undo-${contentHash('mine').slice(0, 8)}`
    put('a.md', 'mine')
    put(copy, 'something else')
    expect(await codeOf(undo(root, images, { force: true }))).toBe('undo/copy-in-the-way')
    expect([read('a.md'), read(copy)]).toEqual(['mine', 'something else'])
    put(copy, 'mine')
    await undo(root, images, { force: true })
    expect(read('a.md')).toBe('a0')
  })

  it('forced, brings back a file that was deleted since', async () => {
    const { root, images, at, read } = await written({ 'a.md': 'a0' }, [['a.md', 'a1']])
    rmSync(at('a.md'))
    expect(await codeOf(undo(root, images))).toBe('undo/changed-since')
    expect(await undo(root, images, { force: true })).toEqual([{ path: 'a.md', outcome: 'restored', copy: null }])
    expect(read('a.md')).toBe('a0')
  })

  it('refuses when somebody wrote between two writes that are undone together', async () => {
    const { root, put, read } = workspace({ 'a.md': 'a0' })
    const { run, images } = toolRun()
    await writeFile(root).run({ path: 'a.md', content: 'a1' }, run)
    put('a.md', 'theirs')
    await writeFile(root).run({ path: 'a.md', content: 'a2' }, run)
    expect(await codeOf(undo(root, images))).toBe('undo/changed-since')
    expect(await undo(root, images.slice(1))).toHaveLength(1)
    expect(read('a.md')).toBe('theirs')
  })

  it('passes over a write that was prepared and never made', async () => {
    const { root, images, read } = await written({ 'a.md': 'a0' }, [['a.md', 'a1']])
    const never: BeforeImage = {
      path: 'a.md',
      before: Buffer.from('a1'),
      beforeHash: contentHash('a1'),
      afterHash: contentHash('a2'),
    }
    await undo(root, [...images, never])
    expect(read('a.md')).toBe('a0')
  })

  it('restores the others when the folder of a new file is gone', async () => {
    const { root, images, at, read } = await written({ 'a.md': 'a0', 'sub/x.md': '' }, [
      ['a.md', 'a1'],
      ['sub/new.md', 'n1'],
    ])
    rmSync(at('sub'), { recursive: true })
    expect(await undo(root, images)).toEqual([
      { path: 'sub/new.md', outcome: 'unchanged', copy: null },
      { path: 'a.md', outcome: 'restored', copy: null },
    ])
    expect(read('a.md')).toBe('a0')
  })

  it('writes nowhere outside and to nothing protected, whatever the images say', async () => {
    const { root, images, at, outside } = await written({ 'sub/a.md': 'a0' }, [['sub/a.md', 'a1']])
    renameSync(at('sub'), outside)
    symlinkSync(outside, at('sub'))
    expect(await codeOf(undo(root, images, { force: true }))).toBe('tool/path-refused')
    for (const path of ['../x.md', '.undermind/state.db', 'HEARTBEAT.md']) {
      const image = { path, before: Buffer.from('x'), beforeHash: contentHash('x'), afterHash: contentHash('y') }
      expect(await codeOf(undo(root, [image], { force: true }))).toBe('tool/path-refused')
    }
  })

  it('stops half-way when the disk is full, loses nothing, and ends when repeated', async () => {
    const { root, images, read, list } = await written({ 'a.md': 'a0', 'b.md': 'b0' }, [
      ['a.md', 'a1'],
      ['b.md', 'b1'],
    ])
    expect(await codeOf(undo(root, images, { disk: diskFailingAt('sync', 'ENOSPC') }))).toBe('tool/disk-full')
    expect([read('a.md'), read('b.md'), list()]).toEqual(['a1', 'b1', ['a.md', 'b.md']])
    await undo(root, images.slice(1))
    expect(await undo(root, images)).toEqual([
      { path: 'b.md', outcome: 'unchanged', copy: null },
      { path: 'a.md', outcome: 'restored', copy: null },
    ])
  })

  it('does not overwrite what is saved while it runs', async () => {
    const { root, images, put, read } = await written({ 'a.md': 'a0' }, [['a.md', 'a1']])
    let opened = 0
    const disk = diskWith({
      open: async (path, flags, mode) => {
        if (String(path).endsWith('a.md')) opened += 1
        if (opened === 2) put('a.md', 'theirs')
        return realDisk.open(path, flags, mode)
      },
    })
    expect(await codeOf(undo(root, images, { disk }))).toBe('undo/changed-since')
    expect(read('a.md')).toBe('theirs')
  })

  it('leaves a folder alone that took the place of the file', async () => {
    const { root, images, at } = await written({}, [['new.md', 'n1']])
    rmSync(at('new.md'))
    mkdirSync(at('new.md'))
    expect(await codeOf(undo(root, images, { force: true }))).toBe('tool/path-refused')
  })

  it('leads back to the beginning from any series of writes', async () => {
    const content = fc.constantFrom('', 'x', 'y', 'z\n')
    const file = fc.constantFrom('a.md', 'b.md', 'c.md')
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.tuple(file, content), { maxLength: 8 }), async (start, writes) => {
        const { root, images, list, read } = await written({ 'a.md': start }, writes)
        const standing = list().map((path) => [path, read(path)])
        const code = await codeOf(undo(root, images))
        expect(list()).toEqual(['a.md'])
        expect(read('a.md')).toBe(start)
        expect(code).toBe(standing.length === 1 && standing[0]?.[1] === start ? 'undo/nothing-to-undo' : 'none')
      }),
      { numRuns: 60 },
    )
  })
})
