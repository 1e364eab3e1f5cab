import { expect, it } from 'vitest'
import type { StepRequest } from '../../src/domain/model.ts'
import { lazyProvider } from '../../src/house/lazy-provider.ts'
import { scriptedProvider } from '../../src/models/scripted.ts'

const signal = new AbortController().signal
const step = { task: { title: 'Watch' } } as StepRequest
const known = { id: 'late', model: 'a model', contextTokens: 7 }

it('is loaded when it is first asked, once, and asked what it was asked', async () => {
  let loads = 0
  const scripted = scriptedProvider()
  const provider = lazyProvider(known, async () => {
    loads++
    return scripted
  })
  expect(provider).toMatchObject(known)
  expect(loads).toBe(0)
  const request = { report: { tasks: [] } } as never
  const [judged, executed, analysed] = await Promise.all([
    provider.judge(request, signal),
    provider.execute(step, signal),
    provider.analyse(step, signal),
  ])
  expect(judged.text).toBe('{"evaluations":[]}')
  expect([executed.text, analysed]).toEqual(['Done: Watch', expect.objectContaining({ text: 'Analysed: Watch' })])
  expect(scripted.calls).toEqual({ judge: [request], execute: [step], analyse: [step] })
  expect(loads).toBe(1)
})

it('hands on that it cannot be loaded', async () => {
  const provider = lazyProvider(known, () => Promise.reject(new Error('no such module')))
  await expect(provider.execute(step, signal)).rejects.toThrow('no such module')
})
