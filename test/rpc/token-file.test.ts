import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DaemonFacts, readDaemonFile, writeDaemonFile } from '../../src/rpc/daemon-file.ts'
import { doorToken, readDoorToken } from '../../src/rpc/token-file.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'undermind-token-'))
  path = join(folder, 'token')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const planted = 'A'.repeat(43)
const isRoot = process.getuid?.() === 0
const modeOf = (file: string) => lstatSync(file).mode & 0o777

describe('the token', () => {
  it('is made of 32 random bytes for its owner alone, and stays', () => {
    const token = doorToken(path)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(modeOf(path)).toBe(0o600)
    expect(doorToken(path)).toBe(token)
    expect(readDoorToken(path)).toBe(token)
    expect(readdirSync(folder)).toEqual(['token'])
    expect(doorToken(join(folder, 'other'))).not.toBe(token)
  })

  it('has its mode whatever mask the process has', () => {
    const before = process.umask(0o277)
    try {
      doorToken(path)
    } finally {
      process.umask(before)
    }
    expect(modeOf(path)).toBe(0o600)
  })

  it('is made anew where the folder was not made here', () => {
    const token = doorToken(path)
    const renewed = doorToken(path, { keep: false })
    expect(renewed).not.toBe(token)
    expect(readDoorToken(path)).toBe(renewed)
  })

  const places: [string, () => void][] = [
    ['others may read', () => writeFileSync(path, `${planted}\n`, { mode: 0o644 })],
    ['its owner may not write', () => writeFileSync(path, `${planted}\n`, { mode: 0o400 })],
    ['is too long', () => writeFileSync(path, `${planted}A\n`, { mode: 0o600 })],
    ['is too short', () => writeFileSync(path, 'A\n', { mode: 0o600 })],
    ['is empty', () => writeFileSync(path, '', { mode: 0o600 })],
    ['is huge', () => writeFileSync(path, 'A'.repeat(100_000), { mode: 0o600 })],
    ['is a pipe', () => execFileSync('mkfifo', ['-m', '600', path])],
    [
      'has a second name',
      () => {
        writeFileSync(join(folder, 'second'), `${planted}\n`, { mode: 0o600 })
        linkSync(join(folder, 'second'), path)
      },
    ],
    [
      'is a link',
      () => {
        writeFileSync(join(folder, 'target'), `${planted}\n`, { mode: 0o600 })
        symlinkSync(join(folder, 'target'), path)
      },
    ],
    ['is a link to nothing', () => symlinkSync(join(folder, 'target'), path)],
  ]

  it.each(places)('takes the place of a file that %s, which is not written to', (_, plant) => {
    plant()
    expect(readDoorToken(path)).toBeNull()
    const others = readdirSync(folder).filter((name) => name !== 'token')
    const token = doorToken(path)
    expect(token).not.toBe(planted)
    expect([lstatSync(path).isFile(), modeOf(path), lstatSync(path).nlink]).toEqual([true, 0o600, 1])
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`)
    expect(readdirSync(folder).filter((name) => name !== 'token')).toEqual(others)
    for (const name of others) expect(readFileSync(join(folder, name), 'utf8')).toBe(`${planted}\n`)
  })

  it.runIf(isRoot)("takes the place of somebody else's file", () => {
    writeFileSync(path, `${planted}\n`, { mode: 0o600 })
    chownSync(path, 12345, 12345)
    expect(readDoorToken(path)).toBeNull()
    expect(doorToken(path)).not.toBe(planted)
    expect(lstatSync(path).uid).toBe(0)
  })

  it('is none where it cannot be written, and leaves nothing behind', () => {
    mkdirSync(path)
    expect(() => doorToken(path)).toThrow(expect.objectContaining({ code: 'door/cannot-write' }))
    expect(readdirSync(folder)).toEqual(['token'])
    expect(() => doorToken(join(folder, 'missing', 'token'))).toThrow(
      expect.objectContaining({ code: 'door/cannot-write' }),
    )
  })
})

describe('what a daemon says of itself', () => {
  const facts: DaemonFacts = { pid: process.pid, url: 'http://127.0.0.1:4567', version: '1.2.3', startedAt: 1 }
  const write = (text: string) => {
    writeFileSync(path, text, { mode: 0o600 })
    chmodSync(path, 0o600)
  }

  it('is found while it runs, and gone when it stops', () => {
    const file = writeDaemonFile(path, facts)
    expect(modeOf(path)).toBe(0o600)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(facts)
    expect(readDaemonFile(path)).toEqual(facts)
    file[Symbol.dispose]()
    expect(readDaemonFile(path)).toBeNull()
    expect(readdirSync(folder)).toEqual([])
    file[Symbol.dispose]()
  })

  it('is ignored where its process has died', () => {
    writeDaemonFile(path, { ...facts, pid: 2 ** 22 + 1 })
    expect(readDaemonFile(path)).toBeNull()
    expect(readDaemonFile(path, () => true)).toMatchObject({ url: facts.url })
  })

  it('is left alone where another daemon has taken its place', () => {
    const first = writeDaemonFile(path, facts)
    writeDaemonFile(path, { ...facts, startedAt: 2 })
    first[Symbol.dispose]()
    expect(readDaemonFile(path)).toMatchObject({ startedAt: 2 })
  })

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"pid":1}'],
    ['a field too many', JSON.stringify({ ...facts, more: 1 })],
    ['no process', JSON.stringify({ ...facts, pid: 0 })],
    ['another machine', JSON.stringify({ ...facts, url: 'http://evil.example:80' })],
    ['another address', JSON.stringify({ ...facts, url: 'http://203.0.113.9:80' })],
    ['a name that begins like ours', JSON.stringify({ ...facts, url: 'http://127.0.0.1.evil.example:80' })],
    ['a user name', JSON.stringify({ ...facts, url: 'http://127.0.0.1@evil.example:80' })],
    ['a key', JSON.stringify({ ...facts, url: 'http://user:key@127.0.0.1:80' })],
    ['another scheme', JSON.stringify({ ...facts, url: 'https://127.0.0.1:80' })],
    ['too much', JSON.stringify({ ...facts, version: 'x'.repeat(5000) })],
  ])('is not believed with %s', (_, text) => {
    write(text)
    expect(readDaemonFile(path, () => true)).toBeNull()
  })

  it.each(['http://localhost:1', 'http://[::1]:1', 'http://127.0.0.2:1'])('may be at %s', (url) => {
    write(JSON.stringify({ ...facts, url }))
    expect(readDaemonFile(path)).toMatchObject({ url })
  })

  it('is not believed where others could have written it', () => {
    write(JSON.stringify(facts))
    chmodSync(path, 0o666)
    expect(readDaemonFile(path)).toBeNull()
  })

  it('replaces what was planted', () => {
    symlinkSync(join(folder, 'target'), path)
    writeDaemonFile(path, facts)
    expect(readdirSync(folder)).toEqual(['token'])
    expect(readDaemonFile(path)).toEqual(facts)
  })
})
