import { linesIn } from '../lib/lines.mjs'

/** The workspace in a scenario's folder. */
export const workspaceIn = (/** @type {string} */ folder) => `${folder}/workspace`

/** What is kept outside the workspace, so that no fault of the store can touch it. */
export const recordsIn = (/** @type {string} */ folder) => ({
  /** Each time `post` happened, which cannot be taken back: `{ key, evaluation, nonce }`. */
  posted: linesIn(`${folder}/posted.jsonl`),
  /** Each time `note` was made, which may be made again: `{ key, evaluation, nonce, settled }`. */
  noted: linesIn(`${folder}/noted.jsonl`),
  /** Posts that the user had made again although they had happened: `{ evaluation, nonce }`. */
  again: linesIn(`${folder}/again.jsonl`),
  /** Each time the agent was asked: `{ run, at, kept }`, with the turns that it was shown and those that the rows hold. */
  asked: linesIn(`${folder}/asked.jsonl`),
})
