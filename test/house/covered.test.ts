import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/domain/escalation.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { house } from '../support/house.ts'
import { ada, mail, mailer, proposes, settle } from './scene.ts'

const line = 'Keep a summary of the decisions in DECISIONS.md'
/** A summary is written anew as often as it is added to. */
const both = ['write_file', 'append_file'].map((tool) => ({ tool, target: 'DECISIONS.md' }))
const append = (path: string): ToolCall => ({ tool: 'append_file', arguments: { path, text: 'We go\n' } })
const write = (path: string): ToolCall => ({ tool: 'write_file', arguments: { path, content: 'We go\n' } })

/** What a task that asks for one effect does when the model recommends these calls. */
async function recommending(calls: ToolCall[], intent?: 'read' | 'write') {
  const { tool, sent } = mailer()
  const provider = scriptedProvider({
    decide: ({ title }) => ({ decision: title === line ? 'escalate' : 'skip' }),
    analyse: () => proposes('Write it down', calls, true),
  })
  const tools: Tool[] = [tool]
  const home = await house({ provider, tools, files: { 'notes.md': 'We decided to go.\n' } })
  const task = await home.runtime.tasks.add({ title: line, ...(intent && { intent }) })
  const tick = await home.tick(true)
  const read = (path: string) =>
    existsSync(join(home.root, path)) ? readFileSync(join(home.root, path), 'utf8') : null
  return { home, task, tick, sent, read, evaluation: tick.of(line) }
}

describe('an effect that the task itself asks for', () => {
  it('is carried out without asking, and logged', async () => {
    const { home, task, evaluation, read } = await recommending([append('DECISIONS.md')])
    expect(task).toMatchObject({ intent: 'write', effects: both })
    expect(home.cards()).toEqual([])
    expect(evaluation).toMatchObject({ state: 'acted', text: expect.stringContaining('DECISIONS.md') })
    expect(read('DECISIONS.md')).toBe('We go\n')
  })

  it('may write a summary anew', async () => {
    const { home, read } = await recommending([write('DECISIONS.md')])
    expect(home.cards()).toEqual([])
    expect(read('DECISIONS.md')).toBe('We go\n')
  })

  it('may be several calls, each of them asked for', async () => {
    const { home, read } = await recommending([append('DECISIONS.md'), append('DECISIONS.md')])
    expect(home.cards()).toEqual([])
    expect(read('DECISIONS.md')).toBe('We go\nWe go\n')
  })
})

describe('an effect that the task does not ask for', () => {
  it.each<[string, ToolCall[], ('read' | 'write')?]>([
    ['another file', [append('OTHER.md')]],
    ['another tool for another file', [write('OTHER.md')]],
    ['another recipient', [mail('team')]],
    ['something else beside what was asked for', [append('DECISIONS.md'), mail('team')]],
    ['something else before what was asked for', [mail('team'), append('DECISIONS.md')]],
    ['a plan in words', []],
    ['the same, for a task that only reads', [append('DECISIONS.md')], 'read'],
  ])('waits for the user: %s', async (_, calls, intent) => {
    const { home, sent, read, evaluation } = await recommending(calls, intent)
    expect(evaluation?.state).toBe('awaitingApproval')
    expect(home.cards()).toMatchObject([{ title: 'Write it down', calls }])
    await settle(home)
    expect([sent, read('DECISIONS.md'), read('OTHER.md')]).toEqual([[], null, null])
    const [card] = home.cards()
    await home.runtime.answers.dismiss(card!.id, ada)
    await settle(home)
    expect([sent, read('DECISIONS.md'), read('OTHER.md')]).toEqual([[], null, null])
  })
})
