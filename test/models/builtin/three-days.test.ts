import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import type { Decision } from '../../../src/domain/decision.ts'
import { change, edited, judge, mail, quotesIn, report, still, task, textOf, withAgenda } from './situation.ts'

const root = fileURLToPath(new URL('../../cases/workspace-three-days/', import.meta.url))
const linesOf = (path: string): string[] =>
  readFileSync(root + path, 'utf8')
    .trimEnd()
    .split('\n')

const mailTask = task('Look through new mail for urgent items')
const trackerTask = task('Watch the project tracker for deadline changes')
const skillsTask = task('Check that the connected skills work')
const tasks = linesOf('HEARTBEAT.md').map((line) => task(line.replace('- ', '')))

/** A mail of the case; `raw` keeps its header lines, as a source that shows files as they are would. */
function mailOf(path: string, raw: boolean): Change {
  const lines = linesOf(path)
  const headerOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))!.slice(name.length + 2)
  const body = lines.slice(lines.indexOf('') + 1)
  const subject = headerOf('Subject')
  const rest = { author: headerOf('From'), time: Date.parse(headerOf('Date')), title: subject }
  const key = path.replace(/^day\d\//, '')
  return raw ? { ...mail(key, subject, [], rest), added: lines } : mail(key, subject, body, rest)
}

const firstDay = (raw: boolean): Change[] => [
  change('HEARTBEAT.md', linesOf('HEARTBEAT.md')),
  ...readdirSync(`${root}day1/inbox`).map((name) => mailOf(`day1/inbox/${name}`, raw)),
  change('tracker.md', linesOf('day1/tracker.md'), { title: 'Delivery tracker' }),
]

function secondDay(raw: boolean): Change[] {
  const before = linesOf('day1/tracker.md')
  const after = linesOf('day2/tracker.md')
  return [
    mailOf('day2/inbox/0003.eml', raw),
    edited(
      'tracker.md',
      after.filter((line) => !before.includes(line)),
      before.filter((line) => !after.includes(line)),
    ),
  ]
}

const everyLine = ['day1', 'day2'].flatMap((day) => [
  ...linesOf(`${day}/tracker.md`),
  ...readdirSync(`${root}${day}/inbox`).flatMap((name) => linesOf(`${day}/inbox/${name}`)),
])

describe.each([
  { form: 'subject and body', raw: false },
  { form: 'whole files', raw: true },
])('three days of a workspace, mails as $form', ({ raw }) => {
  let first: Map<string, Decision>
  let second: Map<string, Decision>
  const on = (day: Map<string, Decision>, one: { id: string }): Decision => day.get(one.id)!

  beforeAll(async () => {
    first = await judge(report(tasks, firstDay(raw)))
    second = await judge(report(tasks, secondDay(raw)))
  })

  it('names the reminder and its file on the first day, and not the passed build', () => {
    const text = textOf(on(first, mailTask))
    expect(text).toContain('due 3 April')
    expect(text).toContain('— inbox/0001.eml')
    expect(text).not.toContain('checks passed')
    expect(text).not.toContain('0002.eml')
  })

  it('acts on the urgent mail only on the second day, and says 2 April', () => {
    const text = textOf(on(second, mailTask))
    expect(text).toMatch(/^1 new mail looks urgent:\n/)
    expect(text).toContain('2 April')
    expect(quotesIn(text).every((quote) => linesOf('day2/inbox/0003.eml').some((line) => line.includes(quote)))).toBe(
      true,
    )
    expect(text).not.toContain('Reminder')
  })

  it('shows both changes of the tracker on the second day: unblocked, and the moved date', () => {
    const text = textOf(on(second, trackerTask))
    expect(text).toContain('"Note: unblocked, the credential service is live." — tracker.md')
    expect(text).toContain('"- Interface review moved to 2 April (was 3 April)" — tracker.md')
    expect(text).not.toContain('inbox/')
  })

  it('skips the skills on both days, and says that it looked', () => {
    expect(on(first, skillsTask)).toEqual({
      decision: 'skip',
      reason: 'Looked at 4 changes: nothing that fits this task.',
    })
    expect(on(second, skillsTask).decision).toBe('skip')
  })

  it('quotes only what stands in a file, and never the task file', () => {
    const quotes = [...first.values(), ...second.values()].flatMap((decision) => quotesIn(textOf(decision)))
    expect(quotes.length).toBeGreaterThan(5)
    for (const quote of quotes)
      expect(everyLine.some((line) => line === quote || line === `Subject: ${quote}`)).toBe(true)
  })

  it('proposes to note the moved review where there is an AGENDA.md, once, as one line', async () => {
    const situation = report(tasks, secondDay(raw))
    const decisions = await judge(situation, '# Agenda\n')
    expect([...decisions.values()].map(({ decision }) => decision)).toEqual(['escalate', 'act', 'skip'])
    const step = { task: trackerTask, report: situation, reason: '' }
    const analysis = await withAgenda('# Agenda\n').analyse(step, still)
    expect(analysis.kind === 'proposal' && analysis.proposal.calls).toEqual([
      {
        tool: 'append_file',
        arguments: {
          path: 'AGENDA.md',
          text: '- 2026-04-02: "Interface review moved to 2 April (was 3 April)" (tracker.md)\n',
        },
      },
    ])
  })
})
