import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { camel, snake } from '../../src/rpc/snake.ts'

describe('names on the wire', () => {
  it('are in snake_case at every depth, and in camelCase on the way back', () => {
    const here = { lastTickAt: 1, sources: [{ readAt: null, deepOne: { x1Count: 2 } }], id: 'keepThis' }
    const there = { last_tick_at: 1, sources: [{ read_at: null, deep_one: { x1_count: 2 } }], id: 'keepThis' }
    expect(snake(here)).toEqual(there)
    expect(camel(there)).toEqual(here)
  })

  it.each(['arguments', 'inputs', 'data'])('stay as they are below %s, which is not ours to rename', (name) => {
    const given = { [name]: { fileMode: [{ someKey: 1 }], some_key: 2 } }
    expect(snake({ callShown: given })).toEqual({ call_shown: given })
    expect(camel({ call_shown: given })).toEqual({ callShown: given })
  })

  it('leave names alone that are no words of ours', () => {
    const odd = { 'a-B': 1, __proto: 2, Title: 3, 'notes/A.md': 4, $ref: 5, '': 6 }
    expect(snake(odd)).toEqual(odd)
    expect(camel({ 'a-b_c': 1, _x: 2, A_b: 3 })).toEqual({ 'a-b_c': 1, _x: 2, A_b: 3 })
  })

  it('cannot reach a prototype', () => {
    const hostile = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"a_b":1}}') as object
    const read = camel(hostile) as { isAdmin?: boolean }
    expect(read.isAdmin).toBeUndefined()
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })

  it('come back as they were', () => {
    const name = fc.stringMatching(/^[a-z]+[0-9]{0,2}([A-Z][a-z0-9]*){0,3}$/)
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        fc.array(tie('tree')),
        fc.dictionary(name, tie('tree')),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(camel(snake(value))).toEqual(value)
      }),
    )
  })
})
