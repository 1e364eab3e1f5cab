import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { nearest } from '../../src/cli/nearest.ts'
import { shellWord, workspaceAround } from '../../src/cli/workspace.ts'
import { home } from './support/fake.ts'
import { status } from './support/rows.ts'

describe('the workspace of a command', () => {
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'undermind-around-'))
    mkdirSync(join(root, 'state/.undermind'), { recursive: true })
    mkdirSync(join(root, 'state/deep/er'), { recursive: true })
    mkdirSync(join(root, 'file/sub'), { recursive: true })
    mkdirSync(join(root, 'none'), { recursive: true })
    writeFileSync(join(root, 'file/HEARTBEAT.md'), '')
    writeFileSync(join(root, 'none/.undermind'), '')
  })

  it('is the nearest folder that is one', () => {
    expect(workspaceAround(join(root, 'state/deep/er'))).toBe(join(root, 'state'))
    expect(workspaceAround(join(root, 'file/sub'))).toBe(join(root, 'file'))
    expect(workspaceAround(join(root, 'file'))).toBe(join(root, 'file'))
  })

  it('is the folder itself where there is none, and where it only looks like one', () => {
    expect(workspaceAround(join(root, 'none'))).toBe(join(root, 'none'))
    expect(workspaceAround(join(root, 'gone/deeper'))).toBe(join(root, 'gone/deeper'))
  })

  it('is the one that is named, wherever it is named', async () => {
    const it = home({ status: status() })
    await it.undermind('-w', 'there', 'status')
    await it.undermind('status', '--workspace', '/there')
    expect(it.asked).toEqual([`connect ${it.parts.cwd}/there {}`, 'connect /there {}'])
  })

  it('is named in what is to be typed, where it is not the one around', async () => {
    const it = home({ status: status() })
    await it.undermind('status', '-w', "/mina's notes")
    expect(it.out()).toContain("undermind -w '/mina'\\''s notes' approvals")
  })
})

describe('words for a shell', () => {
  it.each([
    ['/a/b-c_d.e', '/a/b-c_d.e'],
    ['a b', "'a b'"],
    ['$(rm)', "'$(rm)'"],
    ["it's", "'it'\\''s'"],
    ['', "''"],
  ])('%j is given as %s', (text, word) => {
    expect(shellWord(text)).toBe(word)
  })
})

describe('the nearest word', () => {
  it.each([
    ['stauts', 'status'],
    ['aprove', 'approve'],
    ['TICK', 'tick'],
    ['xyzzy', undefined],
    ['x'.repeat(10_000), undefined],
    ['', undefined],
  ])('to %s is %s', (given, word) => {
    expect(nearest(given, ['status', 'start', 'approve', 'tick'])).toBe(word)
  })
})
