import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { recordsIn, workspaceIn } from './places.mjs'

/** @typedef {ReturnType<typeof import('../lib/random.mjs').randomFrom>} Random */

const refusals = new Set(['approval/answered', 'approval/changed', 'approval/not-unknown'])

/** Resolves when it is done or when it was refused because somebody was faster. @param {Promise<unknown>} answer */
const unlessTooLate = (answer) =>
  answer.catch((error) => {
    if (!refusals.has(error.code)) throw error
  })

/**
 * Works in the workspace as people do: writes files, one unmistakable line at a time, moves and removes some, edits the
 * list of tasks.
 * @param {string} folder @param {Random} random
 */
export function editFiles(folder, random) {
  const root = workspaceIn(folder)
  const line = () => `line ${process.pid} ${Date.now()} ${random.below(1e12)}\n`
  for (const name of ['notes', 'inbox', 'scratch']) mkdirSync(`${root}/${name}`, { recursive: true })
  switch (random.weighted({ note: 5, inbox: 2, scratch: 2, task: 1 })) {
    case 'note':
      appendFileSync(`${root}/notes/${random.below(8)}.md`, line())
      break
    case 'inbox':
      writeFileSync(`${root}/inbox/.${process.pid}`, line())
      renameSync(`${root}/inbox/.${process.pid}`, `${root}/inbox/${Date.now()}-${random.below(1e6)}.md`)
      break
    case 'scratch': {
      const file = `${root}/scratch/${random.below(4)}.txt`
      if (existsSync(file) && random.chance(0.5)) rmSync(file)
      else writeFileSync(file, `scratch ${random.below(1e9)}\n`)
      break
    }
    case 'task': {
      const file = `${root}/HEARTBEAT.md`
      const lines = readFileSync(file, 'utf8').split('\n')
      const extra = `- Watch number ${random.below(6)}`
      const next = lines.includes(extra) ? lines.filter((one) => one !== extra) : [...lines, extra]
      writeFileSync(`${file}.new`, next.join('\n'))
      renameSync(`${file}.new`, file)
      break
    }
  }
}

/**
 * Answers some of the cards: the same answer from several doors at once, with one id or with several; what may or may not
 * have happened is looked up outside, or run again whatever is true.
 * @param {{ folder: string, runtime: any, db: import('better-sqlite3').Database, random: Random, share: number }} parts
 */
export async function answerCards({ folder, runtime, db, random, share }) {
  const { answers } = runtime
  for (const card of runtime.stores.escalations.open(200)) {
    if (!random.chance(share) && card.kind !== 'unknown') continue
    if (card.kind === 'unknown') {
      await answerUnknown(card)
      continue
    }
    const doors = ['cli', 'dashboard', 'rpc'].slice(0, 1 + random.below(3))
    switch (random.weighted({ approve: 7, dismiss: 2, respond: card.kind === 'proposal' ? 1 : 0 })) {
      case 'approve': {
        const id = `approve ${card.id} ${card.digest} ${card.refreshedAt}`
        const message = (door) => (random.chance(0.7) ? id : `${id} from ${door}`)
        const approve = async (by) => {
          const approved = await unlessTooLate(answers.approve(card.id, card.digest, { by, message: message(by) }))
          if (approved) recordsIn(folder).taken.add({ evaluation: card.id, answer: approved.answer })
        }
        await Promise.all(doors.map(approve))
        break
      }
      case 'dismiss':
        await Promise.all(doors.map((by) => unlessTooLate(answers.dismiss(card.id, { by }))))
        break
      case 'respond':
        await unlessTooLate(answers.respond(card.id, 'Think again', { by: 'cli' }))
    }
  }

  async function answerUnknown(card) {
    const row = db
      .prepare(
        "SELECT key, input FROM outbox WHERE actor = ? AND invoke = 'carryOut' ORDER BY CAST(substr(key, length(actor) + 11) AS INTEGER) DESC LIMIT 1",
      )
      .get(card.id)
    const { call } = JSON.parse(row.input)
    const happened = didHappen(folder, row.key, call)
    if (call.tool === 'send' && random.chance(0.4)) {
      if (happened) recordsIn(folder).again.add({ evaluation: card.id, nonce: call.arguments.nonce })
      await unlessTooLate(answers.approve(card.id, card.digest, { by: 'cli' }))
    } else await unlessTooLate(answers.resolve(card.id, happened, { by: 'cli' }))
  }
}

/** @param {string} folder @param {string} key @param {{ tool: string, arguments: any }} call */
function didHappen(folder, key, call) {
  if (call.tool === 'send')
    return recordsIn(folder)
      .sent.all()
      .some((line) => line.key === key)
  const agenda = `${workspaceIn(folder)}/AGENDA.md`
  return existsSync(agenda) && readFileSync(agenda, 'utf8').split('\n').includes(call.arguments.text)
}
