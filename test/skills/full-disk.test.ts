import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeFile } from '../../src/skills/write-file.ts'
import { codeOf, toolRun } from './workspace.ts'

const root = mkdtempSync(join(tmpdir(), 'undermind-full-'))

/** Only the superuser of Linux may mount; elsewhere the injected errors of write-file.test.ts stand alone. */
const mounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', root], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

afterAll(() => {
  if (mounted) execFileSync('umount', [root])
  rmSync(root, { recursive: true, force: true })
})

describe.runIf(mounted)('a real disk', () => {
  it('that is full leaves the file untouched and nothing beside it', async () => {
    writeFileSync(join(root, 'a.md'), 'old')
    const { run, images } = toolRun()
    const content = 'x'.repeat(200 * 1024)
    expect(await codeOf(writeFile(root).run({ path: 'a.md', content }, run))).toBe('tool/disk-full')
    expect([readFileSync(join(root, 'a.md'), 'utf8'), readdirSync(root), images]).toEqual(['old', ['a.md'], []])
    await writeFile(root).run({ path: 'a.md', content: 'small' }, run)
    expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('small')
  })

  it('that is read-only leaves the file untouched and says so', async () => {
    writeFileSync(join(root, 'a.md'), 'old')
    execFileSync('mount', ['-o', 'remount,ro', root])
    const { run, images } = toolRun()
    expect(await codeOf(writeFile(root).run({ path: 'a.md', content: 'new' }, run))).toBe('tool/read-only')
    expect([readFileSync(join(root, 'a.md'), 'utf8'), readdirSync(root), images]).toEqual(['old', ['a.md'], []])
  })
})
