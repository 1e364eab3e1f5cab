import { day } from '../domain/clock.ts'

const dayAndMonth = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')

const mail = (from: string, subject: string, at: number, id: string, body: string): string =>
  `From: ${from}\nTo: you@example.org\nSubject: ${subject}\nDate: ${mailDate(at)}\nMessage-ID: <${id}@example.org>\n\n${body}\n`

/** A small workspace to try undermind on, by path: one task will act, one will ask, one has nothing to say. */
export const exampleFiles = (now: number): Readonly<Record<string, string>> => ({
  'HEARTBEAT.md': `# Heartbeat

Every list item here is a standing task. Edit, add or remove lines; the next tick follows.

- Look through new mail for urgent items
- Watch the concert notes for deadlines
- Tell me when somebody answers about the piano tuner
`,
  'AGENDA.md': '# Agenda\n\nWhat is coming up.\n',
  'inbox/0001.eml': mail(
    'Mina Roth <mina@example.org>',
    'URGENT: the caretaker is ill, can you open the hall?',
    now - 2 * 3_600_000,
    'a1',
    'Nobody else has a key to the hall.\nCould you tell me whether you can come?\n\nMina',
  ),
  'inbox/0002.eml': mail(
    'Music Shop <news@example.org>',
    'Our newsletter: strings and bows',
    now - 3 * 3_600_000,
    'a2',
    'New strings have arrived in our shop.\nUnsubscribe at any time.',
  ),
  'notes/summer-concert.md': `# Summer concert

- Hall: booked, deposit paid
- The programme has to be at the printer by ${dayAndMonth.format(now + 9 * day)}
- Poster: first draft is done
`,
})
