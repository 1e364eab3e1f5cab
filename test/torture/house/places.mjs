import { linesIn } from '../lib/lines.mjs'

/** The workspace in a scenario's folder. */
export const workspaceIn = (/** @type {string} */ folder) => `${folder}/workspace`

/** What is kept outside the workspace, so that no fault of the store can touch it. */
export const recordsIn = (/** @type {string} */ folder) => ({
  /** Each time `send` happened: `{ key, evaluation, nonce }`. */
  sent: linesIn(`${folder}/sent.jsonl`),
  /** What the model was shown at a time: `{ tasks, changes: [seq, key][], lines }`, the lines being those that a user wrote. */
  shown: linesIn(`${folder}/shown.jsonl`),
  /** Calls that the user had run again although they had happened: `{ evaluation, nonce }`. */
  again: linesIn(`${folder}/again.jsonl`),
  /** Approvals that the user was told had been taken: `{ evaluation, answer }`. */
  taken: linesIn(`${folder}/taken.jsonl`),
  /** How each life found the world: `{ generation }`. */
  found: linesIn(`${folder}/found.jsonl`),
})
