import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { id, type WorldId } from '../../src/domain/ids.ts'
import type { News } from '../../src/domain/news.ts'
import { localDoor } from '../../src/rpc/local-door.ts'
import { services } from './samples.ts'

const news: News = { type: 'world', id: id<WorldId>('memory'), state: 'paused' }

describe('a door to a runtime in this process', () => {
  it('answers like the daemon, and is none', async () => {
    await using door = localDoor(services(), async () => {})
    expect(door.daemon).toBe(false)
    expect(await door.call('subconscious.tasks_list')).toMatchObject([{ id: 'task_1', only_if_changed: true }])
  })

  it('holds parameters to the same schemas', async () => {
    await using door = localDoor(services(), async () => {})
    await expect(door.call('subconscious.tasks_add', { name: 'x' })).rejects.toMatchObject({
      code: 'rpc/invalid-params',
    })
    await expect(door.call('subconscious.nobody')).rejects.toMatchObject({ code: 'rpc/unknown-method', kind: 'use' })
  })

  it('throws the Faults of the runtime, and a Fault whatever else is thrown', async () => {
    const fault = Fault.use('task/unknown', 'There is no task x.')
    const failing = services({
      tasks: { remove: () => Promise.reject(fault), list: () => [null as never] },
    })
    await using door = localDoor(failing, async () => {})
    await expect(door.call('subconscious.tasks_remove', { task: 'x' })).rejects.toBe(fault)
    await expect(door.call('subconscious.tasks_list')).rejects.toMatchObject({ code: 'runtime/unexpected' })
  })

  it('tells of news until it is stopped or closed', async () => {
    const listeners = new Set<(item: News) => void>()
    const told: string[] = []
    const door = localDoor(
      services({
        subscribe: (listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      }),
      async () => {},
    )
    const stop = await door.subscribe(() => told.push('first'))
    await door.subscribe(() => told.push('second'))
    for (const listener of listeners) listener(news)
    stop()
    for (const listener of listeners) listener(news)
    expect(told).toEqual(['first', 'second', 'second'])
    await door[Symbol.asyncDispose]()
    expect(listeners.size).toBe(0)
  })

  it('closes what is behind it once, and refuses calls from then on', async () => {
    let closed = 0
    const door = localDoor(services(), async () => void closed++)
    await Promise.all([door[Symbol.asyncDispose](), door[Symbol.asyncDispose]()])
    expect(closed).toBe(1)
    await expect(door.call('subconscious.status')).rejects.toMatchObject({ code: 'daemon/gone', kind: 'unreachable' })
    await expect(door.subscribe(() => {})).rejects.toMatchObject({ code: 'daemon/gone' })
  })
})
