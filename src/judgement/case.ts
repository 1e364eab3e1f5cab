import { z } from 'zod'

/** What a case is about: what makes it hard for a judge. */
export const CaseKind = z.enum([
  'agenda',
  'blocked',
  'build',
  'chatter',
  'contradiction',
  'deadline',
  'empty',
  'flapping',
  'formatting',
  'injection',
  'invoice',
  'long-file',
  'meeting',
  'mention',
  'newsletter',
  'on-call',
  'one-of-many',
  'out-of-office',
  'past-date',
  'question',
  'repeated',
  'sarcasm',
  'spam',
  'synonym',
  'travel',
  'typo',
  'unit-price',
  'write-task',
  'wrong-language',
])
export type CaseKind = z.infer<typeof CaseKind>

const Instant = z.iso.datetime({ offset: true })
const Said = z.enum(['skip', 'act', 'escalate'])

/** One change as a source would report it. Of a mail, `added` is the text; its subject line is made from `title`. */
const CaseChange = z.strictObject({
  source: z.string().min(1).default('folder'),
  key: z.string().min(1),
  kind: z.enum(['added', 'modified', 'removed']).default('added'),
  /** Not given: the last part of the key. */
  title: z.string().optional(),
  author: z.string().nullable().default(null),
  /** The item's own time; not given for a mail: shortly before the case's now. */
  time: Instant.optional(),
  added: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
  external: z.boolean().default(true),
})
export type CaseChange = z.infer<typeof CaseChange>

/** What a sensible colleague would have said. */
const Expected = z.strictObject({
  /** Every decision that would have been fine. */
  decisions: z.array(Said).min(1),
  /** Whether the user has to hear of it today. */
  urgent: z.boolean().default(false),
  /** Keys of changes the user must hear of, and of those they must be spared; of all others either is fine. */
  must: z.array(z.string()).default([]),
  mustNot: z.array(z.string()).default([]),
  /** Whether an action should be proposed. */
  proposal: z.enum(['wanted', 'unwanted', 'either']).default('either'),
  why: z.string().min(1),
})

/** A task, what changed, and what a person would have said about it. */
export const JudgementCase = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    kind: CaseKind,
    lang: z.enum(['en', 'zh', 'de']),
    now: Instant,
    zone: z.string().min(1),
    task: z.strictObject({ title: z.string().min(1).max(500), intent: z.enum(['read', 'write']).default('read') }),
    goals: z.array(z.string().min(1)).default([]),
    /** What the user has been told before, the latest last. */
    surfaced: z.array(z.string().min(1)).default([]),
    /** What AGENDA.md holds; null where there is none. */
    agenda: z.string().nullable().default(null),
    changes: z.array(CaseChange),
    expect: Expected,
  })
  .superRefine(({ changes, expect: { decisions, urgent, must, mustNot } }, context) => {
    const says = (message: string): void => context.addIssue({ code: 'custom', message })
    const keys = new Set(changes.map(({ key }) => key))
    for (const key of [...must, ...mustNot]) if (!keys.has(key)) says(`no change has the key ${key}`)
    for (const key of must) if (mustNot.includes(key)) says(`${key} must and must not be surfaced`)
    const maySkip = decisions.includes('skip')
    if (maySkip && must.length > 0) says('what may be skipped has nothing that must be surfaced')
    if (!maySkip && must.length === 0) says('what may not be skipped has something that must be surfaced')
    if (urgent && maySkip) says('what is urgent may not be skipped')
    if (decisions.every((one) => one === 'skip') && mustNot.length !== keys.size)
      says('where only skip will do, no change may be surfaced')
  })
export type JudgementCase = z.infer<typeof JudgementCase>

/** A file of cases. */
export const CaseFile = z.strictObject({ cases: z.array(JudgementCase).min(1) })
