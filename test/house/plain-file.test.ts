import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPlainFile } from '../../src/house/plain-file.ts'

function folder() {
  const root = mkdtempSync(join(tmpdir(), 'undermind-plain-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'inside/deeper'), { recursive: true })
  writeFileSync(join(root, 'outside.md'), 'secret')
  return join(root, 'inside')
}

it('is read as it is, up to as much as it may have', async () => {
  const root = folder()
  writeFileSync(join(root, 'a.md'), 'hello')
  expect(await readPlainFile(join(root, 'a.md'), 5)).toEqual({ kind: 'read', bytes: Buffer.from('hello') })
  expect(await readPlainFile(join(root, 'a.md'), 4)).toEqual({ kind: 'refused', why: 'has 5 bytes and may have 4' })
  expect(await readPlainFile(join(root, 'b.md'), 5)).toEqual({ kind: 'absent' })
  expect(await readPlainFile(join(root, 'deeper'), 5)).toEqual({ kind: 'refused', why: 'is no file' })
})

it('is followed through a link that stays in its folder, and no further', async () => {
  const root = folder()
  writeFileSync(join(root, 'deeper/a.md'), 'hello')
  symlinkSync('deeper/a.md', join(root, 'near.md'))
  symlinkSync('../outside.md', join(root, 'far.md'))
  symlinkSync('nowhere.md', join(root, 'dangling.md'))
  expect(await readPlainFile(join(root, 'near.md'), 5)).toMatchObject({ kind: 'read' })
  expect(await readPlainFile(join(root, 'far.md'), 50)).toEqual({
    kind: 'refused',
    why: 'is a link that leads out of its folder',
  })
  expect(await readPlainFile(join(root, 'dangling.md'), 5)).toEqual({ kind: 'absent' })
})

it.skipIf(process.platform === 'win32')('does not wait for the other end of a pipe', async () => {
  const root = folder()
  execFileSync('mkfifo', [join(root, 'pipe')])
  expect(await readPlainFile(join(root, 'pipe'), 5)).toEqual({ kind: 'refused', why: 'is no file' })
})

it('hands on what the system says of a path that leads through a file', async () => {
  const root = folder()
  writeFileSync(join(root, 'a.md'), 'hello')
  await expect(readPlainFile(join(root, 'a.md/b.md'), 5)).rejects.toMatchObject({ code: 'ENOTDIR' })
})
