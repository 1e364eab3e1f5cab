import { afterEach, describe, expect, it } from 'vitest'
import { second } from '../../../src/domain/clock.ts'
import { Fault } from '../../../src/domain/errors.ts'
import { findOllama } from '../../../src/models/ollama/find.ts'
import { HandClock } from '../../support/clock.ts'
import { misbehaving } from '../../support/ollama-replies.ts'
import { type OllamaServer, ollamaServer, type ServedModel } from '../../support/ollama-server.ts'

const never = new AbortController().signal
const clock = new HandClock()
let server: OllamaServer
afterEach(() => server[Symbol.asyncDispose]())

const find = async (models: ServedModel[], model?: string) => {
  server = await ollamaServer({ models })
  return await findOllama({ address: server.address, clock, ...(model !== undefined && { model }) }, never)
}

const embedding = { name: 'nomic-embed-text:latest', capabilities: ['embedding'], family: 'nomic-bert' }
const small = { name: 'gemma3:4b', capabilities: ['completion', 'vision'], contextLength: 131072, family: 'gemma3' }
const able = {
  name: 'qwen3:8b',
  capabilities: ['completion', 'tools', 'thinking'],
  contextLength: 40960,
  family: 'qwen3',
}

describe('looking for Ollama', () => {
  it('finds the first model that can be talked to, and what it can', async () => {
    expect(await find([embedding, small, able])).toEqual({ model: 'gemma3:4b', contextTokens: 131072, tools: false })
  })

  it('finds the model that is wanted', async () => {
    expect(await find([small, able], 'qwen3:8b')).toEqual({ model: 'qwen3:8b', contextTokens: 40960, tools: true })
  })

  it('passes over models that turn out not to talk, also when their names do not tell', async () => {
    expect(await find([{ ...embedding, name: 'vectors', family: 'llama' }, able])).toMatchObject({ model: 'qwen3:8b' })
  })

  it.each([
    [{ name: 'a', template: '{{ if .Tools }}' }, true],
    [{ name: 'a', template: '{{ .Prompt }}' }, false],
    [{ name: 'a' }, null],
  ])('tells of an old server whether %j can use tools: %s', async (model, tools) => {
    expect(await find([{ name: 'all-minilm', family: 'bert' }, model])).toEqual({
      model: 'a',
      contextTokens: 4096,
      tools,
    })
  })

  it('says which models are there when the wanted one is not', async () => {
    await expect(find([embedding, small], 'llama3.2')).rejects.toMatchObject({
      code: 'model/missing',
      message: expect.stringMatching(/ollama pull llama3\.2 .*gemma3:4b\)$/),
    })
  })

  it('says so when the wanted one cannot be talked to', async () => {
    await expect(find([embedding], 'nomic-embed-text')).rejects.toMatchObject({ code: 'model/missing' })
  })

  it.each([[[]], [[embedding]]])('says how to get a model when none is there: %j', async (models) => {
    await expect(find(models)).rejects.toMatchObject({
      code: 'model/missing',
      message: expect.stringContaining('ollama pull '),
    })
  })

  it.each([
    ['a web page', misbehaving.htmlPage],
    ['no list', { json: {} }],
    ['a page that is not there', { status: 404, json: '404 page not found' }],
    ['half an answer', { pieces: ['{"models":[{"na'] }],
  ])('does not take another server for Ollama: %s', async (_, reply) => {
    server = await ollamaServer()
    server.spoil('/api/tags', reply)
    await expect(findOllama({ address: server.address, clock }, never)).rejects.toMatchObject({
      code: 'model/bad-answer',
      message: expect.stringContaining('OLLAMA_HOST'),
    })
  })

  it('leaves entries aside that it cannot read', async () => {
    server = await ollamaServer()
    server.spoil('/api/tags', { json: { models: [null, {}, { name: 'qwen3:latest', details: 1 }] } })
    expect(await findOllama({ address: server.address, clock }, never)).toMatchObject({ model: 'qwen3:latest' })
  })

  it('waits ten seconds and no longer', async () => {
    server = await ollamaServer()
    server.spoil('/api/tags', misbehaving.neverAnswers)
    const found = findOllama({ address: server.address, clock }, never).catch((error: unknown) => error)
    const request = await server.next('/api/tags')
    clock.set(clock.now() + 10 * second)
    expect(await found).toMatchObject({
      code: 'model/unreachable',
      kind: 'unreachable',
      message: expect.stringContaining('10 seconds'),
    })
    expect(await request.closed).toBe('broken')
  })

  it('stops at once when it is aborted', async () => {
    server = await ollamaServer()
    server.spoil('/api/show', misbehaving.neverAnswers)
    const caller = new AbortController()
    const found = findOllama({ address: server.address, clock }, caller.signal).catch((error: unknown) => error)
    const request = await server.next('/api/show')
    const reason = new Fault('tick/cancelled', 'The tick was cancelled.')
    caller.abort(reason)
    expect(await request.closed).toBe('broken')
    expect(await found).toBe(reason)
  })

  it('leaves no timer behind', async () => {
    await find([able])
    expect(clock.nextWakeAt).toBeNull()
  })
})
