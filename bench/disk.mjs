// What a settled evaluation weighs on disk once it is older than journal.keep_days: the growth between two sizes.
import { statSync } from 'node:fs'
import { join } from 'node:path'

export async function measure(task, open, warmUp) {
  let days = 0
  const clock = {
    now: () => Date.now() + days * 86_400_000,
    wakeAt: (at, wake) => {
      const timer = setTimeout(wake, Math.max(0, Math.min(2 ** 30, at - clock.now())))
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
  const peer = await open({ ...task, clock })
  await peer.prepare(1000)
  const size = async () => {
    days += 40
    await peer.compact()
    return statSync(join(task.folder, 'workspace', '.undermind', 'state.db')).size
  }
  await warmUp(peer, 1000, 2)
  const before = await size()
  await warmUp(peer, 1000, 10)
  const after = await size()
  return { size: (after - before) / 10_000, close: () => peer.close() }
}
