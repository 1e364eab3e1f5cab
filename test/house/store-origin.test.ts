import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openHouse } from '../../src/house/open.ts'
import { putForeignStateAside } from '../../src/house/store-origin.ts'
import { initWorkspace } from '../../src/settings/init.ts'
import { openKnownStores } from '../../src/settings/known-stores.ts'
import { workspacePaths } from '../../src/settings/workspace.ts'

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'undermind-origin-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function workspaceMadeBy(userConfigDir: string): Promise<string> {
  const workspace = folder()
  await initWorkspace(workspace)
  const { runtime } = await openHouse({ workspace, env: {}, userConfigDir })
  await runtime[Symbol.asyncDispose]()
  return workspace
}

it('puts a state folder aside that was made elsewhere, before the folder is trusted', async () => {
  const workspace = await workspaceMadeBy(folder())
  const paths = workspacePaths(workspace)
  const aside = putForeignStateAside(paths, openKnownStores(folder()))
  expect(aside).toBe(`${paths.stateDir}-foreign-1`)
  expect(existsSync(paths.stateDir)).toBe(false)
  expect(existsSync(join(aside ?? '', 'state.db'))).toBe(true)
})

it('leaves a state folder alone that was made here, or holds nothing yet', async () => {
  const config = folder()
  const workspace = await workspaceMadeBy(config)
  expect(putForeignStateAside(workspacePaths(workspace), openKnownStores(config))).toBeNull()
  expect(putForeignStateAside(workspacePaths(folder()), openKnownStores(config))).toBeNull()
})
