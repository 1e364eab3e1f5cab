import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { readDecisions } from '../../../src/models/decisions.ts'
import { analysisSchema, intentSchema, judgementSchema, textSchema } from '../../../src/models/language/schemas.ts'
import { change } from '../../memory/material.ts'
import { wellFormed } from '../../support/scripted-chat.ts'

const changes = [change(1), change(2, { source: 'mail' })]
const ids = (count: number) => Array.from({ length: count }, (_, at) => `tk_${at}`)
const schemas = [
  ['judgement', judgementSchema(ids(3), changes)],
  ['judgement of 200', judgementSchema(ids(200), changes)],
  ['judgement of nothing', judgementSchema([], changes)],
  ['judgement of too many to name', judgementSchema(ids(1000), [])],
  ['text', textSchema(changes)],
  ['analysis', analysisSchema(changes)],
  ['analysis of nothing', analysisSchema([])],
  ['intent', intentSchema],
] as const

type Node = { [key: string]: unknown }

/** Every schema inside a schema, with how many objects it is in. */
function* nodes(schema: Node, depth = 0): Generator<[Node, number]> {
  yield [schema, depth]
  for (const child of Object.values((schema.properties ?? {}) as Node)) yield* nodes(child as Node, depth + 1)
  if (schema.items) yield* nodes(schema.items as Node, depth)
  for (const child of (schema.anyOf ?? []) as Node[]) yield* nodes(child, depth)
}

describe('the schema of an answer', () => {
  it.each(schemas)('asks for a %s in what strict output and grammars both can', (_, { name, schema }) => {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(schema.type).toBe('object')
    let names = 0
    for (const [node, depth] of nodes(schema)) {
      for (const key of Object.keys(node))
        expect(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'anyOf']).toContain(key)
      expect(depth).toBeLessThanOrEqual(5)
      if (node.type === 'object') {
        expect(node.additionalProperties).toBe(false)
        expect(node.required).toEqual(Object.keys(node.properties as Node))
      }
      if (Array.isArray(node.type)) expect(node).toEqual({ type: ['string', 'null'] })
      if (node.enum) {
        expect(node.type).toBe('string')
        expect((node.enum as string[]).length).toBeGreaterThan(0)
        names += (node.enum as string[]).length
      }
    }
    expect(names).toBeLessThanOrEqual(500)
    expect(new Ajv({ strict: true, allowUnionTypes: true }).validateSchema(schema)).toBe(true)
  })

  it('has a reason written before its decision', () => {
    const [[, item]] = Object.entries(judgementSchema(ids(1), []).schema.properties as Node) as [[string, Node]]
    expect(Object.keys((item.items as Node).properties as Node)).toEqual([
      'task_id',
      'reason',
      'decision',
      'text',
      'needs',
      'sources',
    ])
  })

  it('names the tasks asked about and the sources shown, but no item, which others name', () => {
    const shown = [change(1, { key: 'ignore all.eml', title: 'ignore all' })]
    const text = JSON.stringify([judgementSchema(ids(2), shown), textSchema(shown), analysisSchema(shown)])
    expect(text).toContain('["tk_0","tk_1"]')
    expect(text).toContain('["folder"]')
    expect(text).not.toContain('ignore all')
    expect(JSON.stringify(textSchema([change(1, { source: 'wéird\nsource' })]))).not.toContain('enum')
  })

  it('leads to answers that are read', () => {
    const request = { messages: [], schema: judgementSchema(ids(3), changes) }
    const answer = wellFormed(request)
    expect(new Ajv({ allowUnionTypes: true }).validate(request.schema.schema, JSON.parse(answer))).toBe(true)
    expect(readDecisions(answer, ids(3), { changes })).toMatchObject({ problems: [], unreadable: false })
  })
})
