import * as meta from '@open-rpc/meta-schema'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { services } from './samples.ts'

interface Descriptor {
  name: string
  required?: boolean
  schema: Record<string, unknown>
}

interface Document {
  openrpc: string
  info: { title: string; version: string }
  methods: {
    name: string
    summary: string
    deprecated?: boolean
    paramStructure: string
    params: Descriptor[]
    result: Descriptor
  }[]
  components: { schemas: Record<string, Record<string, unknown>> }
}

const discovered = async () =>
  (await invoke({ methods, services: services(), checkResults: true }, 'rpc.discover', {}, {})) as Document

const described = async (name: string) => {
  const found = (await discovered()).methods.find((method) => method.name === name)
  if (!found) throw new Error(`${name} is not described`)
  return found
}

/** The schema of OpenRPC documents. For the schema of JSON schemas that it refers to, the seventh draft stands in. */
const documentCheck = () => {
  const { openrpcDocument } = meta as { openrpcDocument?: object }
  const elsewhere = 'https://meta.json-schema.tools'
  const text = JSON.stringify(openrpcDocument)
    .replaceAll(`${elsewhere}/#/definitions/JSONSchemaObject/properties/$ref`, '#/definitions/reference')
    .replaceAll(elsewhere, 'http://json-schema.org/draft-07/schema')
  const { $schema: _, definitions, ...schema } = JSON.parse(text) as { $schema: string; definitions: object }
  return new Ajv({ strict: false, logger: false }).compile({
    ...schema,
    definitions: { ...definitions, reference: { type: 'string' } },
  })
}

/** Every object and list within a value, itself included. */
function* partsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* partsOf(inner)
}

describe('the discovery document', () => {
  it('is OpenRPC 1.3 and names the version that answers', async () => {
    expect(await discovered()).toMatchObject({ openrpc: '1.3.2', info: { title: 'undermind', version: '1.2.3' } })
  })

  it('describes every method once, by name, with a summary', async () => {
    const { methods: listed } = await discovered()
    expect(listed.map(({ name }) => name)).toEqual([...methods.keys()])
    for (const { summary, paramStructure, result } of listed) {
      expect(summary).toMatch(/^[A-Z].*\.$/)
      expect(paramStructure).toBe('by-name')
      expect(result.name).toBe('result')
      expect(typeof result.schema).toBe('object')
    }
  })

  it('says of each parameter whether it must be given', async () => {
    const approve = await described('subconscious.escalations_approve')
    expect(approve.params.map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['digest', true],
      ['calls', false],
      ['wait', false],
      ['by', false],
      ['message', false],
    ])
    expect(
      (await described('subconscious.log_list')).params.find(({ name }) => name === 'limit')?.schema,
    ).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 500,
      default: 50,
    })
  })

  it('holds nothing that refers to what is not there', async () => {
    const document = await discovered()
    const references = [...partsOf(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect(references.length).toBeGreaterThan(20)
    for (const reference of new Set(references)) {
      const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? []
      expect(document.components.schemas, reference).toHaveProperty(name)
    }
  })

  it('names shared shapes by what they are', async () => {
    const { components } = await discovered()
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Card', 'Evaluation', 'Goal', 'Json', 'LogRow', 'Status', 'Task', 'Time', 'ToolCall']),
    )
    expect(Object.keys(components.schemas).filter((name) => name.startsWith('__'))).toEqual([])
  })

  it('is what the schema of OpenRPC documents says it is', async () => {
    const check = documentCheck()
    const document = await discovered()
    expect(check(document), JSON.stringify(check.errors?.slice(0, 3))).toBe(true)
    const { info: _, ...without } = document
    expect(check(without)).toBe(false)
    expect(check({ ...document, methods: [{ name: 'a', params: [{ name: 'b' }] }] })).toBe(false)
  })

  it('has schemas that are JSON schemas', async () => {
    const { methods: listed, components } = await discovered()
    const ajv = new Ajv({ strict: false, logger: false })
    const schemas = listed.flatMap(({ params, result }) => [...params, result].map(({ schema }) => schema))
    expect(schemas.length).toBeGreaterThan(80)
    for (const schema of [...schemas, ...Object.values(components.schemas)]) {
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors?.[0])).toBe(true)
    }
  })

  it('marks what is there for old clients only', async () => {
    const { methods: listed } = await discovered()
    const old = listed.filter(({ deprecated }) => deprecated).map(({ name }) => name)
    expect(old).toHaveLength(10)
    expect(old).toEqual(listed.map(({ name }) => name).filter((name) => name.startsWith('openhuman.subconscious_')))
  })

  it('survives being written down', async () => {
    const document = await discovered()
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})
