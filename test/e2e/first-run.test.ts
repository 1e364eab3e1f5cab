import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desk } from './support/desk.ts'
import { Cards, Log, Status, Tick } from './support/shapes.ts'

describe.concurrent('the first run', () => {
  it('skips, acts and asks on the example, does what was approved once, follows an edit, and goes on after a stop', async (test) => {
    const at = desk(test)
    const example = at.path('example-workspace')
    const agenda = () => readFileSync(join(example, 'AGENDA.md'), 'utf8')
    const inExample = (...words: string[]) => ['-w', example, ...words]

    const started = at.begin(['start', '--example'])
    await started.until(/^● \d\d:\d\d acted {2}Look through new mail for urgent items$/m)
    await started.until(/^● \d\d:\d\d awaitingApproval {2}Watch the concert notes for deadlines$/m)
    await started.until(/^· \d\d:\d\d \d+ skipped: nothing new$/m)
    expect(started.out).toContain(example)
    expect(started.out).toContain('approvals approve ev_')

    const [card, ...others] = Cards.parse(await at.json(inExample('approvals', 'list')))
    expect(others).toEqual([])
    expect(card).toMatchObject({ state: 'open', calls: [{ tool: 'append_file', arguments: { path: 'AGENDA.md' } }] })
    const shown = card!.callsShown[0]!.arguments.find(({ name }) => name === 'text')!.value
    const before = agenda()
    expect(before).not.toContain(shown)

    const approved = await at.run(inExample('approvals', 'approve', card!.id))
    expect(approved).toMatchObject({ code: 0, err: '' })
    expect(agenda()).toBe(before + shown)
    const late = await at.run(inExample('approvals', 'approve', card!.id))
    expect(late).toMatchObject({ code: 1, out: '' })
    expect(late.err).toMatch(
      /^This card was already approved by cli at 20\S+Z\. Nothing was changed\. \[approval\/answered\]\n$/,
    )
    expect(agenda()).toBe(before + shown)
    await started.until(/^● \d\d:\d\d acted {2}Watch the concert notes for deadlines$/m)

    at.write({ 'inbox/0003.eml': mail }, example)
    const tick = Tick.parse(await at.json(inExample('tick')))
    expect(tick.state).toBe('done')
    const found = tick.evaluations.find(({ title }) => title.startsWith('Look through new mail'))
    expect(found).toMatchObject({ state: 'acted', sources: [{ key: 'inbox/0003.eml' }] })
    expect(found?.text).toContain('URGENT: the printer has moved')
    await started.until('inbox/0003.eml')

    const log = Log.parse(await at.json(inExample('log')))
    const ended = await started.signal('SIGINT')
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(/Stopped\. Nothing is lost: what was in hand goes on at the next start\.\n$/)
    expect(readdirSync(join(example, '.undermind')).sort()).toEqual(['.gitignore', 'state.db', 'token'])

    const again = at.begin(['start', '--example'])
    await again.until('Ctrl-C')
    expect(Log.parse(await at.json(inExample('log')))).toEqual(log)
    const status = Status.parse(await at.json(inExample('status')))
    expect(status).toMatchObject({ running: true, pendingApprovals: 0, worlds: [{ consecutiveFailures: 0 }] })
    expect(Tick.parse(await at.json(inExample('tick'))).state).toBe('quiet')
    const undone = await at.run(inExample('undo', card!.id))
    expect(undone.code).toBe(0)
    expect(agenda()).toBe(before)
    expect(await again.signal('SIGTERM')).toMatchObject({ code: 0, err: '' })
  })

  it('runs an approved action once, though two processes approve it at the same time without a daemon', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const notes = at.path('notes')
    await at.json(['-w', notes, 'tick'])
    const [card] = Cards.parse(await at.json(['-w', notes, 'approvals', 'list']))
    const approve = () => at.run(['-w', notes, 'approvals', 'approve', card!.id])
    const [one, other] = await Promise.all([approve(), approve()])
    expect([one.code, other.code].sort()).toEqual([0, 1])
    expect(one.err + other.err).toContain('[approval/answered]')
    expect(readFileSync(join(notes, 'AGENDA.md'), 'utf8').match(/printer by/g)).toHaveLength(1)
  })

  it('goes on untrusted without a terminal, says so on standard error, and writes nothing but its own state', async (test) => {
    const at = desk(test)
    at.write({ 'notes/HEARTBEAT.md': '- Watch the notes for deadlines\n', 'notes/notes.md': '- Due on 3 May 2099\n' })
    const notes = at.path('notes')
    const started = at.begin(['start', '-w', notes])
    await started.until('is not trusted: it is read, and nothing is written to it.', 'err')
    await started.until(/^● \d\d:\d\d acted {2}Watch the notes for deadlines$/m)
    expect(started.out).toContain('"- Due on 3 May 2099"')
    const { code, err } = await started.signal('SIGINT')
    expect(code).toBe(0)
    expect(err).toBe(
      `${notes} is not trusted: it is read, and nothing is written to it. undermind -w ${notes} trust says that it is yours.\n`,
    )
    expect(readdirSync(notes).sort()).toEqual(['.undermind', 'HEARTBEAT.md', 'notes.md'])
    expect(existsSync(join(at.config, 'undermind/trust.json'))).toBe(false)
  })
})

const mail = [
  'From: Printer <print@example.org>',
  'To: you@example.org',
  'Subject: URGENT: the printer has moved',
  `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
  'Message-ID: <p1@example.org>',
  '',
  'Please come to the new address.',
  '',
].join('\n')
