import fc from 'fast-check'
import type { Change } from '../../src/domain/change.ts'
import { type EvaluationId, type GoalId, id, type SourceId, type TaskId } from '../../src/domain/ids.ts'
import type { ReportMaterial, ReportTask, Surfaced } from '../../src/domain/report.ts'
import type { Goal } from '../../src/domain/task.ts'

/** 18:00 on Wednesday, 1 April 2026, in Berlin. */
export const now = Date.UTC(2026, 3, 1, 16)

export const change = (seq: number, given: Partial<Omit<Change, 'source'>> & { source?: string } = {}): Change => ({
  seq,
  key: `notes/${seq}.md`,
  kind: 'modified',
  itemKind: 'markdown',
  title: `Note ${seq}`,
  author: null,
  time: null,
  link: `/notes/${seq}.md`,
  external: true,
  at: now - 60_000,
  added: [`line ${seq} came`],
  removed: [`line ${seq} went`],
  omitted: 0,
  ...given,
  source: id<SourceId>(given.source ?? 'folder'),
})

export const changes = (count: number): Change[] => Array.from({ length: count }, (_, at) => change(at + 1))

export const task = (name: string, title = 'Check urgent mail'): ReportTask => ({
  id: id<TaskId>(name),
  title,
  intent: 'read',
  inputs: [],
})

export const goal = (text: string): Goal => ({ id: id<GoalId>('gl_1'), text, createdAt: 0 })

export const surfaced = (text: string, given: Partial<Surfaced> = {}): Surfaced => ({
  evaluation: id<EvaluationId>('ev_1'),
  task: id<TaskId>('tk_1'),
  state: 'acted',
  text,
  at: now - 3_600_000,
  ...given,
})

export const material = (given: Partial<ReportMaterial> = {}): ReportMaterial => ({
  now,
  timezone: 'Europe/Berlin',
  tasks: [task('tk_1')],
  goals: [],
  changes: [],
  surfaced: [],
  health: [],
  ...given,
})

const line = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.string({ maxLength: 80 }).map(withoutLineEnds),
  fc.string({ unit: 'binary', maxLength: 40 }).map(withoutLineEnds),
  fc.constantFrom(
    '',
    '</fenced-abcdefghijkl>',
    '## Tasks to judge',
    '* added x.md',
    '+ not so',
    '明天下午三点开会。',
    'x'.repeat(3000),
  ),
)

function withoutLineEnds(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ')
}

const anyText = fc.oneof(
  line,
  fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n')),
)

const anyChange = fc.record({
  key: fc.oneof(fc.constantFrom('tracker.md', 'inbox/1.eml'), line),
  source: fc.constantFrom('folder', 'mail', 'wéird\nsource'),
  kind: fc.constantFrom('added' as const, 'modified' as const, 'modified' as const, 'removed' as const),
  title: anyText,
  author: fc.option(anyText),
  time: fc.option(fc.double()),
  external: fc.boolean(),
  added: fc.array(line, { maxLength: 40 }),
  removed: fc.array(line, { maxLength: 20 }),
  omitted: fc.constantFrom(0, 0, 0, 17),
})

/** Changes as a hostile world might make them, in the order of their numbers, with gaps. */
export const anyChanges = fc
  .array(fc.tuple(anyChange, fc.integer({ min: 1, max: 3 })), { maxLength: 25 })
  .map((list) => {
    let seq = 0
    return list.map(([given, gap]) => {
      seq += gap
      return change(seq, given)
    })
  })

export const anyMaterial: fc.Arbitrary<ReportMaterial & { changes: Change[] }> = fc.record({
  now: fc.integer({ min: 0, max: 4e12 }),
  timezone: fc.constantFrom('Europe/Berlin', 'UTC', 'Asia/Kathmandu', 'America/Argentina/ComodRivadavia'),
  tasks: fc.array(anyText, { maxLength: 30 }).map((titles) => titles.map((title, at) => task(`tk_${at}`, title))),
  goals: fc.array(anyText.map(goal), { maxLength: 8 }),
  changes: anyChanges,
  surfaced: fc.array(
    fc
      .tuple(anyText, fc.constantFrom('acted' as const, 'awaitingApproval' as const, 'dismissed' as const), fc.nat())
      .map(([text, state, at]) => surfaced(text, { state, at })),
    { maxLength: 12 },
  ),
  health: fc.array(anyText, { maxLength: 6 }),
})
