const heartbeat = `# Heartbeat

Every list item here is a standing task.

- Tell me about messages in the inbox that need an answer or name a deadline
- Watch the project notes for anything that is blocked
- Note dates from the inbox in the agenda
`

const agenda = `# Agenda

What is coming up.
`

const inbox = `# From Mina, about the rehearsal room

Hello,

the rehearsal room is free again on Thursday. Could you tell me by Wednesday whether we take it?
The deposit is due on Friday.

Mina
`

const notes = `# Summer concert

- Programme: chosen, printed next week
- Piano tuner: blocked, waiting for a date from the school
- Poster: first draft is done
`

/** A small workspace to try undermind on, by path. */
export const exampleFiles: Readonly<Record<string, string>> = {
  'HEARTBEAT.md': heartbeat,
  'AGENDA.md': agenda,
  'inbox/rehearsal-room.md': inbox,
  'notes/summer-concert.md': notes,
}
