import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentHash } from '../../src/skills/content-hash.ts'
import { type Disk, realDisk } from '../../src/skills/disk.ts'
import { writeFile } from '../../src/skills/write-file.ts'
import { codeOf, diskWith, systemError, toolRun, workspace } from './workspace.ts'

const write = (root: string, path: string, content: string, disk?: Disk, run = toolRun().run) =>
  writeFile(root, disk).run({ path, content }, run)

describe('a file that is put where the new content is to be written', () => {
  it('is not written into', async () => {
    const { root, read, put } = workspace({ 'plan.md': 'old', 'victim.md': 'theirs' })
    const disk = diskWith({
      open: async (path, flags, mode) => {
        if (String(path).endsWith('.tmp')) linkSync(join(root, 'victim.md'), String(path))
        return realDisk.open(path, flags, mode)
      },
    })
    expect(await codeOf(write(root, 'plan.md', 'new', disk))).toBe('tool/disk-failed')
    expect([read('plan.md'), read('victim.md')]).toEqual(['old', 'theirs'])
    put('plan.md', 'older')
    expect(await write(root, 'plan.md', 'new')).toContain('Wrote')
  })
})

describe('a folder that is swapped while it is written to', () => {
  const cases = [
    'when it is opened',
    'when the file is opened',
    'when the new content is put beside it',
    'at the end',
  ] as const

  /** Moves `sub` away at the moment named and puts a link to the outside, or another folder, in its place. */
  const swapping = (moment: (typeof cases)[number], root: string, put: (sub: string) => void): Disk => {
    let swapped = false
    const swap = () => {
      if (swapped) return
      swapped = true
      renameSync(join(root, 'sub'), join(root, 'moved'))
      put(join(root, 'sub'))
    }
    return diskWith({
      open: async (path, flags, mode) => {
        const text = String(path)
        if (moment === 'when it is opened' && text.endsWith('sub')) swap()
        if (moment === 'when the file is opened' && text.endsWith('plan.md')) swap()
        if (moment === 'when the new content is put beside it' && text.endsWith('.tmp')) swap()
        const handle = await realDisk.open(path, flags, mode)
        if (moment === 'at the end' && text.endsWith('.tmp')) {
          const close = handle.close.bind(handle)
          handle.close = async () => {
            await close()
            swap()
          }
        }
        return handle
      },
    })
  }

  /** As on a system where there is no way through an open folder. */
  const withoutRoute = (disk: Disk): Disk => ({
    ...disk,
    stat: (async (path: string, options: { bigint: true }) => {
      if (path.startsWith('/proc/')) throw systemError('ENOENT')
      return disk.stat(path, options)
    }) as Disk['stat'],
  })

  const everyWay = cases.flatMap((moment) =>
    (['link', 'folder'] as const).flatMap((by) => [true, false].map((route) => [moment, by, route] as const)),
  )

  it.each(everyWay)(
    'is caught: %s, by another %s, with a route through the open folder %s',
    async (moment, by, route) => {
      const { root, outside, read, put, list } = workspace({ 'sub/plan.md': 'old', '../outside/plan.md': 'theirs' })
      const disk = swapping(moment, root, (sub) =>
        by === 'link' ? symlinkSync(outside, sub) : put('sub/plan.md', 'theirs'),
      )
      const { run, images } = toolRun()
      // A look at the other file would show in the answer.
      const args = { path: 'sub/plan.md', content: 'new', expectedHash: contentHash('old') }
      const tool = writeFile(root, route ? disk : withoutRoute(disk))
      expect(await codeOf(tool.run(args, run))).toBe('tool/path-refused')
      expect([read('sub/plan.md'), list('sub'), images]).toEqual(['theirs', ['plan.md'], []])
      expect(read('moved/plan.md')).toBe('old')
    },
  )

  it('gets not a byte of the content', async () => {
    const { root, outside } = workspace({ 'sub/plan.md': 'old', '../outside/plan.md': 'theirs' })
    const swapped = swapping('when the new content is put beside it', root, (sub) => symlinkSync(outside, sub))
    const contents: unknown[] = []
    const disk = diskWith({
      open: async (path, flags, mode) => {
        const handle = await swapped.open(path, flags, mode)
        handle.writeFile = async (content) => void contents.push(content)
        return handle
      },
    })
    expect(await codeOf(write(root, 'sub/plan.md', 'new', withoutRoute(disk)))).toBe('tool/path-refused')
    expect(contents).toEqual([])
  })

  it.runIf(existsSync('/proc/self/fd'))('in the very last step still leads nowhere else', async () => {
    const { root, outside, at, read, list } = workspace({ 'sub/plan.md': 'old', '../outside/plan.md': 'theirs' })
    const disk = diskWith({
      rename: async (from, to) => {
        renameSync(at('sub'), at('moved'))
        symlinkSync(outside, at('sub'))
        await realDisk.rename(from, to)
      },
    })
    await write(root, 'sub/plan.md', 'new', disk)
    expect([read('moved/plan.md'), list('moved'), read('sub/plan.md')]).toEqual(['new', ['plan.md'], 'theirs'])
  })

  it('is caught when a folder above was moved out and linked back in', async () => {
    const { root, outside, at, read } = workspace({ 'top/sub/plan.md': 'old' })
    let moved = false
    const disk = diskWith({
      open: async (path, flags, mode) => {
        if (!moved) {
          renameSync(at('top'), outside)
          symlinkSync(outside, at('top'))
        }
        moved = true
        return realDisk.open(path, flags, mode)
      },
    })
    expect(await codeOf(write(root, 'top/sub/plan.md', 'new', disk))).toBe('tool/path-refused')
    expect(read('../outside/sub/plan.md')).toBe('old')
  })

  it('never follows a file that turns into a link, a pipe or a second name between the look and the opening', async () => {
    const swaps: Record<string, (at: (path: string) => string) => unknown> = {
      link: (at) => symlinkSync(at('.env'), at('plan.md')),
      'second name': (at) => linkSync(at('.env'), at('plan.md')),
      pipe: (at) => execFileSync('mkfifo', [at('plan.md')]),
    }
    for (const [kind, swap] of Object.entries(swaps)) {
      const { root, at, read } = workspace({ 'plan.md': 'old', '.env': 'SECRET=1' })
      let swapped = false
      const disk = diskWith({
        open: async (path, flags, mode) => {
          if (String(path).endsWith('plan.md') && !swapped) {
            swapped = true
            renameSync(at('plan.md'), at('gone.md'))
            swap(at)
          }
          return realDisk.open(path, flags, mode)
        },
      })
      const { run, images } = toolRun()
      expect([kind, await codeOf(write(root, 'plan.md', 'new', disk, run))]).toEqual([kind, 'tool/path-refused'])
      expect([read('.env'), images]).toEqual(['SECRET=1', []])
    }
  })
})
