import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Fault } from '../../../src/domain/errors.ts'
import { misbehaving, type OllamaReply } from '../../support/ollama-replies.ts'
import { saying } from '../chat-contract.ts'
import { type OllamaBench, ollamaBench } from './bench.ts'

const never = new AbortController().signal
let bench: OllamaBench | undefined
afterEach(async () => {
  await bench?.[Symbol.asyncDispose]()
  bench = undefined
})

const faultAfter = async (reply: OllamaReply, model = 'qwen3'): Promise<Fault> => {
  bench ??= await ollamaBench({ model })
  bench.server.reply(() => reply)
  const error = await bench.model.chat(saying('Hello'), never).then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof Fault) return error
  throw error
}

describe('a fault of Ollama', () => {
  it.each([
    ['goneModel', 'model/missing', 'ollama pull qwen3'],
    ['noChat', 'model/missing', 'Choose another'],
    ['noTools', 'model/no-tools', 'Choose a model that can'],
    ['noMemory', 'model/busy', '"model requires more system memory (5.6 GiB) than is available (3.4 GiB)"'],
    ['fullQueue', 'model/busy', 'maximum pending requests exceeded'],
    ['htmlError', 'model/busy', 'HTTP 502'],
    ['notSignedIn', 'model/key-refused', 'ollama signin'],
    ['tooOften', 'model/rate-limited', 'asked again later'],
    ['promptTooLong', 'model/too-large', 'heartbeat.context_budget_tokens'],
    ['noFormat', 'model/bad-answer', 'refused the request'],
    ['htmlPage', 'model/bad-answer', 'models.local.base_url'],
    ['emptyBody', 'model/bad-answer', 'If this goes on'],
    ['endsInTheMiddle', 'model/bad-answer', 'If this goes on'],
    ['breaksInTheMiddle', 'model/bad-answer', 'If this goes on'],
    ['breaksInsideALine', 'model/bad-answer', 'If this goes on'],
    ['halfALine', 'model/bad-answer', 'models.local.base_url'],
    ['garbage', 'model/bad-answer', 'models.local.base_url'],
    ['linesWithoutObjects', 'model/bad-answer', 'models.local.base_url'],
    ['piecesOfAnotherForm', 'model/bad-answer', 'not as agreed'],
    ['errorInTheMiddle', 'model/bad-answer', 'an error was encountered while running the model'],
  ] as const)('after %s is %s, and says what to do', async (kind, code, words) => {
    const fault = await faultAfter(misbehaving[kind])
    expect(fault).toMatchObject({ code, message: expect.stringContaining(words) })
    expect(fault.message).toMatch(/^[^\n]+[.:] [^\n]+$/)
  })

  it.each([
    ['http 404 of another server', { status: 404, json: '404 page not found' }, 'model/bad-answer'],
    ['http 404 with an error of another kind', { status: 404, json: { error: 'no route' } }, 'model/bad-answer'],
    ['a redirect', { status: 302, json: {} }, 'model/bad-answer'],
    ['no credit', { status: 402, json: { error: 'payment required' } }, 'model/quota'],
    ['a body too large', { status: 413, json: {} }, 'model/too-large'],
    ['an error that is no text', { status: 500, json: { error: { deep: 1 } } }, 'model/busy'],
    ['an empty answer without a body', { status: 204, json: {} }, 'model/bad-answer'],
  ])('after %s has its code', async (_, reply, code) => {
    expect(await faultAfter(reply)).toMatchObject({ code })
  })

  it.each([
    ['llama3.2', 'ollama pull llama3.2'],
    ['hf.co/some-one/Model-GGUF:Q4_K_M', 'ollama pull hf.co/some-one/Model-GGUF:Q4_K_M'],
    ['my model', `ollama pull 'my model'`],
    ['x; rm -rf ~', `ollama pull 'x; rm -rf ~'`],
    [`it's`, `ollama pull 'it'\\''s'`],
    ['$(reboot)', `ollama pull '$(reboot)'`],
  ])('about the missing model %s has a line that a shell can take', async (model, words) => {
    const fault = await faultAfter({ text: '' }, model)
    expect(fault).toMatchObject({ code: 'model/missing', message: expect.stringContaining(words) })
  })

  it('repeats the words of the server on one line and not without an end', async () => {
    const fault = await faultAfter({ status: 500, json: { error: `bad\n\u001b[31m${'x'.repeat(50_000)}` } })
    expect(fault.message).not.toMatch(/\p{Cc}/u)
    expect(fault.message.length).toBeLessThan(600)
    expect(JSON.stringify(fault.data).length).toBeLessThan(1000)
  })

  it.each(['/api/chat', '/api/show'])('does not wait for the end of an error without one: %s', async (path) => {
    bench = await ollamaBench()
    const pieces = (function* () {
      for (;;) yield 'no '.repeat(1000)
    })()
    bench.server.spoil(path, { status: 500, pieces })
    await expect(bench.model.chat(saying('Hello'), never)).rejects.toMatchObject({ code: 'model/busy' })
  })

  it('never shows a password of the address', async () => {
    bench = await ollamaBench()
    const address = bench.server.address.replace('http://', 'http://me:secret@')
    const other = await ollamaBench({ address })
    try {
      for (const reply of [misbehaving.htmlPage, misbehaving.goneModel, misbehaving.noMemory]) {
        bench.server.reply(() => reply)
        const fault = await other.model.chat(saying('Hello'), never).catch((error: unknown) => error)
        expect(`${fault} ${JSON.stringify(fault)}`).not.toContain('secret')
      }
    } finally {
      await other[Symbol.asyncDispose]()
    }
  })

  it('comes of any bytes whatever, and of nothing else than faults', async () => {
    const bits = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(
        '\n',
        '{',
        '}\n',
        '{"message":{"content":"a"},"done":false}\n',
        '{"done":true}\n',
        '{"status":"success"}\n',
        '{"error":{}}\n',
        '{"message":{"tool_calls":[{"function":{"name":"","arguments":1}}]}}\n',
        '{"message":null}\n',
        '[]\n',
        'null\n',
        '\ufeff',
        `${'['.repeat(20_000)}\n`,
      ),
    )
    const replies = fc.record({
      status: fc.constantFrom(200, 200, 200, 400, 404, 500),
      contentType: fc.constantFrom('application/x-ndjson', 'application/json', 'text/html', ''),
      pieces: fc.array(bits, { maxLength: 6 }),
      end: fc.constantFrom<'end' | 'break'>('end', 'break'),
    })
    bench = await ollamaBench()
    const { server, model } = bench
    await fc.assert(
      fc.asyncProperty(replies, fc.constantFrom('/api/chat', '/api/show', '/api/tags'), async (reply, path) => {
        server.spoil(path, reply)
        for (const work of [() => model.chat(saying('Hello'), never), () => model.facts(never)]) {
          const outcome = await work().catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Fault)
        }
        server.mend()
      }),
      { numRuns: 100 },
    )
  })
})
