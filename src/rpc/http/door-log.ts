import { type Clock, minute } from '../../domain/clock.ts'

/** Somebody was not let in. Nothing of what they sent is in it: no address, header or body. */
export interface DoorLine {
  /** Milliseconds UTC. */
  at: number
  /** What was wrong. */
  code: string
  /** The peer's port; 0 where it had gone. */
  port: number
  /** Refusals before this one that have no line of their own, since there were too many in a minute. */
  unsaid: number
}

export type DoorLog = (code: string, port: number | undefined) => void

/** A page that keeps trying must not fill the disk. */
const mostPerMinute = 100

/** Tells `write` of refusals, a line each, as long as they are not too many. */
export function doorLog(clock: Clock, write: (line: DoorLine) => void): DoorLog {
  let began = clock.now()
  let said = 0
  let unsaid = 0
  return (code, port = 0) => {
    const at = clock.now()
    if (Math.abs(at - began) >= minute) {
      began = at
      said = 0
    }
    if (said >= mostPerMinute) {
      unsaid++
      return
    }
    said++
    const line = { at, code, port, unsaid }
    unsaid = 0
    // A log that cannot be written must not open or close the door.
    try {
      write(line)
    } catch {}
  }
}
