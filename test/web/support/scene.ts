import type { Analysis } from '../../../src/domain/decision.ts'
import type { Script } from '../../../src/models/scripted.ts'
import { mail } from '../../house/scene.ts'

/** A day in the life of a workspace: something of everything that the page shows. */
export const dayFiles: Record<string, string> = {
  'inbox/anna.eml':
    'From: Anna Vogel <anna@example.org>\nTo: me@example.com\nSubject: Figures for tonight\nDate: Mon, 30 Nov 2026 09:12:00 +0100\nContent-Type: text/plain\n\nCould you send the Q3 figures to the team by tonight? Details: https://intranet.example.org/q3\n',
  'notes.md': '# Notes\n\n- call the printer about the brochure\n',
  'calendar.md': '- 14:00 review with Li\n- 16:30 dentist\n',
}

export const dayTasks = [
  'Check urgent mail',
  'Check the calendar for collisions',
  'Watch the release notes',
  'Summarise what changed in the notes',
  'Look at the build',
]

const found = (key: string, quote: string) => [{ source: 'folder', key, quote, external: true }]

export const dayScript: Script = {
  decide(task) {
    if (task.title.startsWith('Check')) return { decision: 'escalate', reason: 'It asks for something', sources: [] }
    if (task.title.startsWith('Summarise')) {
      return {
        decision: 'act',
        reason: 'The notes have a new line',
        text: 'One new point: call the printer about the brochure. The calendar has the review with Li at 14:00.',
        sources: found('notes.md', '- call the printer about the brochure'),
      }
    }
    return { decision: 'skip', reason: 'Nothing of it has changed' }
  },
  analyse({ task }): Analysis {
    const isMail = task.title.includes('mail')
    return {
      kind: 'proposal',
      proposal: isMail
        ? {
            title: 'Forward Anna’s question to the team',
            summary:
              'Anna asks for the Q3 figures by tonight. The team has them; forwarding the mail gets her an answer in time.',
            priority: 'important',
            calls: [
              mail('team@example.org', 'Anna needs the Q3 figures by tonight. Could one of you send them to her?'),
            ],
            provenance: found('inbox/anna.eml', 'Could you send the Q3 figures to the team by tonight?'),
          }
        : {
            title: 'Note the collision',
            summary: 'The review may run into the dentist’s appointment.',
            priority: 'normal',
            calls: [
              {
                tool: 'append_file',
                arguments: { path: 'notes.md', text: '- review may run into the dentist (16:30)' },
              },
            ],
            provenance: found('calendar.md', '- 16:30 dentist'),
          },
    }
  },
}
