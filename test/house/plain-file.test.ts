import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPlainFile } from '../../src/house/plain-file.ts'

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'undermind-plain-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

it('reads a file, also through a link that stays in its folder, and says where there is none', async () => {
  const at = folder()
  writeFileSync(join(at, 'a.md'), 'text')
  symlinkSync('a.md', join(at, 'link.md'))
  const read = { kind: 'read', bytes: Buffer.from('text') }
  expect(await readPlainFile(join(at, 'a.md'), 4)).toEqual(read)
  expect(await readPlainFile(join(at, 'link.md'), 4)).toEqual(read)
  expect(await readPlainFile(join(at, 'b.md'), 4)).toEqual({ kind: 'absent' })
})

it('reads through a folder that is itself behind a link', async () => {
  const at = folder()
  mkdirSync(join(at, 'real'))
  writeFileSync(join(at, 'real/a.md'), 'text')
  symlinkSync('real', join(at, 'linked'))
  expect(await readPlainFile(join(at, 'linked/a.md'), 4)).toMatchObject({ kind: 'read' })
})

it('does not wait for a pipe, nor read a device, a folder, what is too large or what lies elsewhere', async () => {
  const at = folder()
  const elsewhere = folder()
  writeFileSync(join(elsewhere, 'secret.md'), 'text')
  writeFileSync(join(at, 'large.md'), 'texts')
  execFileSync('mkfifo', [join(at, 'pipe')])
  mkdirSync(join(at, 'folder'))
  symlinkSync('/dev/zero', join(at, 'device'))
  symlinkSync(join(elsewhere, 'secret.md'), join(at, 'out.md'))
  symlinkSync(`${at}-beside`, join(at, 'beside'))
  const why = async (name: string) => readPlainFile(join(at, name), 4)
  expect(await why('pipe')).toEqual({ kind: 'refused', why: 'is no file' })
  expect(await why('folder')).toEqual({ kind: 'refused', why: 'is no file' })
  expect(await why('large.md')).toEqual({ kind: 'refused', why: 'has 5 bytes and may have 4' })
  for (const name of ['out.md', 'device'])
    expect(await why(name)).toEqual({ kind: 'refused', why: 'is a link that leads out of its folder' })
  expect(await why('beside')).toEqual({ kind: 'absent' })
})
