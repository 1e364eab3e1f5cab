import type { Db } from './open.ts'

/**
 * Forgets how answers came about, once that is long ago: the steps of session actors, and the turns of cores. Messages and
 * what is left of cycles stay. Returns whether more is left.
 */
export function forgetSessionWork(db: Db): (before: number, most: number) => boolean {
  const steps = db.prepare(
    'DELETE FROM journal WHERE seq IN (SELECT j.seq FROM session s JOIN journal j ON j.actor = s.id WHERE j.at < ? LIMIT ?)',
  )
  const turns = db.prepare(
    `DELETE FROM core_step WHERE (cycle, thread, n) IN
     (SELECT t.cycle, t.thread, t.n FROM session_cycle c JOIN core_step t ON t.cycle = c.id WHERE c.ended_at < ? LIMIT ?)`,
  )
  return (before, most) => {
    const stepped = steps.run(before, most).changes
    const turned = turns.run(before, most).changes
    return stepped === most || turned === most
  }
}
