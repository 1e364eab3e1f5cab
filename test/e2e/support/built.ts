import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const project = join(import.meta.dirname, '../../..')

/** The command as users have it. */
export const bin = join(project, 'bin/undermind.mjs')

/** What embedders import. */
export const index = join(project, 'dist/index.js')

const main = join(project, 'dist/main.js')
const sources = join(project, 'src')

/** Compiles the project where that was not done since its sources changed. Of several processes that find it so, one does. */
export function build(): void {
  if (isFresh()) return
  const cache = join(project, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // A lock that a killed process does not leave behind.
  const turn = new Database(join(cache, 'undermind-build.db'), { timeout: 60_000 })
  try {
    turn.exec('BEGIN EXCLUSIVE')
    if (!isFresh()) compile()
  } finally {
    turn.close()
  }
}

function isFresh(): boolean {
  const built = statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return files.every((name) => (statSync(join(sources, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= built)
}

function compile(): void {
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: project,
    encoding: 'utf8',
  })
  if (!isFresh()) throw new Error(`Cannot build the project:\n${stdout}${stderr}`)
}
