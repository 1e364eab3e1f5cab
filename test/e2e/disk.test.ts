import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import type { z } from 'zod'
import { type Desk, desk } from './support/desk.ts'
import { expectRefusal } from './support/said.ts'
import { Log, Tick } from './support/shapes.ts'
import { SmallDisk } from './support/small-disk.ts'

interface Scene {
  at: Desk
  disk: SmallDisk
  notes: string
  state: string
  tick: z.infer<typeof Tick>
}

async function onSmallDisk(test: TestContext): Promise<Scene> {
  const at = desk(test)
  const disk = new SmallDisk(at.path('disk'))
  test.onTestFinished(() => disk[Symbol.dispose]())
  const notes = join(disk.path, 'notes')
  await at.run(['init', notes, '--example'])
  const tick = Tick.parse(await at.json(['-w', notes, 'tick']))
  return { at, disk, notes, state: join(notes, '.undermind'), tick }
}

describe.concurrent('a disk that is read-only', () => {
  it('is named by whatever is asked, and everything is there when it can be written to again', async (test) => {
    const { at, disk, notes, state, tick } = await onSmallDisk(test)
    disk.lock(state)
    for (const words of [['tick'], ['start'], ['init']])
      expectRefusal(await at.run(['-w', notes, ...words]), {
        exit: 2,
        fault: 'workspace/no-permission',
        says: 'Make it readable and writable for this user',
      })
    disk.unlock(state)
    const log = Log.parse(await at.json(['-w', notes, 'log']))
    const states = (rows: readonly { id: string; state: string }[]) => new Map(rows.map(({ id, state }) => [id, state]))
    expect(states(log)).toEqual(states(tick.evaluations))
    expect(Tick.parse(await at.json(['-w', notes, 'tick']))).toMatchObject({ state: 'quiet' })
  })
})

describe.concurrent('a disk that is full', () => {
  /** Room in which nothing can be begun, in which a store opens, and in which a tick comes half-way. */
  it.for([0, 100_000, 240_000])(
    'fails a tick with a sentence where %i bytes are left, and the same tick works when there is room',
    async (left, test) => {
      const { at, disk, notes, tick: before } = await onSmallDisk(test)
      const card = before.evaluations.find(({ state }) => state === 'awaitingApproval')!
      at.write({ 'notes/tour.md': '# Summer concert\n\n- The bus has to be booked by 5 May 2099\n' }, notes)
      disk.fill(left)
      const failed = await at.run(['-w', notes, 'tick'])
      if (disk.fills) {
        expect(failed).toMatchObject({ code: 1, out: '' })
        expect(failed.err).toMatch(
          /^The disk is full: cannot write .*\. Free some space; nothing was lost\. \[store\/(?:disk-full|stalled)\]\n$/,
        )
        expect((await at.run(['-w', notes, 'approvals', 'approve', card.id])).code).toBe(1)
      } else expect(failed.code).toBe(0)

      disk.free()
      const tick = await at.run(['-w', notes, 'tick'])
      expect({ code: tick.code, err: tick.err }).toEqual({ code: 0, err: '' })
      const after = Log.parse(await at.json(['-w', notes, 'log']))
      const kept = before.evaluations.map(({ id, text }) =>
        expect.objectContaining(id === card.id ? { id } : { id, text }),
      )
      expect(after).toEqual(expect.arrayContaining(kept))
      expect(JSON.stringify(after)).toContain('5 May 2099')
      // It was approved, and even carried out, if there was room for that much; in any case that is so once.
      await at.run(['-w', notes, 'approvals', 'approve', card.id])
      expect(readFileSync(join(notes, 'AGENDA.md'), 'utf8').match(/printer by/g)).toHaveLength(1)
      expect(readdirSync(join(notes, '.undermind')).sort()).toEqual(['.gitignore', 'state.db'])
    },
  )
})
