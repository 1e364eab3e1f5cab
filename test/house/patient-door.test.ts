import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { type PatientParts, patientDoor } from '../../src/house/patient-door.ts'
import type { Door } from '../../src/rpc/door.ts'

const inUse = new Fault('workspace/in-use', 'Another undermind (process 7) is working here.', { pid: 7 })

function parts(change: Partial<PatientParts> = {}) {
  const events: string[] = []
  const door = (name: string): Door => {
    events.push(`${name} opened`)
    return {
      daemon: false,
      call: async (method) => {
        events.push(`${name} ${method}`)
        return name
      },
      subscribe: async () => {
        events.push(`${name} subscribed`)
        return () => {}
      },
      watch: async () => {
        events.push(`${name} watched`)
        return { from: 0, head: 0, stop: () => {} }
      },
      async [Symbol.asyncDispose]() {
        events.push(`${name} closed`)
      },
    }
  }
  return {
    events,
    parts: {
      now: () => Promise.reject(inUse),
      later: async () => door('own'),
      view: async () => door('view'),
      ...change,
    } as PatientParts,
    door,
  }
}

describe('a door to a workspace that nobody has open', () => {
  it('is opened at once', async () => {
    const { parts: given, door } = parts()
    const opened = door('now')
    expect(await patientDoor({ ...given, now: async () => opened })).toBe(opened)
  })

  it('hands on why it cannot be opened', async () => {
    const { parts: given } = parts()
    const corrupt = new Fault('store/corrupt', 'It is damaged.')
    await expect(patientDoor({ ...given, now: () => Promise.reject(corrupt) })).rejects.toBe(corrupt)
    await expect(patientDoor({ ...given, now: () => Promise.reject(new Error('else')) })).rejects.toThrow('else')
  })
})

describe('a door to a workspace that another process has open', () => {
  it('answers what only looks beside it, and waits with what changes something', async () => {
    const { parts: given, events } = parts()
    const door = await patientDoor(given)
    expect(events).toEqual([])
    expect(await door.call('subconscious.status', {})).toBe('view')
    expect(await door.call('subconscious.log_list', {})).toBe('view')
    expect(await door.call('subconscious.trigger', {})).toBe('own')
    expect(await door.call('subconscious.status', {})).toBe('own')
    await door.subscribe(() => {})
    await door[Symbol.asyncDispose]()
    expect(events).toEqual([
      'view opened',
      'view subconscious.status',
      'view subconscious.log_list',
      'own opened',
      'own subconscious.trigger',
      'own subconscious.status',
      'own subscribed',
      'view closed',
      'own closed',
    ])
  })

  it('takes asking a model for no look: what it uses is put down', async () => {
    const { parts: given } = parts()
    const door = await patientDoor(given)
    expect(await door.call('subconscious.replay', { evaluation: 'ev_1' })).toBe('view')
    expect(await door.call('subconscious.replay', { evaluation: 'ev_1', model: 'cloud' })).toBe('own')
    await door[Symbol.asyncDispose]()
  })

  it('opens nothing and closes nothing when it is not used', async () => {
    const { parts: given, events } = parts()
    await (await patientDoor(given))[Symbol.asyncDispose]()
    expect(events).toEqual([])
  })

  it('is closed without complaint where its own could not be opened', async () => {
    const { parts: given } = parts({ later: () => Promise.reject(inUse) })
    const door = await patientDoor(given)
    await expect(door.call('subconscious.pause', {})).rejects.toBe(inUse)
    await door[Symbol.asyncDispose]()
  })
})
