import { cpSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sources } from '../../../src/sources/index.ts'
import { item, keyOf, workspace } from './workspace.ts'

const cases = fileURLToPath(new URL('../../cases/workspace-three-days/', import.meta.url))

describe('a folder that is not watched', () => {
  it('is a kind of source', () => {
    expect(sources.folder({ root: '/tmp', own: [], ignore: [], maxFileBytes: 1 })).toMatchObject({
      id: 'folder',
      title: 'tmp',
    })
  })

  it('tells what was added, modified and removed since it was last read, and then nothing more', async () => {
    const folder = workspace({ 'plan.md': '# Plan\none\n', 'a/notes.txt': 'note', 'a/old.txt': 'old' })
    expect(await folder.read()).toEqual({ added: ['a/notes.txt', 'a/old.txt', 'plan.md'] })
    expect(item(folder, 'plan.md')).toMatchObject({
      kind: 'markdown',
      title: 'Plan',
      body: '# Plan\none\n',
      link: 'plan.md',
      author: null,
      time: null,
      external: true,
    })
    expect(item(folder, 'a/notes.txt')).toMatchObject({ kind: 'file', title: 'notes.txt', link: 'a/notes.txt' })

    folder.write('plan.md', '# Plan\ntwo\n')
    rmSync(folder.path('a/old.txt'))
    expect(await folder.read()).toEqual({ modified: ['plan.md'], removed: ['a/old.txt'] })
    expect(await folder.read()).toEqual({})
  })

  it('opens no file whose stamp is the known one', async () => {
    const folder = workspace({ 'a.md': 'a', 'b.md': 'b', 'c.bin': Buffer.from([0, 1, 2]) })
    await folder.read()
    const before = { ...folder.source.stats }
    expect(await folder.read()).toEqual({ skipped: ['c.bin'] })
    expect(folder.source.stats).toEqual({ filesRead: before.filesRead, filesStated: before.filesStated + 3 })
  })

  it('reports no change of files that were touched, rewritten as they were, or checked out again', async () => {
    const folder = workspace({ 'a.md': 'same', 'b.md': 'same too' })
    await folder.read()
    utimesSync(folder.path('a.md'), 1, 1)
    folder.write('b.tmp', 'same too')
    renameSync(folder.path('b.tmp'), folder.path('b.md'))
    expect(await folder.read()).toEqual({ touched: ['a.md', 'b.md'] })
    expect(await folder.read()).toEqual({})
  })

  it('goes through the names of a folder in order, files before folders', async () => {
    const names = ['z.md', 'm.md', 'a.md', 'b/2.md', 'b/1.md', 'a/1.md', 'k.md']
    const folder = workspace(Object.fromEntries(names.map((name) => [name, name])))
    const keys = (await folder.differences()).map(keyOf)
    expect(keys).toEqual(['a.md', 'k.md', 'm.md', 'z.md', 'a/1.md', 'b/1.md', 'b/2.md'])
  })

  it('sees a file become a folder and a folder become a file', async () => {
    const folder = workspace({ x: 'file', 'y/inside.md': 'inside' })
    await folder.read()
    rmSync(folder.path('x'))
    rmSync(folder.path('y'), { recursive: true })
    folder.write('x/inside.md', 'inside')
    folder.write('y', 'file')
    expect(await folder.read()).toEqual({ added: ['x/inside.md', 'y'], removed: ['x', 'y/inside.md'] })
  })

  it('calls own only what the user says is', async () => {
    const folder = workspace({ 'journal/1.md': 'x', 'inbox/1.md': 'x' }, { own: ['journal/**'] })
    await folder.read()
    expect(item(folder, 'journal/1.md').external).toBe(false)
    expect(item(folder, 'inbox/1.md').external).toBe(true)
  })

  it('takes AGENDA.md for an item and HEARTBEAT.md for none, but one in a folder below is an item', async () => {
    const folder = workspace({ 'AGENDA.md': 'x', 'HEARTBEAT.md': '- task', 'team/HEARTBEAT.md': 'x' })
    expect(await folder.read()).toEqual({ added: ['AGENDA.md', 'team/HEARTBEAT.md'] })
  })

  it('reads a mail as its subject and its lines, and anything else that ends in .eml as a file', async () => {
    const folder = workspace({
      'a.eml': 'Subject: Hello\nDate: Wed, 1 Apr 2026 09:30:00 GMT\n\nbody\n',
      'b.eml': 'words',
    })
    await folder.read()
    expect(item(folder, 'a.eml')).toMatchObject({
      kind: 'mail',
      title: 'Hello',
      time: Date.UTC(2026, 3, 1, 9, 30),
      body: 'Subject: Hello\nbody\n',
    })
    expect(item(folder, 'b.eml')).toMatchObject({ kind: 'file', title: 'b.eml', body: 'words' })
  })

  it('finds on each of three days what is new on it, every line as it stands in its file', async () => {
    const folder = workspace()
    const arrive = (day: string) => cpSync(cases + day, folder.root, { recursive: true })
    arrive('day1')
    expect(await folder.read()).toEqual({ added: ['inbox/0001.eml', 'inbox/0002.eml', 'tracker.md'] })
    arrive('day2')
    expect(await folder.read()).toEqual({
      added: ['inbox/0003.eml'],
      modified: ['tracker.md'],
      touched: ['inbox/0001.eml', 'inbox/0002.eml'],
    })
    arrive('day3')
    const third = await folder.read()
    expect([third.added, third.modified, third.removed]).toEqual([undefined, undefined, undefined])
    for (const { key, body } of folder.items.values()) {
      const lines = readFileSync(folder.path(key), 'utf8').split('\n')
      for (const line of body.split('\n')) expect(lines).toContain(line)
    }
  })

  it('fails when it is called off, and not before', async () => {
    const folder = workspace({ 'a.md': 'a', 'b/b.md': 'b' })
    await expect(folder.differences(AbortSignal.abort(new Error('called off')))).rejects.toThrow('called off')
    const stop = new AbortController()
    const reading = folder.source.read({ get: () => undefined, keys: () => [] }, stop.signal)[Symbol.asyncIterator]()
    await reading.next()
    stop.abort(new Error('called off'))
    await expect(reading.next()).rejects.toThrow('called off')
  })
})
