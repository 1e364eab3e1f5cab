import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { Fault } from '../../src/domain/errors.ts'
import { openWorkspace } from '../../src/settings/workspace.ts'
import { folder } from './support/folder.ts'

const refused = vi.hoisted(() => new Map<string, string>())

// Whoever runs the tests may be allowed everything; the answer of the system is what is played here.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const guarded =
    <T>(act: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      const code = refused.get(path)
      return code === undefined ? act(path) : Promise.reject(Object.assign(new Error(code), { code }))
    }
  return { ...real, access: guarded(real.access), stat: guarded(real.stat) }
})

beforeEach(() => refused.clear())

it.each([
  ['the folder may not be written', '', 'EACCES'],
  ['the disk is read-only', '', 'EROFS'],
  ['the state folder may not be written', '.undermind', 'EACCES'],
])('says that %s before anything is tried', async (_what, name, code) => {
  const root = folder()
  await mkdir(join(root, '.undermind'))
  expect((await openWorkspace(root)).root).toBe(root)
  refused.set(join(root, name), code)
  const fault = await openWorkspace(root).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code: 'workspace/no-permission', data: { path: join(root, name), code } })
})
