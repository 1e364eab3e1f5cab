import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rpcDocument } from '../../src/rpc/document.ts'
import { invoke } from '../../src/rpc/invoke.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { services } from './samples.ts'

const made = async () => rpcDocument(await invoke({ methods, services: services() }, 'rpc.discover', {}, {}))

it('docs/rpc.md says what the methods take and answer; UPDATE=1 npx vitest run test/rpc/document.test.ts refreshes it', async () => {
  const file = new URL('../../docs/rpc.md', import.meta.url)
  const text = await made()
  if (process.env.UPDATE === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it('has every method but those for old clients, with every parameter, and every shape that is named', async () => {
  const text = await made()
  for (const { name, deprecated } of methods.values()) {
    expect(text.includes(`\n## ${name}\n`), name).toBe(!deprecated)
  }
  expect(text).toContain('| `since_seq` | `integer` | absent |')
  expect(text).toContain('| `limit` | `integer` | `100` |')
  expect(text).toContain('| `digest` | `string` | refused |')
  expect(text).toContain('### ActorDetail\n')
  expect(text).not.toMatch(/undefined|\[object/)
})
