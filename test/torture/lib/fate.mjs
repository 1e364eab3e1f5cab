import { writeSync } from 'node:fs'

/** Tells the process that watches this life; written at once, so that it stands even if the next step is death. */
export const say = (/** @type {string} */ line) => writeSync(1, `${line}\n`)

/**
 * Kills this process when it passes `fate.point` for the `fate.nth` time, as a power cut would: nothing is tidied up.
 * @param {{ point: string, nth: number } | null} fate
 * @returns {(point: string) => void} to be called wherever death shall be possible
 */
export function fated(fate) {
  let left = fate?.nth ?? 0
  return (point) => {
    if (point !== fate?.point || --left !== 0) return
    say(`dies ${point}`)
    process.kill(process.pid, 'SIGKILL')
    for (;;); // the signal may take a moment, in which nothing more may happen
  }
}
