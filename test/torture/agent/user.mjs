import { appendFileSync } from 'node:fs'
import { recordsIn, workspaceIn } from './places.mjs'

const refusals = new Set(['approval/answered', 'approval/changed', 'approval/not-unknown'])

/** Resolves when it is done or when it was refused because somebody was faster. @param {Promise<unknown>} answer */
const unlessTooLate = (answer) =>
  answer.catch((error) => {
    if (!refusals.has(error.code)) throw error
  })

export const editNotes = (/** @type {string} */ folder) =>
  appendFileSync(`${workspaceIn(folder)}/notes.md`, `line ${process.pid} ${Date.now()}\n`)

/**
 * Answers cards: says yes or no to what is proposed; of what may have happened it looks up the truth, or has it run again.
 * @param {{ folder: string, runtime: any, db: import('better-sqlite3').Database, random: ReturnType<typeof import('../lib/random.mjs').randomFrom>, share: number }} parts
 */
export async function answerCards({ folder, runtime, db, random, share }) {
  const { answers } = runtime
  const { posted, again } = recordsIn(folder)
  for (const card of runtime.stores.escalations.open(200)) {
    if (card.kind === 'unknown') await answerUnknown(card)
    else if (!random.chance(share)) continue
    else if (random.chance(0.75)) await unlessTooLate(answers.approve(card.id, card.digest, { by: 'cli' }))
    else await unlessTooLate(answers.dismiss(card.id, { by: 'cli' }))
  }

  /** The call that it is about is the agent's own, or one of those that the user had approved. */
  async function answerUnknown({ id, digest, calls }) {
    const keys = db
      .prepare("SELECT key FROM outbox WHERE state = 'unknown' AND (actor = :id OR actor GLOB :id || '#*')")
      .pluck()
      .all({ id })
    const nonces = calls.map(({ arguments: args }) => args.nonce)
    const happened = posted.all().find(({ key, nonce }) => keys.includes(key) && nonces.includes(nonce))
    if (random.chance(0.4)) {
      if (happened) again.add({ evaluation: id, nonce: happened.nonce })
      await unlessTooLate(answers.approve(id, digest, { by: 'cli' }))
    } else await unlessTooLate(answers.resolve(id, happened !== undefined, { by: 'cli' }))
  }
}
