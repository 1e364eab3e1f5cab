import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Compiles the project into a folder of its own, to be removed at the end: `dist` may be old, or be built anew while
 * lives run on it. The folder lies below the project, so that its packages are found.
 */
export function compiled() {
  const cache = join(project, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const dist = mkdtempSync(join(cache, 'undermind-torture-'))
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const options = ['-p', join(project, 'tsconfig.build.json'), '--outDir', dist, '--declaration', 'false']
  const built = spawnSync(process.execPath, [tsc, ...options], { cwd: project, encoding: 'utf8' })
  if (!existsSync(join(dist, 'runtime.js')))
    throw new Error(`Cannot build the project:\n${built.stdout}${built.stderr}`)
  // Node looks for the kind of a module no further up than a node_modules folder.
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }')
  return { dist, remove: () => rmSync(dist, { recursive: true, force: true }) }
}
