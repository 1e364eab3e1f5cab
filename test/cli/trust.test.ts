import { describe, expect, it } from 'vitest'
import { cwd, home } from './support/fake.ts'

describe('undermind trust', () => {
  it('asks a person, and records a yes', async () => {
    const it = home()
    it.trusted = { trusted: false, reason: 'never' }
    it.io.confirm = () => true
    expect(await it.undermind('trust')).toBe(0)
    expect(it.asked[0]).toMatch(/^confirm Do you trust .*notes\?/)
    expect(it.asked[1]).toBe(`grant ${cwd}`)
    expect(it.out()).toBe(`${cwd} is trusted now.\n`)
  })

  it('takes no for an answer', async () => {
    const it = home()
    it.trusted = { trusted: false }
    it.io.confirm = () => false
    expect(await it.undermind('trust')).toBe(0)
    expect(it.asked).toHaveLength(1)
    expect(it.out()).toBe(`${cwd} stays untrusted. Nothing was changed.\n`)
  })

  it('says what has changed since an earlier yes', async () => {
    const it = home()
    it.trusted = { trusted: false, reason: 'changed' }
    it.io.confirm = () => true
    await it.undermind('trust')
    expect(it.asked[0]).toContain('has changed since you said yes')
  })

  it('does not take silence for a yes: without a terminal it wants --yes', async () => {
    const it = home()
    it.trusted = { trusted: false }
    expect(await it.undermind('trust')).toBe(2)
    expect(it.err()).toContain('undermind trust --yes')
    expect(it.asked.filter((asked) => asked.startsWith('grant'))).toEqual([])
    expect(await it.undermind('trust', '--json')).toBe(2)
    expect(JSON.parse(it.err())).toMatchObject({ error: { code: 'cli/nobody-to-ask' } })
    expect(it.out()).toBe('')
    expect(await it.undermind('trust', '--yes', '--json')).toBe(0)
    expect(JSON.parse(it.out())).toEqual({ workspace: cwd, trusted: true })
  })

  it('asks nothing about a workspace that is trusted', async () => {
    const it = home()
    await it.undermind('trust')
    expect(it.out()).toBe(`${cwd} is trusted already.\n`)
    expect(it.asked).toEqual([])
  })

  it('takes it back', async () => {
    const it = home()
    expect(await it.undermind('trust', '--revoke', '-w', '/elsewhere')).toBe(0)
    expect(it.asked).toEqual(['revoke /elsewhere'])
    expect(it.out()).toBe('/elsewhere is not trusted any more.\n')
  })

  it('does not say yes and take it back at once', async () => {
    const it = home()
    expect(await it.undermind('trust', '--yes', '--revoke')).toBe(2)
    expect(it.asked).toEqual([])
  })
})

describe('undermind init', () => {
  it('makes the current folder a workspace and says how to go on', async () => {
    const it = home()
    expect(await it.undermind('init')).toBe(0)
    expect(it.asked).toEqual([`init ${cwd} {"example":false}`])
    expect(it.out()).toBe(
      [
        `${cwd} is a workspace now.`,
        '  made .undermind',
        '  made undermind.toml',
        '  made HEARTBEAT.md',
        'Write what it shall keep an eye on into HEARTBEAT.md, a list item each. Then run:',
        '  undermind start',
        '',
      ].join('\n'),
    )
  })

  it('makes another folder one, and names it in what to run', async () => {
    const it = home()
    await it.undermind('init', 'my notes', '--example')
    expect(it.asked).toEqual([`init ${cwd}/my notes {"example":true}`])
    expect(it.out()).toContain(`undermind -w '${cwd}/my notes' start`)
    await it.undermind('init', '-w', '/x', '--json')
    expect(JSON.parse(it.out())).toEqual({ root: '/x', made: ['.undermind', 'undermind.toml', 'HEARTBEAT.md'] })
  })

  it('says that there was nothing to make', async () => {
    const it = home()
    it.parts.init = async (root) => ({ root, made: [] })
    await it.undermind('init')
    expect(it.out()).toContain('is a workspace already. Nothing was changed.')
  })

  it('does not guess which of two folders is meant', async () => {
    const it = home()
    expect(await it.undermind('init', 'a', '-w', 'b')).toBe(2)
    expect(it.asked).toEqual([])
  })
})
