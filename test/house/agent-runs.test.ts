import { expect, it } from 'vitest'
import { AgentRuns } from '../../src/house/agent-runs.ts'
import { scriptedChat } from '../support/scripted-chat.ts'
import { scripted } from './scripted-house.ts'

it('begins no run for an evaluation that has ended meanwhile: nobody could call it off', async () => {
  const { home } = await scripted({}, { files: { 'notes.md': 'one' } })
  await home.runtime.tasks.add({ title: 'Check the notes' })
  const { evaluations } = await home.tick()
  const [evaluation] = evaluations
  expect(evaluation).toMatchObject({ state: 'skipped' })
  const { stores, host } = home.runtime
  const agent = scriptedChat({ tools: true })
  const runs = new AgentRuns({ stores, host, tools: new Map(), steps: () => 15 })
  const order = { evaluation: evaluation!, visit: 1, stage: 'tools', agent, prompt: [] } as const
  await expect(runs.run(order, new AbortController().signal)).rejects.toMatchObject({ code: 'agent/cancelled' })
  expect(stores.agentRuns.ofEvaluation(evaluation!.id)).toEqual([])
  expect(agent.requests).toEqual([])
})
