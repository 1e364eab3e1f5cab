#!/usr/bin/env node
// Plants one fault after the other in a copy of the project and runs the tests that should notice it. Prints what survives
// and ends with 1 when something does, or when a fault no longer fits the source. `--only TEXT` for those whose name or file
// holds it, `--jobs N` for so many at a time (2), `--quick` to leave out the run
// without a fault, `--list` to see what there is.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutations } from './mutations.mjs'

const project = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const chosen = mutations.filter(({ file, name }) => `${file} ${name}`.includes(values.only))
if (values.list) {
  for (const { file, name } of chosen) console.log(`${file}: ${name}`)
  process.exit()
}

/** A test run that takes longer than this has noticed the fault by never ending. */
const longest = 180_000
const notCopied = new Set(['node_modules', '.git', 'dist', 'coverage', '.data'])

/** Removed and ended also when the script is broken off. */
const copies = new Set()
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const { pid } of running) process.kill(-pid, 'SIGKILL')
    for (const folder of copies) rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  })

function copyOfProject() {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-mutate-'))
  copies.add(folder)
  cpSync(project, folder, { recursive: true, filter: (path) => !notCopied.has(basename(path)) })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** The source with the fault, or null where its text is not there exactly once. */
function planted(/** @type {string} */ source, { from, to }) {
  const parts = source.split(from)
  return parts.length === 2 ? parts.join(to) : null
}

/** Resolves with whether the tests fail. */
function fails(/** @type {string} */ folder, /** @type {readonly string[]} */ tests) {
  return new Promise((resolve) => {
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--bail', '1', '--reporter', 'dot', ...tests]
    const run = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true })
    const timer = setTimeout(() => process.kill(-run.pid, 'SIGKILL'), longest)
    running.add(run)
    run.on('close', (code) => {
      running.delete(run)
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })
}

const found = { caught: 0, survived: [], stale: [] }
const waiting = [...chosen]

async function work() {
  const folder = copyOfProject()
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const label = `${next.file}: ${next.name}`
      const file = join(folder, next.file)
      const source = readFileSync(file, 'utf8')
      const faulty = planted(source, next)
      if (faulty === null) {
        found.stale.push(label)
        console.log(`does not fit   ${label}`)
        continue
      }
      writeFileSync(file, faulty)
      const caught = await fails(folder, next.tests)
      writeFileSync(file, source)
      if (caught) found.caught++
      else found.survived.push(label)
      console.log(`${caught ? 'caught  ' : 'SURVIVED'}       ${label}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests that fail by themselves would notice everything. */
async function assertSound() {
  const folder = copyOfProject()
  try {
    for (const tests of new Set(chosen.map((one) => one.tests))) {
      if (!(await fails(folder, tests))) continue
      console.error(`The tests fail without any fault: npx vitest run ${tests.join(' ')}`)
      process.exit(2)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (!values.quick) await assertSound()
await Promise.all(Array.from({ length: Math.min(Number(values.jobs), chosen.length) }, work))
console.log(`\n${found.caught} caught, ${found.survived.length} survived, ${found.stale.length} do not fit`)
for (const label of [...found.survived, ...found.stale]) console.log(`  ${label}`)
process.exitCode = found.survived.length + found.stale.length === 0 && found.caught > 0 ? 0 : 1
