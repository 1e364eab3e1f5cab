// Everything that must hold, in one run: types, lint, unused code, tests, pictures. Ends with a line `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'undermind-test-'))
const results = join(folder, 'results.json')

const checks = [
  ['browser', null, ['node', 'scripts/chromium.mjs']],
  ['types', ['tsc', '-p', 'tsconfig.json']],
  ['types of the page', ['tsc', '-p', 'tsconfig.web.json']],
  ['build', null, ['npm', 'run', '--silent', 'build']],
  ['lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['unused code', ['knip']],
  ['package', ['publint', '--strict']],
  ['pictures', null, ['node', 'scripts/diagrams.mjs', '--check']],
  ['tests', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`]],
]

let passed = 0
let failed = 0
for (const [name, tool, command = ['npx', '--no-install', ...tool]] of checks) {
  process.stdout.write(`\n== ${name}\n`)
  const { status } = spawnSync(command[0], command.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (name === 'tests') {
    const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0 } = counts()
    passed += numPassedTests
    failed += numFailedTests || (status === 0 ? 0 : Math.max(1, numFailedTestSuites))
  } else if (status === 0) passed++
  else failed++
  if (status !== 0) process.stdout.write(`== ${name} failed\n`)
}
rmSync(folder, { recursive: true, force: true })
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function counts() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return {}
  }
}
