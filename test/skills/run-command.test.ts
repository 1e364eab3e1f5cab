import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { maskSecrets } from '../../src/memory/secrets.ts'
import { runCommand } from '../../src/skills/run-command.ts'
import { HandClock } from '../support/clock.ts'
import { codeOf, toolRun, workspace } from './workspace.ts'

const node = process.execPath

const setUp = (
  scripts: Record<string, string>,
  commands: string[],
  more: { env?: Record<string, string>; platform?: 'win32' } = {},
) => {
  const home = workspace(scripts)
  const clock = new HandClock()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home.root,
    OPENAI_API_KEY: 'sk-very-secret-1234567890',
    ...more.env,
  }
  const platform = more.platform ?? process.platform
  const tool = runCommand({ root: home.root, commands, mask: maskSecrets, clock, env, platform })
  const run = (command: string[], signal?: AbortSignal) =>
    (async () => tool.run(tool.parse({ command }), toolRun(signal && { signal }).run))()
  return { ...home, clock, tool, run }
}

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it ended well')
}

/** Waits for a file that a process writes when it has begun. */
const written = async (file: string): Promise<string> => {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text !== '') return text
    await new Promise((next) => setImmediate(next))
  }
}

const isGone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 20_000; tries++) {
    try {
      process.kill(pid, 0)
      // A process that has ended stays in the table until somebody asks for it.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return true
    } catch {
      return true
    }
    await new Promise((next) => setImmediate(next))
  }
  return false
}

describe('a command that is allowed', () => {
  it('runs in the workspace folder without a shell, and tells what it wrote', async () => {
    const { run, root } = setUp(
      { 'show.mjs': 'console.log(process.cwd()); console.error(JSON.stringify(process.argv.slice(2)))' },
      [`${node} show.mjs **`],
    )
    const text = await run([node, 'show.mjs', '$HOME;x', 'a b', '*'])
    expect(text).toContain(`${root}\n["$HOME;x","a b","*"]`)
    expect(text).toMatch(/ended well\.\n/)
  })

  it('is told of nothing but where programs and settings are, and reads nothing', async () => {
    const { run, root, at } = setUp(
      {
        'env.mjs': `import { readFileSync } from 'node:fs'; console.log(JSON.stringify([process.env, readFileSync(0, 'utf8')]))`,
      },
      [`${node} env.mjs`],
      { env: { LANG: 'de_DE.UTF-8', LD_PRELOAD: '', NODE_OPTIONS: '--bad', GIT_DIR: '/x' } },
    )
    const text = await run([node, 'env.mjs'])
    const [env, input] = JSON.parse(text.slice(text.indexOf('\n') + 1))
    expect(input).toBe('')
    expect(env).toMatchObject({
      HOME: root,
      LANG: 'de_DE.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      GIT_TERMINAL_PROMPT: '0',
    })
    for (const name of ['OPENAI_API_KEY', 'LD_PRELOAD', 'NODE_OPTIONS', 'GIT_DIR']) expect(env).not.toHaveProperty(name)
    expect(env.PATH.split(delimiter)).not.toContain(at(''))
  })

  it('that fails is a failure with its code and the end of what it wrote', async () => {
    const { run } = setUp({ 'bad.mjs': `console.log('two tests failed'); process.exit(3)` }, [`${node} bad.mjs`])
    const fault = await faultOf(run([node, 'bad.mjs']))
    expect([fault.code, fault.data.code]).toEqual(['tool/command-failed', 3])
    expect(fault.message).toMatch(/ended with code 3\.\ntwo tests failed$/)
  })

  it('shows the last 16 KiB of what it wrote, without credentials and control characters', async () => {
    const { run } = setUp(
      { 'long.mjs': `process.stdout.write('é'.repeat(50000) + '\\n\\x1b[31mpassword = "hunter22!"\\x1b[0m \\x07')` },
      [`${node} long.mjs`],
    )
    const text = await run([node, 'long.mjs'])
    expect(Buffer.byteLength(text)).toBeLessThan(17_000)
    expect(text).toMatch(/\[8\d{4} bytes before this are left out\]\né/)
    expect(text).toContain('⟨U+0007⟩')
    for (const hidden of ['hunter22', '\u001b', '\ufffd']) expect(text).not.toContain(hidden)
  })

  it('is killed with all its children after two minutes, also when they ignore to be told', async () => {
    const child = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); require('fs').writeFileSync(process.argv[1], String(process.pid))`
    const parent = `import { spawn } from 'node:child_process'
      process.on('SIGTERM', () => {})
      spawn(process.execPath, ['-e', ${JSON.stringify(child)}, 'child.pid'], { stdio: 'inherit' })
      setInterval(() => {}, 1000)
      console.log('begun')`
    const { run, clock, at } = setUp({ 'fork.mjs': parent }, [`${node} fork.mjs`])
    const ended = faultOf(run([node, 'fork.mjs']))
    const pid = Number(await written(at('child.pid')))
    clock.set(clock.now() + 120_000)
    const fault = await ended
    expect([fault.code, fault.message]).toEqual([
      'tool/command-stopped',
      expect.stringContaining('longer than 2 minutes'),
    ])
    expect(await isGone(pid)).toBe(true)
    expect(clock.nextWakeAt).toBeNull()
  })

  it('is killed when it is called off, and leaves no child behind when it ends', async () => {
    const { run, at } = setUp(
      {
        'wait.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('wait.pid', String(process.pid)); setInterval(() => {}, 1000)`,
        'leave.mjs': `import { spawn } from 'node:child_process'
          const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
          console.log(child.pid)
          child.unref()
          process.exit(0)`,
      },
      [`${node} wait.mjs`, `${node} leave.mjs`],
    )
    const abort = new AbortController()
    const ended = faultOf(run([node, 'wait.mjs'], abort.signal))
    const pid = Number(await written(at('wait.pid')))
    abort.abort()
    expect((await ended).code).toBe('tool/command-stopped')
    expect(await isGone(pid)).toBe(true)
    const left = await run([node, 'leave.mjs'])
    expect(await isGone(Number(left.split('\n')[1]))).toBe(true)
    rmSync(at('wait.pid'))
    expect((await faultOf(run([node, 'wait.mjs'], AbortSignal.abort()))).code).toBe('tool/command-stopped')
    expect(existsSync(at('wait.pid'))).toBe(false)
  })

  it('is not waited for when something that left its group holds on to its output', async () => {
    const { run, clock } = setUp(
      {
        'away.mjs': `import { spawn } from 'node:child_process'
          const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: 'inherit', detached: true })
          console.log(child.pid)
          child.unref()
          process.exit(0)`,
      },
      [`${node} away.mjs`],
    )
    const ended = run([node, 'away.mjs'])
    const began = clock.now()
    while (clock.nextWakeAt !== began + 1000) await new Promise((next) => setImmediate(next))
    clock.set(began + 1000)
    expect(process.kill(Number((await ended).split('\n')[1]), 'SIGKILL')).toBe(true)
  })

  it('is stopped when it writes without end', async () => {
    const { run } = setUp(
      { 'yes.mjs': `const chunk = 'y'.repeat(1 << 20); const more = () => process.stdout.write(chunk, more); more()` },
      [`${node} yes.mjs`],
    )
    const fault = await faultOf(run([node, 'yes.mjs']))
    expect([fault.code, fault.message.slice(0, 200)]).toEqual([
      'tool/command-stopped',
      expect.stringContaining('more than 64 MiB'),
    ])
    expect(fault.message.length).toBeLessThan(5000)
  })

  it('is named by itself as its target', () => {
    const { tool } = setUp({}, ['npm test'])
    expect(tool.target({ command: ['npm', 'test'] })).toBe('npm test')
    expect(tool.target({ command: ['npm test'] })).toBe("'npm test'")
    expect([tool.effect, tool.repeatable, tool.check]).toEqual(['write', false, undefined])
  })
})

describe('a command that is not allowed', () => {
  it('is not run: chains, wrappers, options in place of a star, nothing at all', async () => {
    const { run, list } = setUp({}, ['npm test', 'git log --oneline *', 'bash -c *', 'touch *'])
    for (const command of [
      ['npm', 'test;', 'touch', 'x'],
      ['npm', 'test', '&&', 'touch', 'x'],
      ['npm test; touch x'],
      ['bash', '-c', 'touch x'],
      ['sh', '-c', 'touch x'],
      ['git', '-c', 'core.pager=touch x', 'log', '--oneline', 'main'],
      ['git', 'log', '--oneline', '--output=x'],
      ['touch', '-x'],
      ['./npm', 'test'],
      ['nρm', 'test'],
    ])
      expect([command, await codeOf(run(command))]).toEqual([command, 'tool/command-refused'])
    for (const command of [['npm', 'test\nrm'], ['npm', 'te\u0000st'], ['npm', '\u202etest'], [], [1]])
      expect([command, await codeOf(run(command as string[]))]).toEqual([command, 'tool/bad-arguments'])
    expect(list()).toEqual([])
    expect((await faultOf(run(['rm', 'x']))).message).toContain('an entry of it cannot be used')
  })

  it('is not run when a star would stand for something outside, or that no tool may use', async () => {
    const { run, at, outside, put } = setUp({ 'a.md': 'mine', '../outside/x.md': 'theirs', '.env': 'SECRET=1' }, [
      'cat *',
      'git show *',
    ])
    put('.git/config', 'x')
    symlinkSync(outside, at('out'))
    symlinkSync(at('.env'), at('innocent.md'))
    expect(await run(['cat', 'a.md'])).toContain('mine')
    for (const path of [
      '/etc/passwd',
      '../outside/x.md',
      'a/../../outside/x.md',
      'out/x.md',
      '.env',
      'innocent.md',
      '.git/config',
      './.undermind/token',
      '~/x',
      'undermind.toml',
      'id_rsa',
      'file=/etc/passwd',
    ])
      expect([path, await codeOf(run(['cat', path]))]).toEqual([path, 'tool/command-refused'])
    expect(await codeOf(run(['git', 'show', 'HEAD:.env']))).toBe('tool/command-refused')
  })

  it('is not run when its program would be a file of the workspace', async () => {
    const script = '#!/bin/sh\ntouch planted\n'
    const { run, at, list, root } = setUp(
      { 'bin/tool': script, 'scripts/ok': '#!/bin/sh\necho fine\n' },
      ['tool', './scripts/ok', 'scripts/none'],
      {
        env: { PATH: '' },
      },
    )
    for (const file of ['bin/tool', 'scripts/ok']) chmodSync(at(file), 0o755)
    const inside = runCommand({
      root,
      commands: ['tool', './scripts/ok'],
      mask: (text) => text,
      clock: new HandClock(),
      env: { PATH: [at('bin'), 'bin', '.', ''].join(delimiter) },
    })
    expect(await codeOf(inside.run({ command: ['tool'] }, toolRun().run))).toBe('tool/command-missing')
    expect(await inside.run({ command: ['./scripts/ok'] }, toolRun().run)).toContain('fine')
    expect(await codeOf(run(['scripts/none']))).toBe('tool/command-missing')
    const linked = join(root, '..', 'linked')
    mkdirSync(linked)
    symlinkSync(at('bin/tool'), join(linked, 'tool'))
    const byLink = runCommand({
      root,
      commands: ['tool'],
      mask: (text) => text,
      clock: new HandClock(),
      env: { PATH: linked },
    })
    expect(await codeOf(byLink.run({ command: ['tool'] }, toolRun().run))).toBe('tool/command-missing')
    expect(list()).not.toContain('planted')
  })

  it('is refused with a sentence where commands cannot be run yet', async () => {
    const { run } = setUp({}, ['npm test'], { platform: 'win32' })
    expect((await faultOf(run(['npm', 'test']))).message).toContain('on Windows')
  })

  it('cannot be started when the file is no program', async () => {
    const { run, at } = setUp({ broken: '' }, ['./broken'])
    writeFileSync(at('broken'), 'no format\u0000\u0001')
    chmodSync(at('broken'), 0o755)
    expect(await codeOf(run(['./broken']))).toBe('tool/command-failed')
  })
})
