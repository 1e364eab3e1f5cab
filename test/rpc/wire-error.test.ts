import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { fromWire, toWire } from '../../src/rpc/wire-error.ts'

const wired = (fault: unknown): Fault => fromWire(JSON.parse(JSON.stringify(toWire(fault))))

describe('a Fault that has been over the wire', () => {
  it.each([
    Fault.use('task/unknown', 'There is no task x.', { task: 'x' }),
    new Fault('store/locked', 'Locked.', { deep: { camelCase: [1] } }),
    new Fault('daemon/gone', 'Gone.', {}, 'unreachable'),
    Fault.use('rpc/invalid-params', 'No.', { fields: ['a'] }),
  ])('is the same Fault: $code', (fault) => {
    const { code, kind, message, data } = wired(fault)
    expect({ code, kind, message, data }).toEqual({
      code: fault.code,
      kind: fault.kind,
      message: fault.message,
      data: fault.data,
    })
  })

  it('keeps its own code where a fact has that name', () => {
    expect(wired(new Fault('workspace/no-permission', 'x', { code: 'EACCES', kind: 'odd' }))).toMatchObject({
      code: 'workspace/no-permission',
      kind: 'failed',
      data: {},
    })
  })

  it.each([new Error('odd'), 'odd'])('was something else and is unexpected now: %s', (thrown) => {
    expect(wired(thrown)).toMatchObject({ code: 'runtime/unexpected', message: 'odd', kind: 'failed' })
  })

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    { message: 4, data: 'x' },
    { data: { code: 'nocode', kind: 'evil' } },
    { data: { code: 9 } },
  ])('is read from whatever the other side sent: %j', (sent) => {
    const fault = fromWire(sent)
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).toMatchObject({ code: 'runtime/unexpected', kind: 'failed' })
    expect(fault.message).toMatch(/\.$/)
  })
})
