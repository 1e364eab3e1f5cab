import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/domain/escalation.ts'
import type { Task } from '../../src/domain/task.ts'
import { type Script, scriptedProvider } from '../../src/models/scripted.ts'
import { type House, type HouseOptions, house } from '../support/house.ts'
import { ada, proposes, settle } from './scene.ts'

const lines = (...titles: string[]): string => titles.map((title) => `- ${title}\n`).join('')

async function following(tasks: string[], script: Script = {}, options: HouseOptions = {}) {
  const provider = scriptedProvider(script)
  const home = await house({ tasks, provider, ...options })
  await home.runtime.tasks.edit('task_seed_memory', { enabled: false })
  return { home, provider }
}

const ofFile = (home: House): Task[] => home.runtime.tasks.list().filter(({ origin }) => origin === 'heartbeat')
const titles = (home: House): string[] => ofFile(home).map(({ title }) => title)
const fileState = (home: House) => home.runtime.status().heartbeatFile
const agenda = (home: House): Promise<string> => readFile(join(home.root, 'AGENDA.md'), 'utf8').catch(() => '')
const openCard = (home: House): Card => {
  const [card, ...more] = home.cards()
  expect(more).toEqual([])
  return card!
}

/** Rewrites the file and lets a tick follow it. */
async function rewrite(home: House, text: string): Promise<void> {
  await home.write('HEARTBEAT.md', text)
  await home.tick()
}

describe('HEARTBEAT.md', () => {
  it('keeps a task and its history when its line is edited', async () => {
    const { home } = await following(['Look through new mail', 'Watch the tracker for deadlines'])
    await home.tick()
    const [, before] = ofFile(home)
    await rewrite(home, lines('Look through new mail', 'Watch the tracker for deadline changes'))
    const [, after] = ofFile(home)
    expect(after).toMatchObject({ id: before!.id, title: 'Watch the tracker for deadline changes' })
    expect(home.runtime.log({ task: before!.id, limit: 10 })).not.toEqual([])
    expect(titles(home)).toHaveLength(2)
  })

  it('retires a task whose line is gone, and its history stays', async () => {
    const { home } = await following(['Look through new mail', 'Watch the tracker'])
    await home.tick()
    const gone = ofFile(home)[0]!
    await rewrite(home, lines('Watch the tracker'))
    expect(titles(home)).toEqual(['Watch the tracker'])
    expect(home.runtime.log({ task: gone.id, limit: 10 })).toHaveLength(1)
    await home.write('a.md', 'a')
    expect((await home.tick(true)).evaluations.map(({ task }) => task)).not.toContain(gone.id)
  })

  it('takes a line that comes back for the task that it was', async () => {
    const { home } = await following(['Look through new mail'])
    const before = ofFile(home)[0]!
    await rewrite(home, '')
    expect(titles(home)).toEqual([])
    await rewrite(home, lines('Look through new mail'))
    expect(ofFile(home).map(({ id }) => id)).toEqual([before.id])
  })

  it('takes a wholly different line for a new task', async () => {
    const { home } = await following(['Look through new mail'])
    const before = ofFile(home)[0]!
    await rewrite(home, lines('Check the build'))
    expect(titles(home)).toEqual(['Check the build'])
    expect(ofFile(home)[0]?.id).not.toBe(before.id)
    expect(home.runtime.stores.tasks.get(before.id)?.retired).toBe(true)
  })

  it('means the same in another order, and with a line said twice', async () => {
    const { home } = await following(['Look through new mail', 'Watch the tracker', 'Check the build'])
    await home.tick()
    const before = ofFile(home)
    await rewrite(home, lines('Check the build', 'Look through new mail', 'Check the build', 'Watch the tracker'))
    expect(ofFile(home)).toEqual(before)
  })

  it('that cannot be read leaves the tasks as they were, and says why', async () => {
    const { home } = await following(['Look through new mail'])
    await home.tick()
    const before = ofFile(home)
    const file = join(home.root, 'HEARTBEAT.md')
    const unreadable = {
      'not text': () => writeFile(file, new Uint8Array([0xc3, 0x28, 0x00, 0xff])),
      'too large': () => writeFile(file, lines('x'.repeat(300_000))),
      'a folder': async () => {
        await rm(file)
        await mkdir(file)
      },
    }
    for (const [what, spoil] of Object.entries(unreadable)) {
      await spoil()
      await home.tick()
      expect(ofFile(home), what).toEqual(before)
      expect(fileState(home), what).toEqual({ kind: 'unreadable', reason: expect.any(String) })
    }
    await rm(file, { recursive: true })
    await rewrite(home, lines('Look through new mail'))
    expect(fileState(home)).toEqual({ kind: 'read', tasks: 1 })
    expect(ofFile(home)).toEqual(before)
  })

  it('that is not there holds no task, which is not the same as one without tasks in it', async () => {
    const { home } = await following(['Look through new mail'])
    await rm(join(home.root, 'HEARTBEAT.md'))
    await home.tick()
    expect([titles(home), fileState(home)]).toEqual([[], { kind: 'absent' }])
    await rewrite(home, '# Notes\n\nNothing to do here.\n')
    expect([titles(home), fileState(home)]).toEqual([[], { kind: 'noTask' }])
    await rewrite(home, '')
    expect(fileState(home)).toEqual({ kind: 'read', tasks: 0 })
  })

  it('is never written by the runtime', async () => {
    const text = '# Mine\n\n-  Look through new mail  \n* [ ] Append the summary to AGENDA.md\n- [x] done\n'
    const { home } = await following([])
    await rewrite(home, text)
    const card = openCard(home)
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    await home.restart()
    await home.tick(true)
    expect(await readFile(join(home.root, 'HEARTBEAT.md'), 'utf8')).toBe(text)
  })

  it('does not bring back a task that was to be done once and is done', async () => {
    const { home } = await following(['Tell me about the parcel'], {
      decide: () => ({ decision: 'act', text: 'here' }),
    })
    const task = ofFile(home)[0]!
    await home.runtime.tasks.edit(task.id, { schedule: { kind: 'once' } })
    await home.tick()
    expect(home.runtime.stores.tasks.get(task.id)?.completed).toBe(true)
    await home.restart()
    await rewrite(home, lines('Tell me about the parcel', 'Check the build'))
    expect(titles(home)).toEqual(['Check the build'])
    await rewrite(home, lines('Tell me about the second parcel', 'Check the build'))
    expect(titles(home)).toContain('Tell me about the second parcel')
    expect(home.runtime.stores.tasks.get(task.id)).toMatchObject({ completed: true, retired: true })
  })
})

describe('a line of HEARTBEAT.md that asks for an effect', () => {
  const line = 'Append new deadlines to AGENDA.md'
  const wantsToWrite: Script = {
    decide: ({ title }) => ({ decision: title.includes('AGENDA.md') ? 'escalate' : 'skip' }),
    analyse: () =>
      proposes('Note the deadline', [{ tool: 'append_file', arguments: { path: 'AGENDA.md', text: '3 April' } }]),
  }

  it('asks before it may write, and until then every effect is asked for, too', async () => {
    const { home } = await following([line], wantsToWrite)
    const question = openCard(home)
    expect(question).toMatchObject({ kind: 'confirmWrite', title: expect.stringContaining(line) })
    expect(ofFile(home)[0]).toMatchObject({ intent: 'read', asksToWrite: true })
    await home.tick()
    expect(
      home
        .cards()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['confirmWrite', 'proposal'])
    expect(await agenda(home)).toBe('')
  })

  it('is asked about once, and once allowed does what its words say without asking', async () => {
    const { home } = await following([line], wantsToWrite)
    const question = openCard(home)
    await home.runtime.answers.approve(question.id, question.digest, ada)
    await settle(home)
    expect(ofFile(home)[0]).toMatchObject({ intent: 'write', intentBy: 'user', asksToWrite: false })
    await home.restart()
    expect(home.cards()).toEqual([])
    const tick = await home.tick()
    expect(tick.of(line)?.state).toBe('acted')
    expect(await agenda(home)).toBe('3 April\n')
    expect(home.cards()).toEqual([])
  })

  it('is not asked about again after the user has said no', async () => {
    const { home } = await following([line], wantsToWrite)
    await home.runtime.answers.dismiss(openCard(home).id, ada)
    await home.restart()
    await home.tick()
    expect(home.cards().map(({ kind }) => kind)).toEqual(['proposal'])
    expect(ofFile(home)[0]).toMatchObject({ intent: 'read', asksToWrite: true })
  })

  it('is allowed for exactly its words: an edited line asks again, and the old question is gone', async () => {
    const { home } = await following([line])
    const old = openCard(home)
    await rewrite(home, lines('Append all new deadlines to AGENDA.md'))
    await settle(home)
    const question = openCard(home)
    expect(question.title).toContain('all new deadlines')
    await expect(home.runtime.answers.approve(old.id, old.digest, ada)).rejects.toMatchObject({
      code: 'approval/answered',
    })
    await home.runtime.answers.approve(question.id, question.digest, ada)
    await settle(home)
    expect(ofFile(home)[0]?.intent).toBe('write')
    await rewrite(home, lines('Append all new dates to AGENDA.md'))
    await settle(home)
    expect(ofFile(home)[0]).toMatchObject({ intent: 'read', asksToWrite: true })
    expect(openCard(home).title).toContain('all new dates')
  })

  it('no longer asks when its words ask for nothing any more', async () => {
    const { home } = await following([line])
    await rewrite(home, lines('Report new deadlines from AGENDA.md'))
    await settle(home)
    expect(home.cards()).toEqual([])
    expect(ofFile(home)[0]).toMatchObject({ intent: 'read', asksToWrite: false, effects: [] })
  })

  it('takes its questions and cards with it when it is removed', async () => {
    const { home } = await following([line], wantsToWrite)
    await home.tick()
    const cards = home.cards()
    expect(cards).toHaveLength(2)
    await rewrite(home, '')
    await settle(home)
    expect(home.cards()).toEqual([])
    for (const { id } of cards) {
      expect(home.runtime.stores.evaluations.get(id)).toMatchObject({ state: 'dismissed', reason: 'Withdrawn' })
      expect(home.runtime.stores.escalations.get(id)?.state).toBe('withdrawn')
    }
  })

  it('is no matter for a model to reconsider', async () => {
    const { home, provider } = await following([line])
    await expect(home.runtime.answers.respond(openCard(home).id, 'why?', ada)).rejects.toMatchObject({
      code: 'approval/no-reply',
    })
    expect(provider.calls.analyse).toEqual([])
  })
})

describe('a stranger’s folder', () => {
  const line = 'Append new deadlines to AGENDA.md'
  const hostile: Script = {
    decide: () => ({ decision: 'escalate' }),
    analyse: () => proposes('Note it', [{ tool: 'append_file', arguments: { path: 'AGENDA.md', text: 'mine now' } }]),
  }

  it('is not written to: an approval is refused, and the card stays open until it is trusted', async () => {
    const { home } = await following(['Check the notes'], hostile, { trusted: false })
    await home.tick()
    const card = openCard(home)
    await expect(home.runtime.answers.approve(card.id, card.digest, ada)).rejects.toMatchObject({
      code: 'workspace/untrusted',
      message: expect.stringContaining('undermind trust'),
    })
    expect(openCard(home)).toEqual(card)
    expect(await agenda(home)).toBe('')
    await home.restart({ trusted: true })
    await home.runtime.answers.approve(card.id, card.digest, ada)
    await settle(home)
    expect(await agenda(home)).toBe('mine now\n')
  })

  it('is not written to either by a line that was allowed to write', async () => {
    const { home } = await following([line], hostile, { trusted: false })
    const question = openCard(home)
    await home.runtime.answers.approve(question.id, question.digest, ada).catch(() => {})
    await settle(home)
    const tick = await home.tick()
    await settle(home)
    expect(await agenda(home)).toBe('')
    expect(tick.of(line)?.state).not.toBe('acted')
  })
})
