import { execFileSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/domain/errors.ts'
import { nodeFileSystem } from '../../../src/sources/folder/file-system.ts'
import { faultyFileSystem } from './faults.ts'
import { item, workspace } from './workspace.ts'

const faulty = (files: Record<string, string>, options = {}) => {
  const { fs, broken, hooks } = faultyFileSystem()
  return { folder: workspace(files, options, fs), broken, hooks }
}

describe('a folder of which something cannot be read', () => {
  it.each([
    ['cannot be listed', 'names', '/shut', 'EACCES', 'no permission to read it'],
    ['fails on the disk', 'names', '/shut', 'EIO', 'it cannot be read (EIO)'],
    ['cannot be looked at', 'lstat', '/shut', 'EACCES', 'no permission to read it'],
    [
      'has rules that cannot be read',
      'open',
      '/shut/.gitignore',
      'EACCES',
      'its .gitignore cannot be followed: no permission to read it',
    ],
  ] as const)('keeps what it knows of a directory that %s', async (_title, call, at, code, reason) => {
    const { folder, broken } = faulty({ 'shut/a.md': 'a', 'shut/deep/b.md': 'b', 'c.md': 'c' })
    await folder.read()
    broken.push({ call, at, code })
    rmSync(folder.path('c.md'))
    expect(await folder.read()).toEqual({ removed: ['c.md'], skipped: ['shut'] })
    expect(await folder.reasons()).toEqual({ shut: reason })
    broken.pop()
    rmSync(folder.path('shut/a.md'))
    expect(await folder.read()).toEqual({ removed: ['shut/a.md'] })
  })

  it('keeps what it knows of a directory whose listing breaks off', async () => {
    const { fs } = faultyFileSystem()
    let breaks = false
    const folder = workspace(
      { 'd/a': 'a', 'd/b': 'b' },
      {},
      {
        ...fs,
        async *names(path) {
          for await (const name of nodeFileSystem.names(path)) {
            yield name
            if (breaks && path.toString().endsWith('/d'))
              throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'scandir' })
          }
        },
      },
    )
    await folder.read()
    breaks = true
    expect(await folder.read()).toEqual({ skipped: ['d'] })
  })

  it('keeps what it knows of a file that cannot be opened', async () => {
    const { folder, broken } = faulty({ 'a.md': 'a', 'b.md': 'b' })
    await folder.read()
    broken.push({ call: 'open', at: '/a.md', code: 'EACCES' })
    folder.write('a.md', 'changed')
    expect(await folder.read()).toEqual({ skipped: ['a.md'] })
    broken.pop()
    expect(await folder.read()).toEqual({ modified: ['a.md'] })
  })

  it('takes for removed a directory that goes away under the walk', async () => {
    const { folder, hooks } = faulty({ 'd/a.md': 'a', 'e.md': 'e' })
    await folder.read()
    hooks.before = (call, path) => {
      if (call === 'names' && path.endsWith('/d')) rmSync(path, { recursive: true })
    }
    expect(await folder.read()).toEqual({ removed: ['d/a.md'] })
  })

  it('does not take for removed what a listing missed', async () => {
    const { fs } = faultyFileSystem()
    let misses = false
    const folder = workspace(
      { 'a.md': 'a', 'b.md': 'b' },
      {},
      {
        ...fs,
        async *names(path) {
          for await (const name of nodeFileSystem.names(path)) if (!misses || name.toString() !== 'a.md') yield name
        },
      },
    )
    await folder.read()
    misses = true
    expect(await folder.read()).toEqual({})
  })

  it('is not followed into a link that a file became at the last moment', async () => {
    const { folder, hooks } = faulty({ 'a.md': 'a', 'b.md': 'b' })
    await folder.read()
    folder.write('a.md', 'changed')
    hooks.before = (call, path) => {
      if (call !== 'open' || !path.endsWith('/a.md')) return
      rmSync(path)
      renameSync(folder.path('b.md'), folder.path('c.md'))
      symlinkSync(folder.path('c.md'), path)
    }
    expect((await folder.read()).modified).toBeUndefined()
    expect(folder.marks.has('a.md')).toBe(false)
  })

  it('does not wait at a pipe that a file became at the last moment', async () => {
    const { folder, hooks } = faulty({ 'a.md': 'a' })
    hooks.before = (call, path) => {
      if (call !== 'open' || !path.endsWith('/a.md')) return
      rmSync(path)
      execFileSync('mkfifo', [path])
    }
    expect(await folder.read()).toEqual({})
  })
})

describe('a root that cannot be read', () => {
  const fails = async (reading: Promise<unknown>) => {
    const error = await reading.catch((one: unknown) => one)
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code: 'source/unreadable' })
  }

  it.each([
    ['is gone', 'stat', '', 'ENOENT'],
    ['may not be listed', 'names', '', 'EACCES'],
    ['goes away when it is listed', 'names', '', 'ENOENT'],
    ['has a .gitignore that may not be read', 'open', '/.gitignore', 'EACCES'],
  ] as const)('fails the read and reports nothing as removed when it %s', async (_title, call, at, code) => {
    const { folder, broken, hooks } = faulty({ 'a.md': 'a' })
    await folder.read()
    broken.push({ call, at: folder.root + at, code })
    if (code === 'ENOENT' && call === 'names')
      hooks.before = (now) => {
        if (now === 'names') broken.push({ call: 'stat', at: folder.root, code })
      }
    await fails(folder.read())
    expect([...folder.marks.keys()]).toEqual(['a.md'])
    broken.length = 0
    hooks.before = () => {}
    expect(await folder.read()).toEqual({})
  })

  it('fails the read when it is a file, or another folder than at the start of the read', async () => {
    const { folder, hooks } = faulty({ 'a.md': 'a' })
    await folder.read()
    renameSync(folder.root, `${folder.root}-moved`)
    writeFileSync(folder.root, 'a file')
    await fails(folder.read())
    rmSync(folder.root)
    renameSync(`${folder.root}-moved`, folder.root)
    hooks.before = (call) => {
      if (call !== 'names') return
      hooks.before = () => {}
      renameSync(folder.root, `${folder.root}-moved`)
      folder.write('new.md', 'new')
    }
    await fails(folder.read())
    expect(folder.marks.has('a.md')).toBe(true)
    rmSync(`${folder.root}-moved`, { recursive: true })
  })

  it('says what to do', async () => {
    const folder = workspace()
    rmSync(folder.root, { recursive: true })
    await expect(folder.read()).rejects.toThrow(
      /^Cannot read the folder .*: it is not there\. .* check that the folder is there/,
    )
  })
})

describe('a file that changes while it is read', () => {
  const changing = (change: (path: string, times: number) => void) => {
    const { folder, hooks } = faulty({ 'a.log': 'one' }, { maxFileBytes: 1000 })
    let times = 0
    hooks.opened = (file, path) => ({
      ...file,
      async read(...asked) {
        const answer = await file.read(...asked)
        if (path.endsWith('a.log')) change(path, ++times)
        return answer
      },
    })
    return { folder, times: () => times }
  }

  it('is read once more', async () => {
    const { folder, times } = changing((path, time) => {
      if (time === 1) writeFileSync(path, 'two, longer')
    })
    await folder.read()
    expect(item(folder, 'a.log').body).toBe('two, longer')
    expect(times()).toBe(2)
    expect(await folder.read()).toEqual({})
  })

  it('is taken as it was read when it does not come to rest, and read again next time', async () => {
    const { folder, times } = changing((path) => appendFileSync(path, 'x'))
    expect(await folder.read()).toEqual({ added: ['a.log'] })
    expect(times()).toBe(2)
    expect(item(folder, 'a.log').body).toBe('onex')
    expect(await folder.read()).toEqual({ modified: ['a.log'] })
  })

  it('may become shorter', async () => {
    const { folder } = changing((path, time) => {
      if (time === 1) truncateSync(path, 1)
    })
    await folder.read()
    expect(item(folder, 'a.log').body).toBe('o')
  })
})
