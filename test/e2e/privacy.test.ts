import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { desk } from './support/desk.ts'
import { Tick } from './support/shapes.ts'

const modes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (lstatSync(join(folder, name)).mode & 0o777).toString(8)]),
  )

describe.concurrent('the state of a workspace', () => {
  it('is for its owner only, while it is in use and afterwards, whatever the mask', async (test) => {
    const at = desk(test)
    await at.run(['init', 'notes', '--example'])
    const notes = at.path('notes')
    const state = join(notes, '.undermind')
    const before = process.umask(0)
    const daemon = at.begin(['-w', notes, 'start'])
    process.umask(before)
    await daemon.until(/^● \d\d:\d\d acted/m)
    await daemon.until(/^Dashboard /m)
    expect((lstatSync(state).mode & 0o777).toString(8)).toBe('700')
    expect(modes(state)).toEqual({
      '.gitignore': '600',
      'daemon.json': '600',
      lock: '600',
      socket: '600',
      'state.db': '600',
      'state.db-shm': '600',
      'state.db-wal': '600',
      token: '600',
    })
    expect((await daemon.signal('SIGINT')).code).toBe(0)
    expect(modes(state)).toEqual({ '.gitignore': '600', 'state.db': '600', token: '600' })
    expect(modes(join(at.config, 'undermind'))).toEqual({ 'stores.json': '600', 'trust.json': '600' })
  })
})

const mark = 'MARK-7Q2V-'
/** A line of each kind that is quoted for a task, and lines beside it that nobody asked about. */
const files = {
  'HEARTBEAT.md': '- Look through new mail for urgent items\n- Watch the notes for deadlines\n',
  'inbox/1.eml': [
    'From: Ada <ada@example.org>',
    'To: you@example.org',
    `Subject: URGENT: ${mark}SUBJECT`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'Message-ID: <m1@example.org>',
    '',
    `${mark}MAIL is nobody's business.`,
    '',
  ].join('\n'),
  'notes.md': `# Notes\n\n- ${mark}DEADLINE: due on 5 May 2099\n- ${mark}NOTE is nobody's business either\n`,
}

describe.concurrent('a body that was read', () => {
  it('comes out only as the finding that is quoted, and never in an error, a log or a setting', async (test) => {
    const at = desk(test)
    at.write(files, at.folder('notes'))
    const notes = at.path('notes')
    const daemon = at.begin(['-w', notes, 'start', '--json'], { env: { UNDERMIND_DEBUG: '1' } })
    await daemon.until('"type":"tick"')
    const tick = Tick.parse(await at.json(['-w', notes, 'tick', '--force']))
    const outputs = await Promise.all(
      [['status'], ['log'], ['tasks'], ['doctor'], ['approvals'], ['why', 'Watch the notes for deadlines']].map(
        (words) => at.run(['-w', notes, ...words]),
      ),
    )
    const { out, err } = await daemon.signal('SIGINT')

    const said = [out, JSON.stringify(tick), ...outputs.map((ended) => ended.out)].join('\n')
    expect(said).toContain(`${mark}SUBJECT`)
    expect(said).toContain(`${mark}DEADLINE`)
    expect(said).not.toContain(`${mark}MAIL`)
    expect(said).not.toContain(`${mark}NOTE`)
    for (const text of [err, ...outputs.map((ended) => ended.err)]) expect(text).not.toContain(mark)

    const kept = [join(notes, '.undermind'), at.config, at.path('tmp')].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('state.db'))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    expect(kept.length).toBeGreaterThan(1)
    for (const file of kept) expect(readFileSync(file, 'utf8')).not.toContain(mark)
  })
})
