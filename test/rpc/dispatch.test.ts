import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Fault } from '../../src/domain/errors.ts'
import { dispatcher } from '../../src/rpc/dispatch.ts'
import { type Method, method } from '../../src/rpc/method.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { services } from './samples.ts'
import { exampleMethods, exchanges, shortened } from './specification.ts'

const updates: unknown[] = []

const others: Method[] = [
  method({
    name: 'update',
    summary: '',
    params: z.unknown(),
    result: z.null(),
    run(params) {
      updates.push(params)
      return null
    },
  }),
  method({
    name: 'refuse',
    summary: '',
    params: z.strictObject({}),
    result: z.null(),
    run() {
      throw Fault.use('task/unknown', 'There is no task x.', { task: 'x', code: 'EACCES' })
    },
  }),
  method({
    name: 'break',
    summary: '',
    params: z.strictObject({}),
    result: z.null(),
    run() {
      throw new TypeError('x is not a function')
    },
  }),
  method({ name: 'huge', summary: '', params: z.strictObject({}), result: z.unknown(), run: () => 10n }),
  method({
    name: 'odd',
    summary: '',
    params: z.strictObject({}),
    result: z.null(),
    run() {
      throw new Fault('store/locked', 'Locked.', { count: 10n })
    },
  }),
  method({ name: 'nothing', summary: '', params: z.strictObject({}), result: z.undefined(), run: () => undefined }),
  method({ name: 'strict', summary: '', params: z.strictObject({ size: z.int() }), result: z.null(), run: () => null }),
]

const table = new Map([...exampleMethods, ...others.map((one) => [one.name, one] as const)])
const dispatch = dispatcher({ methods: table, services: services() })

const say = async (message: unknown): Promise<unknown> => sayText(JSON.stringify(message))
const sayText = async (text: string): Promise<unknown> => {
  const answer = await dispatch(text, {})
  return answer === null ? null : JSON.parse(answer)
}
const error = (code: number, id: unknown = null) => ({ jsonrpc: '2.0', error: expect.objectContaining({ code }), id })

describe('the examples of the JSON-RPC 2.0 specification', () => {
  it.each(exchanges)('%s', async (sent, answered) => {
    const answer = await sayText(sent)
    expect(answer === null ? null : shortened(answer)).toEqual(answered)
  })

  it('are carried out though nobody is answered', async () => {
    updates.length = 0
    const notify = (params: unknown) => ({ jsonrpc: '2.0', method: 'update', params })
    expect(await say(notify([1, 2, 3, 4, 5]))).toBeNull()
    expect(await say([notify([1]), notify({ two: 2 })])).toBeNull()
    expect(updates).toEqual([[1, 2, 3, 4, 5], [1], { two: 2 }])
  })
})

describe('the id of a request', () => {
  const call = (id: string) => sayText(`{"jsonrpc":"2.0","method":"get_data","id":${id}}`)

  it.each(['"a"', '""', '0', '-7', '1.5', '9007199254740991', 'null', '1e3'])(
    'comes back as it was: %s',
    async (id) => {
      expect(await call(id)).toEqual({ jsonrpc: '2.0', result: ['hello', 5], id: JSON.parse(id) })
    },
  )

  it.each(['true', '{}', '[]', '1e400', '9007199254740993'])('cannot be %s', async (id) => {
    expect(await call(id)).toEqual(error(-32600))
  })

  it('comes back with an error where the rest of the request is wrong', async () => {
    expect(await say({ jsonrpc: '1.0', method: 'get_data', id: 4 })).toEqual(error(-32600, 4))
  })
})

describe('a request that is not as it should be', () => {
  const codeOf = async (message: unknown) => {
    const answer = (await say(message)) as { error: { data: { code: string } } }
    return answer.error.data.code
  }

  it.each([
    [{ jsonrpc: '2.0', id: 1 }, 'rpc/invalid-request'],
    [{ jsonrpc: 2, method: 'get_data', id: 1 }, 'rpc/invalid-request'],
    [{ method: 'get_data', id: 1 }, 'rpc/invalid-request'],
    [{ jsonrpc: '2.0', method: 'get_data', params: null, id: 1 }, 'rpc/invalid-request'],
    [{ jsonrpc: '2.0', method: 'get_data', params: 'x', id: 1 }, 'rpc/invalid-request'],
    [{ jsonrpc: '2.0', method: 'get_data', parms: {}, id: 1 }, 'rpc/invalid-request'],
    [{ jsonrpc: '2.0', method: 'nobody', id: 1 }, 'rpc/unknown-method'],
    [{ jsonrpc: '2.0', method: 'toString', id: 1 }, 'rpc/unknown-method'],
    [{ jsonrpc: '2.0', method: '__proto__', id: 1 }, 'rpc/unknown-method'],
    [{ jsonrpc: '2.0', method: 'strict', params: [1], id: 1 }, 'rpc/invalid-params'],
    [{ jsonrpc: '2.0', method: 'strict', id: 1 }, 'rpc/invalid-params'],
    ['text', 'rpc/invalid-request'],
    [null, 'rpc/invalid-request'],
  ])('%j is refused as %s', async (message, code) => {
    expect(await codeOf(message)).toBe(code)
  })

  it('says which parameter is wrong, missing or unknown', async () => {
    const sentence = async (params: unknown) => {
      const answer = (await say({ jsonrpc: '2.0', method: 'strict', params, id: 1 })) as {
        error: { message: string }
      }
      return answer.error.message
    }
    expect(await sentence({})).toBe('Cannot call strict: size is missing.')
    expect(await sentence({ size: 'x' })).toBe('Cannot call strict: size: expected number, received string.')
    expect(await sentence({ size: 1, colour: 2 })).toBe(
      'Cannot call strict: colour is not among its parameters. It takes size.',
    )
    expect(await sentence([])).toBe('Cannot call strict: parameters are given by name, as an object.')
  })

  it('is too deep from the 65th level on, brackets in texts not counted', async () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","method":"get_data","id":1,"params":${'['.repeat(levels)}"]]}\\"[[["${']'.repeat(levels)}}`
    expect(await sayText(nested(63))).toMatchObject({ result: ['hello', 5] })
    expect(await sayText(nested(64))).toMatchObject({ error: { code: -32600, data: { code: 'rpc/too-large' } } })
    expect(await sayText('['.repeat(900_000))).toMatchObject({ error: { data: { code: 'rpc/too-large' } } })
  })

  it('is too large from a byte over a mebibyte on, and with more than 100 in a batch', async () => {
    const filled = (bytes: number) => {
      const head = '{"jsonrpc":"2.0","method":"get_data","id":1,"params":["'
      return `${head}${'x'.repeat(bytes - head.length - 3)}"]}`
    }
    expect(await sayText(filled(1024 * 1024))).toMatchObject({ result: ['hello', 5] })
    expect(await sayText(filled(1024 * 1024 + 1))).toMatchObject({ error: { data: { code: 'rpc/too-large' } } })
    const many = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', method: 'get_data', id }))
    expect(await say(many(100))).toHaveLength(100)
    expect(await say(many(101))).toMatchObject({ id: null, error: { data: { code: 'rpc/too-large' } } })
  })
})

describe('an error of the application', () => {
  it('carries the code, kind, sentence and facts of its Fault', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'refuse', id: 1 })).toEqual({
      jsonrpc: '2.0',
      error: { code: -32000, message: 'There is no task x.', data: { code: 'task/unknown', kind: 'use', task: 'x' } },
      id: 1,
    })
  })

  it('that nobody foresaw is an internal error', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'break', id: 1 })).toMatchObject({
      error: { code: -32603, message: 'x is not a function', data: { code: 'runtime/unexpected', kind: 'failed' } },
    })
  })

  it('is said even where the result or the facts cannot be', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'huge', id: 1 })).toMatchObject({ error: { code: -32603 }, id: 1 })
    expect(await say({ jsonrpc: '2.0', method: 'odd', id: 1 })).toMatchObject({
      error: { message: 'Locked.', data: { code: 'store/locked', kind: 'failed' } },
    })
  })

  it('is not said to a notification', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'break' })).toBeNull()
    expect(await say({ jsonrpc: '2.0', method: 'strict', params: { no: 1 } })).toBeNull()
  })
})

it('answers a method that returns nothing with null', async () => {
  expect(await say({ jsonrpc: '2.0', method: 'nothing', id: 1 })).toEqual({ jsonrpc: '2.0', result: null, id: 1 })
})

describe('whatever is sent', () => {
  const real = dispatcher({ methods, services: services() })
  const isAnswer = (text: string | null) => {
    if (text === null) return
    const parsed: unknown = JSON.parse(text)
    for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
      expect(one).toMatchObject({ jsonrpc: '2.0' })
      expect('result' in one !== 'error' in one).toBe(true)
      expect('id' in one).toBe(true)
    }
  }

  it('is answered as JSON-RPC or not at all', async () => {
    const name = fc.constantFrom(...methods.keys(), 'nobody', '')
    const request = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        method: fc.oneof(name, fc.jsonValue()),
        params: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom('id', 'task', 'kind', 'limit', 'x'), fc.jsonValue()),
        ),
        id: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const message = fc.oneof(request, fc.array(request), fc.jsonValue())
    const text = fc.oneof(
      message.map((one) => JSON.stringify(one)),
      message.chain((one) => {
        const whole = JSON.stringify(one)
        return fc.nat(whole.length).map((length) => whole.slice(0, length))
      }),
      fc.string({ unit: 'binary' }),
    )
    await fc.assert(
      fc.asyncProperty(text, async (one) => isAnswer(await real(one, {}))),
      { numRuns: 500 },
    )
  })
})
