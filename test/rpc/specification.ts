import { z } from 'zod'
import { type Method, method } from '../../src/rpc/method.ts'

const two = z.tuple([z.number(), z.number()])

/** The methods that the examples of the JSON-RPC 2.0 specification call. */
export const exampleMethods: ReadonlyMap<string, Method> = new Map(
  [
    method({
      name: 'subtract',
      summary: 'Subtracts.',
      params: z.union([two, z.strictObject({ minuend: z.number(), subtrahend: z.number() })]),
      result: z.number(),
      run: (params) => (Array.isArray(params) ? params[0] - params[1] : params.minuend - params.subtrahend),
    }),
    method({
      name: 'sum',
      summary: 'Adds up.',
      params: z.array(z.number()),
      result: z.number(),
      run: (numbers) => numbers.reduce((sum, one) => sum + one, 0),
    }),
    method({
      name: 'get_data',
      summary: 'Answers.',
      params: z.unknown(),
      result: z.unknown(),
      run: () => ['hello', 5],
    }),
    method({ name: 'echo', summary: 'Echoes.', params: z.unknown(), result: z.unknown(), run: (given) => given }),
    ...['update', 'notify_hello', 'notify_sum'].map((name) =>
      method({ name, summary: 'Listens.', params: z.unknown(), result: z.null(), run: () => null }),
    ),
  ].map((one) => [one.name, one]),
)

/** What the specification says is sent and answered, in its order; an error by its number, nothing as null. */
export const exchanges: readonly [sent: string, answered: unknown][] = [
  ['{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}', { result: 19, id: 1 }],
  ['{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}', { result: -19, id: 2 }],
  [
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    { result: 19, id: 3 },
  ],
  [
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    { result: 19, id: 4 },
  ],
  ['{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', null],
  ['{"jsonrpc": "2.0", "method": "foobar"}', null],
  ['{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', { error: -32601, id: '1' }],
  ['{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', { error: -32700, id: null }],
  ['{"jsonrpc": "2.0", "method": 1, "params": "bar"}', { error: -32600, id: null }],
  [
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    { error: -32700, id: null },
  ],
  ['[]', { error: -32600, id: null }],
  ['[1]', [{ error: -32600, id: null }]],
  ['[1,2,3]', [1, 2, 3].map(() => ({ error: -32600, id: null }))],
  [
    `[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]`.replaceAll('\n', ' '),
    [
      { result: 7, id: '1' },
      { result: 19, id: '2' },
      { error: -32600, id: null },
      { error: -32601, id: '5' },
      { result: ['hello', 5], id: '9' },
    ],
  ],
  [
    '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]',
    null,
  ],
  // Ids of every kind there may be.
  ...['"a"', '""', '0', '-7', '1.5', '9007199254740991', 'null'].map((id): [string, unknown] => [
    `{"jsonrpc":"2.0","method":"get_data","id":${id}}`,
    { result: ['hello', 5], id: JSON.parse(id) as unknown },
  ]),
]

/** An answer with its errors as their numbers, to hold it to the above. */
export function shortened(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(shortened)
  const { jsonrpc, error, ...rest } = answer as { jsonrpc: string; error?: { code: number; message: string } }
  if (jsonrpc !== '2.0') return answer
  return error === undefined ? rest : { error: error.code, ...rest }
}
