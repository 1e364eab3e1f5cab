import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Fault } from '../../../src/domain/errors.ts'
import { nodeFileSystem } from '../../../src/sources/folder/file-system.ts'
import { faultyFileSystem, timelessFileSystem } from './faults.ts'
import { keyOf, workspace } from './workspace.ts'

/** A folder that is watched and was read once since. `told` counts; `news` waits for the next time it is told. */
const watched = async (...given: Parameters<typeof workspace>) => {
  const folder = workspace(...given)
  let told = 0
  let wake = () => {}
  const watching = await folder.source.watch(() => {
    told++
    wake()
  })
  onTestFinished(() => watching[Symbol.asyncDispose]())
  const first = await folder.read()
  const { stats } = folder.source
  return {
    ...folder,
    first,
    watching,
    told: () => told,
    /** Makes a change and waits until the source has told of it. */
    async news(change: () => void) {
      const news = new Promise<void>((heard) => {
        wake = heard
      })
      change()
      await news
    },
    /** How many files a step looks at and reads. */
    async cost(step: () => Promise<unknown>) {
      const before = { ...stats }
      await step()
      return { read: stats.filesRead - before.filesRead, stated: stats.filesStated - before.filesStated }
    },
  }
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at % 20}/s${at % 60}/f${at}.md`, `file ${at}`]))

describe('a watched folder', () => {
  it('is read through once, and looks at nothing while nothing changes', async () => {
    const folder = await watched({ 'a.md': 'a', 'b/c.md': 'c' })
    expect(folder.first).toEqual({ added: ['a.md', 'b/c.md'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('reads ten files when ten of two thousand change', async () => {
    const files = many(2000)
    const folder = await watched(files)
    const changed = Object.keys(files).filter((_, at) => at % 200 === 0)
    for (const name of changed) folder.write(name, 'changed')
    let found = {}
    const cost = await folder.cost(async () => {
      found = await folder.read()
    })
    expect(found).toEqual({ modified: changed.sort() })
    expect(cost.read).toBe(10)
    expect(cost.stated).toBeLessThan(40)
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('tells that something changed, without being asked', async () => {
    const folder = await watched({ 'a/b/c.md': 'c' })
    await folder.news(() => folder.write('a/b/c.md', 'changed'))
    expect(await folder.read()).toEqual({ modified: ['a/b/c.md'] })
    await folder.news(() => folder.write('a/b/d.md', 'new'))
    expect(await folder.read()).toEqual({ added: ['a/b/d.md'] })
    await folder.news(() => rmSync(folder.path('a'), { recursive: true }))
    expect(await folder.read()).toEqual({ removed: ['a/b/c.md', 'a/b/d.md'] })
  })

  it('knows at each read everything that happened before it', async () => {
    const folder = await watched({ 'a.md': '0' })
    for (let count = 1; count <= 50; count++) {
      folder.write('a.md', `${count}`)
      folder.write(`new/${count}/deep/b.md`, 'b')
      expect(await folder.read()).toEqual({ added: [`new/${count}/deep/b.md`], modified: ['a.md'] })
      folder.write(`new/${count}/deep/c.md`, 'c')
      expect(await folder.read()).toEqual({ added: [`new/${count}/deep/c.md`] })
    }
  })

  it('knows it even when there is nothing to wait for on the way', async () => {
    const folder = await watched(
      { 'a.md': 'a' },
      {},
      {
        ...nodeFileSystem,
        stat: async (path) => statSync(path, { bigint: true }),
        lstat: async (path) => lstatSync(path, { bigint: true }),
      },
    )
    folder.write('a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
  })

  it('finds a change that the clock of the file system is too coarse to show', async () => {
    const folder = await watched({ 'a.md': 'one' }, {}, timelessFileSystem())
    folder.write('a.md', 'two')
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
  })

  it('sees one change where an editor writes beside a file and renames over it', async () => {
    const folder = await watched({ 'a.md': 'one' })
    folder.write('.a.md.swp', 'two')
    renameSync(folder.path('.a.md.swp'), folder.path('a.md'))
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
  })

  it('sees a file become a folder, a folder a file, and a folder a link', async () => {
    const folder = await watched({ x: 'x', 'y/in.md': 'in', 'z/in.md': 'in' })
    rmSync(folder.path('x'))
    folder.write('x/in.md', 'in')
    rmSync(folder.path('y'), { recursive: true })
    folder.write('y', 'y')
    renameSync(folder.path('z'), folder.path('w'))
    symlinkSync('w', folder.path('z'))
    expect(await folder.read()).toEqual({
      added: ['w/in.md', 'x/in.md', 'y'],
      removed: ['x', 'y/in.md', 'z/in.md'],
      skipped: ['z'],
    })
    folder.write('w/in.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['w/in.md'] })
  })

  it('is not led out of the root by a folder that became a link', async () => {
    const outside = workspace({ 'in.md': 'secret' })
    const folder = await watched({ 'z/in.md': 'in' })
    folder.write('z/in.md', 'changed')
    renameSync(folder.path('z'), folder.path('y'))
    symlinkSync(outside.root, folder.path('z'))
    expect(await folder.read()).toEqual({ added: ['y/in.md'], removed: ['z/in.md'], skipped: ['z'] })
  })

  it('follows a folder that is renamed, and one that takes its place', async () => {
    const folder = await watched({ 'a/deep/1.md': '1' })
    renameSync(folder.path('a'), folder.path('b'))
    mkdirSync(folder.path('a'))
    expect(await folder.read()).toEqual({ added: ['b/deep/1.md'], removed: ['a/deep/1.md'] })
    folder.write('b/deep/1.md', 'changed')
    folder.write('a/2.md', '2')
    expect(await folder.read()).toEqual({ added: ['a/2.md'], modified: ['b/deep/1.md'] })
  })

  it('follows a folder that is deleted and made again, even if the system gives it the same number', async () => {
    const folder = await watched({ 'a/b/1.md': '1' })
    for (let count = 0; count < 5; count++) {
      rmSync(folder.path('a'), { recursive: true })
      folder.write('a/b/1.md', `again ${count}`)
      expect(await folder.read()).toEqual({ modified: ['a/b/1.md'] })
      folder.write('a/b/1.md', `changed ${count}`)
      expect(await folder.read()).toEqual({ modified: ['a/b/1.md'] })
    }
  })

  it('holds one watch on each directory, however often that was looked at, and none in the end', async () => {
    let held = 0
    const folder = await watched(
      { 'a/b/1.md': '1' },
      {},
      {
        ...nodeFileSystem,
        watch(...asked) {
          const stop = nodeFileSystem.watch(...asked)
          let stopped = false
          held++
          return () => {
            if (!stopped) held--
            stopped = true
            stop()
          }
        },
      },
    )
    for (let count = 0; count < 3; count++) {
      utimesSync(folder.path('a'), count, count)
      await folder.read()
      expect(held).toBe(3)
    }
    rmSync(folder.path('a/b'), { recursive: true })
    await folder.read()
    expect(held).toBe(2)
    await folder.watching[Symbol.asyncDispose]()
    expect(held).toBe(0)
  })

  it('goes through changes in the order of their names', async () => {
    const folder = await watched({ 'c.md': 'c', 'b/1.md': '1', 'a.md': 'a' })
    for (const name of ['c.md', 'b/1.md', 'a.md']) folder.write(name, 'changed')
    expect((await folder.differences()).map(keyOf)).toEqual(['a.md', 'c.md', 'b/1.md'])
  })

  it('lets go of a folder that leaves the root', async () => {
    const folder = await watched({ 'a/1.md': '1' })
    const outside = workspace()
    renameSync(folder.path('a'), outside.path('a'))
    expect(await folder.read()).toEqual({ removed: ['a/1.md'] })
    const told = folder.told()
    outside.write('a/1.md', 'changed')
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
    expect(folder.told()).toBe(told)
  })

  it('hears nothing from what is passed over', async () => {
    const passedOver = { 'out/a.md': 'a', 'b.log': 'b', '.undermind/state.db': 'x', 'node_modules/x.md': 'x' }
    const folder = await watched({ '.gitignore': 'out/\n*.log', ...passedOver })
    folder.write('out/a.md', 'changed')
    folder.write('out/deep/c.md', 'new')
    folder.write('b.log', 'changed')
    folder.write('.undermind/state.db', 'changed')
    folder.write('node_modules/y.md', 'new')
    folder.write('.env', 'secret')
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
    expect(folder.told()).toBe(0)
  })

  it('enters new folders although everything that is no folder is passed over', async () => {
    const folder = await watched({ '.gitignore': '*\n!*/\n!*.md' })
    folder.write('new/a.md', 'a')
    expect(await folder.read()).toEqual({ added: ['new/a.md'] })
  })

  it('follows a .gitignore that changes, and the one file of rules that lies in .git', async () => {
    const folder = await watched({ 'sub/.gitignore': '*', 'sub/a.md': 'a', '.git/info/exclude': '', 'b.md': 'b' })
    folder.write('sub/.gitignore', 'b.md')
    expect(await folder.read()).toEqual({ added: ['sub/.gitignore', 'sub/a.md'] })
    folder.write('sub/a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['sub/a.md'] })
    folder.write('sub/.gitignore', 'a.md')
    expect(await folder.read()).toEqual({ modified: ['sub/.gitignore'], removed: ['sub/a.md'] })
    folder.write('.git/info/exclude', 'b.md')
    expect(await folder.read()).toEqual({ removed: ['b.md'] })
  })

  it('reports no change of files that were only touched', async () => {
    const folder = await watched({ 'a.md': 'a', 'b.md': 'b' })
    utimesSync(folder.path('a.md'), 1, 1)
    chmodSync(folder.path('b.md'), 0o600)
    expect(await folder.read()).toEqual({ touched: ['a.md', 'b.md'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('hears of names that are no text', async () => {
    const folder = await watched({ 'a.md': 'a' })
    writeFileSync(Buffer.concat([Buffer.from(folder.path('bad')), Buffer.from([0xff, 0x0a])]), 'x')
    expect(await folder.read()).toEqual({ added: ['bad%FF%0A'] })
  })

  it('yields again what was not recorded', async () => {
    const folder = await watched({ 'a.md': 'a', 'b.md': 'b' })
    folder.write('a.md', 'changed')
    rmSync(folder.path('b.md'))
    folder.write('c.md', 'c')
    for (let count = 0; count < 3; count++) expect(await folder.differences()).toHaveLength(3)
    expect(await folder.read()).toEqual({ added: ['c.md'], modified: ['a.md'], removed: ['b.md'] })
    expect(await folder.read()).toEqual({})
  })

  it('looks again at what a read did not come to, because it failed or was left', async () => {
    const { fs, broken } = faultyFileSystem()
    const folder = await watched({ 'a.md': 'a', 'b.md': 'b' }, {}, fs)
    folder.write('a.md', 'changed')
    folder.write('b.md', 'changed')
    for await (const _ of folder.source.read({ get: () => undefined, keys: () => [] }, new AbortController().signal))
      break
    broken.push({ call: 'stat', at: folder.root, code: 'EIO' })
    await expect(folder.read()).rejects.toThrow(Fault)
    broken.pop()
    await expect(folder.differences(AbortSignal.abort(new Error('off')))).rejects.toThrow('off')
    expect(await folder.read()).toEqual({ modified: ['a.md', 'b.md'] })
  })

  it('looks again at what could not be read for a moment', async () => {
    const { fs, broken } = faultyFileSystem()
    const folder = await watched({ 'a.md': 'a', 'd/b.md': 'b' }, {}, fs)
    broken.push({ call: 'open', at: '/a.md', code: 'EMFILE' }, { call: 'names', at: '/d', code: 'EIO' })
    folder.write('a.md', 'changed')
    utimesSync(folder.path('d'), 1, 1)
    folder.write('d/b.md', 'changed')
    expect(await folder.read()).toEqual({ skipped: ['a.md', 'd'] })
    broken.length = 0
    expect(await folder.read()).toEqual({ modified: ['a.md', 'd/b.md'] })
  })

  it('waits for a directory without permission until somebody gives it', async () => {
    const { fs, broken } = faultyFileSystem()
    broken.push({ call: 'names', at: '/shut', code: 'EACCES' }, { call: 'watch', at: '/shut', code: 'EACCES' })
    const folder = await watched({ 'shut/a.md': 'a' }, {}, fs)
    expect(folder.first).toEqual({ skipped: ['shut'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
    broken.length = 0
    chmodSync(folder.path('shut'), 0o755)
    expect(await folder.read()).toEqual({ added: ['shut/a.md'] })
    folder.write('shut/a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['shut/a.md'] })
    broken.push({ call: 'names', at: '/shut', code: 'EACCES' }, { call: 'watch', at: '/shut', code: 'EACCES' })
    chmodSync(folder.path('shut'), 0o700)
    expect(await folder.read()).toEqual({ skipped: ['shut'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('tries again to watch a directory that could not be watched for a moment', async () => {
    const { fs, broken } = faultyFileSystem()
    broken.push({ call: 'watch', at: '/d', code: 'EIO' })
    const folder = await watched({ 'd/a.md': 'a' }, {}, fs)
    broken.length = 0
    expect(await folder.read()).toEqual({})
    folder.write('d/a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['d/a.md'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('looks at everything when more happened than the system can tell', async () => {
    const folder = await watched({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'still.md': 'still' })
    await folder.news(() => {
      for (let count = 0; count < 5000; count++)
        for (const name of ['a.md', 'b.md']) chmodSync(folder.path(name), 0o600 + (count % 2))
      folder.write('c.md', 'changed')
    })
    let found = {}
    const cost = await folder.cost(async () => {
      found = await folder.read()
    })
    expect(found).toEqual({ modified: ['c.md'], touched: ['a.md', 'b.md'] })
    expect(cost).toEqual({ read: 3, stated: 4 })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 0 })
  })

  it('looks at everything at each read, and says why once, when the system has no more watches', async () => {
    const told: string[] = []
    const { fs, broken } = faultyFileSystem()
    broken.push({ call: 'watch', at: '/b', code: 'ENOSPC' })
    const folder = await watched(
      { 'a.md': 'a', 'b/c.md': 'c' },
      { onSkip: (key, reason) => told.push(key + reason) },
      fs,
    )
    expect(folder.first).toEqual({ added: ['a.md', 'b/c.md'] })
    folder.write('b/c.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['b/c.md'] })
    folder.write('a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
    expect(told).toEqual([expect.stringContaining('ENOSPC')])
  })

  it('survives that its root goes away and another comes', async () => {
    const folder = await watched({ 'a.md': 'a' })
    renameSync(folder.root, `${folder.root}-moved`)
    await expect(folder.read()).rejects.toThrow(Fault)
    folder.write('b.md', 'b')
    expect(await folder.read()).toEqual({ added: ['b.md'], removed: ['a.md'] })
    folder.write('b.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['b.md'] })
    rmSync(folder.root, { recursive: true })
    folder.write('c.md', 'c')
    expect(await folder.read()).toEqual({ added: ['c.md'], removed: ['b.md'] })
    rmSync(`${folder.root}-moved`, { recursive: true })
  })

  it('can be watched before it is there', async () => {
    const folder = workspace()
    rmSync(folder.root, { recursive: true })
    const watching = await folder.source.watch(() => {})
    onTestFinished(() => watching[Symbol.asyncDispose]())
    await expect(folder.read()).rejects.toThrow(Fault)
    folder.write('a.md', 'a')
    expect(await folder.read()).toEqual({ added: ['a.md'] })
    folder.write('a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
  })

  it('is watched once at a time, and read as before when the watching ends', async () => {
    const folder = await watched({ 'a.md': 'a' })
    await expect(folder.source.watch(() => {})).rejects.toMatchObject({ code: 'source/already-watched', kind: 'use' })
    await folder.watching[Symbol.asyncDispose]()
    await folder.watching[Symbol.asyncDispose]()
    folder.write('a.md', 'changed')
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
    expect(await folder.cost(folder.read)).toEqual({ read: 0, stated: 1 })
    expect(folder.told()).toBe(0)
    const again = await folder.source.watch(() => {})
    await again[Symbol.asyncDispose]()
  })
})
