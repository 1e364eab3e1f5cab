import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../src/store/migrations/index.ts'
import { openStore } from '../../src/store/open.ts'

it('does not take the half of a copy that a killed process left for the copy of the older store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'state.db')
  openStore({ file, synchronous: 'normal' }).close()
  const version = migrations.length
  writeFileSync(`${file}.v${version}.bak.tmp`, 'half of a copy')
  writeFileSync(`${file}.v${version}.bak.tmp-journal`, 'and its journal')

  const newer = [...migrations, 'CREATE TABLE later(n INTEGER) STRICT;']
  openStore({ file, synchronous: 'normal' }, newer).close()

  expect(readdirSync(folder).sort()).toEqual(['state.db', `state.db.v${version}.bak`])
  expect(statSync(`${file}.v${version}.bak`).mode & 0o077).toBe(0)
  const copy = openStore({ file: `${file}.v${version}.bak`, synchronous: 'normal', readOnly: true, check: true })
  expect(copy.pragma('user_version', { simple: true })).toBe(version)
  copy.close()
})
