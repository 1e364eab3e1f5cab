import { describe, expect, it } from 'vitest'
import { refusal } from '../support/openai-replies.ts'
import { cloud, cloudAt, nobody, ollama, onlyLocal, servedHouse } from './served-house.ts'

const short = (findings: { check: string; ok: boolean; found: string }[]) =>
  findings.map(({ check, ok, found }) => [check.replace('model for ', ''), ok, found])

describe('the check of the models', () => {
  it('asks each model that is routed to once, however many parts of the work it does, and counts that', async () => {
    const { server: local } = await ollama(() => ({ text: 'Yes.' }))
    const { server: far } = await cloud(() => ({ text: 'yes' }))
    const home = await servedHouse({ env: { OLLAMA_HOST: local.address }, settings: cloudAt(far) })
    expect(short(await home.runtime.checkModels())).toEqual([
      ['judging', true, 'qwen3:latest (ollama, local)'],
      ['texts', true, 'qwen3:latest (ollama, local)'],
      ['tool work', true, 'served (openai, cloud)'],
      ['deeper looks', true, 'served (openai, cloud)'],
    ])
    expect([local.chats().length, far.chats().length]).toEqual([1, 1])
    const { rows } = await home.runtime.usage({ days: 1, by: 'purpose' })
    expect(rows).toMatchObject([{ key: 'check', calls: 2, localCalls: 1, cloudCalls: 1 }])
  })

  it('asks nobody to whom nothing is routed', async () => {
    const { server: local } = await ollama(() => ({ text: 'yes' }))
    const { server: far } = await cloud()
    const settings = { ...cloudAt(far), ...onlyLocal }
    const home = await servedHouse({ env: { OLLAMA_HOST: local.address }, settings })
    expect((await home.runtime.checkModels()).every(({ ok }) => ok)).toBe(true)
    expect([local.chats().length, far.requests]).toEqual([1, []])
  })

  it('is content with the built-in model, which it does not ask, and says that nobody works with tools', async () => {
    const home = await servedHouse({ settings: { 'models.local.provider': 'builtin' } })
    expect(short(await home.runtime.checkModels())).toEqual([
      ['judging', true, 'builtin'],
      ['texts', true, 'builtin'],
      ['tool work', true, 'nobody: no model is set under [models.cloud]'],
      ['deeper looks', true, 'builtin: no model is set under [models.cloud]'],
    ])
    expect(home.runtime.status().usage).toMatchObject({ calls: 0 })
  })

  it('says of a model that was asked for and is not there what can be done', async () => {
    const settings = { 'models.local.provider': 'ollama' }
    const home = await servedHouse({ env: { OLLAMA_HOST: await nobody() }, settings })
    const [judging, texts] = await home.runtime.checkModels()
    for (const finding of [judging, texts])
      expect(finding).toMatchObject({ ok: false, found: expect.stringContaining('127.0.0.1'), fix: expect.any(String) })
  })

  it('says of a model that does not answer what its provider said, and counts the call as failed', async () => {
    const { server } = await cloud()
    server.reply(() => refusal(402, 'Payment required'))
    const settings = { ...cloudAt(server), 'models.local.provider': 'builtin' }
    const home = await servedHouse({ settings })
    const findings = await home.runtime.checkModels()
    expect(findings.map(({ ok }) => ok)).toEqual([true, true, false, false])
    expect(findings[2]).toMatchObject({
      found: 'served (openai, cloud) did not answer',
      fix: expect.stringContaining('no credit or quota left'),
    })
    expect(server.chats()).toHaveLength(1)
    expect(home.runtime.status().usage).toMatchObject({ calls: 1, failedCalls: 1 })
  })

  it('keeps to the budget of the day', async () => {
    const { server } = await cloud()
    const settings = { ...cloudAt(server), 'models.local.provider': 'builtin', 'models.cloud.daily_tokens': 10 }
    const home = await servedHouse({ settings })
    const findings = await home.runtime.checkModels()
    expect(findings[2]).toMatchObject({ ok: false, fix: expect.stringContaining('models.cloud.daily_tokens') })
    expect(server.requests).toEqual([])
  })

  it('is broken off when nobody waits for it', async () => {
    const { server } = await cloud(() => 'silence')
    const home = await servedHouse({ settings: { ...cloudAt(server), 'models.local.provider': 'builtin' } })
    const leaving = new AbortController()
    const check = home.runtime.checkModels(leaving.signal)
    const request = await server.next()
    const reason = new Error('Enough')
    leaving.abort(reason)
    await expect(check).rejects.toThrow()
    expect(await request.closed).toBe('broken')
  })
})
