import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desk } from './support/desk.ts'
import { guard } from './support/guard.ts'
import { layHostileFolder, pictureOf, pipe, plantOrder, secrets, soon } from './support/hostile.ts'
import { expectRefusal } from './support/said.ts'
import { Cards, Log, Tick } from './support/shapes.ts'
import { callsOutOf } from './support/traced.ts'

/** What steers a terminal: every control character but the line end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const steering = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/

describe.concurrent('a stranger’s folder', () => {
  it('starts nothing, reaches nobody, writes nothing but its own state, and shows no secret', async (test) => {
    const at = desk(test)
    const folder = at.folder('clone')
    layHostileFolder(at, folder)
    at.write({ '.undermind/token': secrets.token }, folder)
    const { how, trespasses } = guard(at)
    const state = join(folder, '.undermind')
    const own = [state, join(at.config, 'undermind'), at.path('guard.mjs'), at.path('trace')]
    const before = pictureOf(at.root, ...own)

    const first = await at.run(['-w', folder, 'tick'], how)
    expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' })
    expect(first.out).toContain('line%0Abreak%1B')
    const forced = Tick.parse(await at.json(['-w', folder, 'tick', '--force'], how))
    expect(forced.state).toBe('done')
    const cards = Cards.parse(await at.json(['-w', folder, 'approvals', 'list'], how))
    const proposal = cards.find(({ calls }) => calls[0]?.tool === 'append_file')
    expect(proposal).toMatchObject({ external: true })
    const looks = [
      ['status'],
      ['log'],
      ['tasks'],
      ['approvals', '--bundled'],
      ['approvals', 'show', proposal!.id],
      ['doctor'],
      ['why', 'Watch the notes for deadlines'],
    ]
    const outputs = [first, ...(await Promise.all(looks.map((words) => at.run(['-w', folder, ...words], how))))]

    expect(trespasses()).toEqual([])
    expect(await callsOutOf(at, ['-w', folder, 'tick', '--force'])).toEqual([])
    expect(pictureOf(at.root, ...own)).toEqual(before)
    const said = outputs.map(({ out, err }) => out + err).join('')
    expect(said).toContain(soon)
    expect(said).not.toMatch(steering)
    const store = readFileSync(join(state, 'state.db')).toString('latin1')
    for (const secret of Object.values(secrets)) expect(said + store + JSON.stringify(forced)).not.toContain(secret)
    expect(said).not.toContain('huge.md')

    expectRefusal(await at.run(['-w', folder, 'approvals', 'approve', proposal!.id]), {
      exit: 1,
      fault: 'workspace/untrusted',
      says: 'Run undermind trust if it is yours.',
    })
    expect((await at.run(['-w', folder, 'approvals', 'approve', '--all'])).out).toContain('left for you to look at')
    expect(pictureOf(at.root, ...own)).toEqual(before)
  })

  it('cannot bring orders of its own: not before it is trusted, not by being trusted, not in the place of a trusted one', async (test) => {
    const at = desk(test)
    const folder = at.folder('clone')
    const stranger = desk(test)
    const evil = stranger.folder('evil')
    stranger.write({ 'HEARTBEAT.md': '- Watch the notes for deadlines\n', 'AGENDA.md': '# Agenda\n' }, evil)
    stranger.write({ 'notes.md': `- The fee is due on ${soon}\n` }, evil)
    await plantOrder(stranger, evil)
    at.copy(evil, 'clone')
    const agenda = () => readFileSync(join(folder, 'AGENDA.md'), 'utf8')
    const { how, trespasses } = guard(at)

    expect((await at.run(['-w', folder, 'tick'], how)).code).toBe(0)
    const [planted] = Log.parse(await at.json(['-w', folder, 'log', '--state', 'failed']))
    expect(planted).toMatchObject({ failure: { code: 'workspace/untrusted' } })
    expect(agenda()).toBe('# Agenda\n')

    rmSync(folder, { recursive: true })
    at.copy(evil, 'clone')
    const trusted = await at.run(['-w', folder, 'trust', '--yes'], how)
    expect(trusted).toMatchObject({ code: 0, out: `${folder} is trusted now.\n` })
    expect(trusted.err).toContain(`It is kept at ${folder}/.undermind-foreign-1 and not used.`)
    expect(Tick.parse(await at.json(['-w', folder, 'tick'], how)).tick).toBe('tick_memory_1')
    expect(Log.parse(await at.json(['-w', folder, 'log', '--state', 'failed']))).toEqual([])
    expect(agenda()).toBe('# Agenda\n')

    rmSync(folder, { recursive: true })
    at.copy(evil, 'clone')
    expect(await at.json(['-w', folder, 'status'])).toMatchObject({ trusted: false })
    expect((await at.run(['-w', folder, 'tick'], how)).code).toBe(0)
    expect(agenda()).toBe('# Agenda\n')
    expect(trespasses()).toEqual([])
  })

  it('reaches nobody but the Ollama of this machine, whatever address it names', async (test) => {
    const at = desk(test)
    const folder = at.folder('clone')
    at.write({ 'HEARTBEAT.md': '- Watch the notes\n', 'notes.md': 'A line\n' }, folder)
    at.write({ 'undermind.toml': '[models.local]\nprovider = "ollama"\nbase_url = "http://192.0.2.1:80"\n' }, folder)
    const { how, trespasses } = guard(at)
    const { UNDERMIND_MODELS_LOCAL_PROVIDER: _rules, ...env } = how.env ?? {}
    expect((await at.run(['-w', folder, 'tick'], { ...how, env })).code).toBe(0)
    expect(new Set(trespasses())).toEqual(new Set(['connect 127.0.0.1:11434']))
  })

  it('cannot make a command wait, look or write elsewhere by what its files are', async (test) => {
    const at = desk(test)
    const folder = at.folder('clone')
    at.write({ 'outside/secret.md': `- ${secrets.outside} due on 5 May 2099\n` })
    at.write({ '.undermind/token': secrets.token, 'notes.md': '- The fee is due on 5 May 2099\n' }, folder)
    const callers: unknown[] = []
    const elsewhere = createServer((socket) => callers.push(socket))
    await new Promise<void>((listening) => elsewhere.listen(at.path('outside/socket'), listening))
    test.onTestFinished(() => void elsewhere.close())
    pipe(join(folder, 'AGENDA.md'))
    pipe(join(folder, 'HEARTBEAT.md'))
    pipe(join(folder, '.undermind/lock'))
    symlinkSync('../../outside/socket', join(folder, '.undermind/socket'))
    const before = pictureOf(at.path('outside'))

    const { code, out, err } = await at.run(['-w', folder, 'tick'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('5 May 2099')
    expect((await at.run(['-w', folder, 'status'])).out).toMatch(/HEARTBEAT\.md +cannot be read/)
    expectRefusal(await at.run(['-w', folder, 'start', '--yes']), {
      exit: 1,
      fault: 'daemon/socket-in-the-way',
      says: 'Move it away and start again.',
    })

    for (const name of ['HEARTBEAT.md', 'AGENDA.md', '.undermind/socket']) rmSync(join(folder, name))
    symlinkSync('../outside/secret.md', join(folder, 'HEARTBEAT.md'))
    symlinkSync('../outside/secret.md', join(folder, 'AGENDA.md'))
    const linked = await at.run(['-w', folder, 'tick', '--force'])
    const status = await at.run(['-w', folder, 'status'])
    expect([linked.code, status.code]).toEqual([0, 0])
    expect(linked.out + linked.err + status.out + status.err).not.toContain(secrets.outside)

    rmSync(join(folder, '.undermind'), { recursive: true })
    at.write({ '.undermind/token': secrets.token }, folder)
    symlinkSync('../../outside/state.db', join(folder, '.undermind/state.db'))
    expectRefusal(await at.run(['-w', folder, 'tick']), {
      exit: 1,
      fault: 'store/corrupt',
      says: 'state.db is not an undermind store. Move it away and start again.',
    })
    expect(callers).toEqual([])
    expect(pictureOf(at.path('outside'))).toEqual(before)
  })
})

describe.concurrent('what watches over these tests', () => {
  it('sees a process that is started and a socket that is opened', async (test) => {
    const at = desk(test)
    const { how, trespasses } = guard(at)
    const program = at.path('program.mjs')
    writeFileSync(
      program,
      `import { connect } from 'node:net'
       import { execFileSync, spawn } from 'node:child_process'
       for (const act of [() => connect(1), () => spawn('true'), () => execFileSync('true')]) try { act() } catch {}`,
    )
    const running = at.spawn(process.execPath, [...(how.node ?? []), program], how)
    expect((await running.ended).code).toBe(0)
    expect(trespasses()).toEqual(['connect :1', 'spawn', 'execFileSync'])
    await at.run(['init', 'notes', '--example'])
    expect((await at.run(['-w', at.path('notes'), 'start'], how)).code).toBe(1)
    expect(trespasses().at(-1)).toBe('listen')
  })
})
