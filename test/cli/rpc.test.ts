import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { home } from './support/fake.ts'

it('undermind rpc answers what comes in and writes nothing else', async () => {
  const it_ = home({ goals_list: [] })
  const [input, output] = [new PassThrough(), new PassThrough()]
  it_.io.stdio = { input, output }
  input.end('{"jsonrpc":"2.0","method":"subconscious.goals_list","id":1}\n')
  expect(await it_.undermind('rpc')).toBe(0)
  output.end()
  expect(String(await output.toArray().then((parts) => Buffer.concat(parts as Buffer[])))).toBe(
    '{"jsonrpc":"2.0","result":[],"id":1}\n',
  )
  expect([it_.out(), it_.err(), it_.door.isOpen]).toEqual(['', '', false])
})

it('undermind rpc ends when it is asked to', async () => {
  const it_ = home()
  const ended = it_.undermind('rpc')
  await new Promise((next) => setImmediate(next))
  it_.interrupt()
  expect(await ended).toBe(0)
  expect(it_.door.isOpen).toBe(false)
})
