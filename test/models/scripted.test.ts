import { describe, expect, it } from 'vitest'
import { Decision } from '../../src/domain/decision.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'
import { report, still, task } from './builtin/situation.ts'

const tasks = [task('one'), task('two')]
const situation = report(tasks, [])
const step = { task: tasks[0]!, report: situation, reason: 'because' }
const usage = { promptTokens: 7, completionTokens: 3 }

const decisionsIn = (text: string): Decision[] =>
  (JSON.parse(text) as { evaluations: unknown[] }).evaluations.map((item) => Decision.parse(item))

describe('a scripted provider', () => {
  it('skips everything and does what it is asked when the script is empty', async () => {
    const provider = scriptedProvider()
    const answer = await provider.judge({ report: situation }, still)
    expect(decisionsIn(answer.text).map(({ decision }) => decision)).toEqual(['skip', 'skip'])
    expect(await provider.execute(step, still)).toMatchObject({ text: 'Done: one', sources: [] })
    expect(await provider.analyse(step, still)).toMatchObject({ kind: 'result', text: 'Analysed: one' })
    expect(provider).toMatchObject({ id: 'scripted', model: 'scripted', contextTokens: 1_000_000 })
  })

  it('makes a well-formed answer of decisions on single tasks', async () => {
    const provider = scriptedProvider({
      decide: (one, request) =>
        one.title === 'one'
          ? { decision: 'act', reason: request.repair ? 'again' : 'first', text: 'done' }
          : { decision: 'escalate' },
    })
    const request = { report: situation, repair: { answer: '', problems: [] } }
    const { text } = await provider.judge(request, still)
    expect(JSON.parse(text).evaluations[0]).toMatchObject({ task_id: tasks[0]!.id })
    expect(decisionsIn(text)).toMatchObject([
      { decision: 'act', reason: 'again', text: 'done' },
      { decision: 'escalate' },
    ])
  })

  it('says word for word what the script says, well-formed or not, and keeps its usage', async () => {
    const provider = scriptedProvider({
      id: 'odd',
      model: 'm',
      contextTokens: 100,
      judge: () => ({ text: '{"evalu', usage, cutOff: true }),
      execute: async () => ({ text: 'written', sources: [], usage }),
      analyse: () => ({ kind: 'result', text: 'seen', sources: [] }),
    })
    expect(provider).toMatchObject({ id: 'odd', model: 'm', contextTokens: 100 })
    expect(await provider.judge({ report: situation }, still)).toEqual({ text: '{"evalu', usage, cutOff: true })
    expect(await provider.execute(step, still)).toEqual({ text: 'written', sources: [], usage })
    expect(await provider.analyse(step, still)).toMatchObject({ text: 'seen', usage: { promptTokens: 0 } })
  })

  it('fails when the script does, and at once when it is called off', async () => {
    const provider = scriptedProvider({
      judge: () => {
        throw new Error('model down')
      },
    })
    await expect(provider.judge({ report: situation }, still)).rejects.toThrow('model down')
    const before = provider.calls.judge.length
    await expect(provider.judge({ report: situation }, AbortSignal.abort())).rejects.toThrow(/abort/)
    expect(provider.calls.judge).toHaveLength(before)
  })

  it('remembers its calls unless told not to', async () => {
    for (const record of [true, false]) {
      const provider = scriptedProvider({ record })
      await provider.judge({ report: situation }, still)
      await provider.execute(step, still)
      await provider.analyse(step, still)
      const { judge, execute, analyse } = provider.calls
      expect([judge, execute, analyse].map((calls) => calls.length)).toEqual(record ? [1, 1, 1] : [0, 0, 0])
      if (record) expect(execute[0]).toBe(step)
    }
  })
})
