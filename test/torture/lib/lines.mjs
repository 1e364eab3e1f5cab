import { appendFileSync, readFileSync } from 'node:fs'

/** A file of JSON lines outside the store: what really happened, whatever the store believes. */
export const linesIn = (/** @type {string} */ file) => ({
  add(/** @type {unknown} */ value) {
    appendFileSync(file, `${JSON.stringify(value)}\n`)
  },
  /** @returns {any[]} */
  all() {
    try {
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    } catch (error) {
      if (error.code === 'ENOENT') return []
      throw error
    }
  },
})
