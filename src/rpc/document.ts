type Schema = Record<string, unknown>

interface Described {
  methods: {
    name: string
    summary: string
    deprecated?: boolean
    params: { name: string; required: boolean; schema: Schema }[]
    result: { schema: Schema }
  }[]
  components: { schemas: Record<string, Schema> }
}

/** `docs/rpc.md`, from what `rpc.discover` answers. */
export function rpcDocument(discovered: unknown): string {
  const { methods, components } = discovered as Described
  const own = methods.filter(({ deprecated }) => !deprecated)
  const shapes = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  return `# JSON-RPC

undermind answers JSON-RPC 2.0: as a POST to \`/rpc\`, on a WebSocket at \`/rpc\`, at its local socket, and on standard input
and output with \`undermind rpc\`. Where it listens and the token that is asked for stand in \`.undermind/daemon.json\` and
\`.undermind/token\`:

\`\`\`sh
curl -s "$(jq -r .url .undermind/daemon.json)/rpc" -H "Authorization: Bearer $(cat .undermind/token)" \\
  -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","method":"subconscious.status","id":1}'
\`\`\`

In TypeScript, in Node and in browsers:

\`\`\`ts
import { createClient } from 'undermind/client'

const client = createClient({ url, token })
const status = await client.call('subconscious.status')
client.steps({ kind: 'evaluation' }, (step) => console.log(step.actor, step.to))
\`\`\`

Parameters are given by name, and one that a method does not know is refused. Names are snake_case, times are milliseconds
UTC. An error's \`data.code\` is stable; [errors.md](errors.md) lists every one. Over a WebSocket and the local socket,
\`events.subscribe\` sends news as \`events.news\` and \`inspector.subscribe\` steps as \`inspector.step\` notifications.
\`rpc.discover\` answers with all of this as an OpenRPC document. Methods that begin with \`openhuman.\` serve clients of that
program; they are described there and not here.

${own.map(methodSection).join('\n')}
## Shapes

${shapes.map(shapeSection).join('\n')}
This page is made from the schemas of the methods: refresh it with \`UPDATE=1 npx vitest run test/rpc/document.test.ts\`.
`
}

const methodSection = ({ name, summary, params, result }: Described['methods'][number]): string => {
  const rows = params.map(
    (param) =>
      `| \`${param.name}\` | \`${cell(typeText(param.schema))}\` | ${needText(param.required, param.schema)} | ${cell(String(param.schema.description ?? ''))} |`,
  )
  const table = rows.length === 0 ? [] : ['| parameter | type | if left out | |', '|---|---|---|---|', ...rows, '']
  return [`## ${name}`, '', summary, '', ...table, `Answers \`${typeText(result.schema)}\`.`, ''].join('\n')
}

const shapeSection = ([name, schema]: [string, Schema]): string =>
  [
    `### ${name}`,
    '',
    ...(schema.description ? [String(schema.description), ''] : []),
    '```ts',
    typeText(schema, 0),
    '```',
    '',
  ].join('\n')

const needText = (isRequired: boolean, { default: fallback }: Schema): string => {
  if (isRequired) return 'refused'
  return fallback === undefined ? 'absent' : `\`${JSON.stringify(fallback)}\``
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** A schema as a type. With a depth, objects take a line for each of their parts. */
function typeText(schema: Schema, depth?: number): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.map((one: Schema) => typeText(one, depth)).join(' | ')
  if (Array.isArray(schema.allOf)) return schema.allOf.map((one: Schema) => typeText(one, depth)).join(' & ')
  if (schema.type === 'array') return `${grouped(typeText((schema.items ?? {}) as Schema, depth))}[]`
  if (schema.type === 'object') return objectText(schema, depth)
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'unknown'
}

function objectText({ properties, required, additionalProperties }: Schema, depth?: number): string {
  const needed = new Set((required ?? []) as string[])
  const parts = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([name, inner]) =>
      `${name}${needed.has(name) ? '' : '?'}: ${typeText(inner, depth === undefined ? undefined : depth + 1)}`,
  )
  if (parts.length === 0) {
    const values = typeof additionalProperties === 'object' && additionalProperties !== null
    return values ? `{ [name: string]: ${typeText(additionalProperties as Schema)} }` : '{}'
  }
  if (depth === undefined) return `{ ${parts.join('; ')} }`
  const indent = '  '.repeat(depth)
  return `{\n${parts.map((part) => `${indent}  ${part}`).join('\n')}\n${indent}}`
}

const grouped = (type: string): string => (/ [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type)
