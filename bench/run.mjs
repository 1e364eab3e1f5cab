// The figures of the specification, measured: `npm run bench -- --json [--cases a,b] [--runs 5]`. Prints a line per case.
// Each case runs in a fresh process; ratios are between runs of one session, interleaved with their floor.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cases } from './cases.mjs'

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, cases: { type: 'string' }, runs: { type: 'string', default: '5' } },
})
const wanted = values.cases?.split(',')
const runs = Number(values.runs)

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
const rounded = (number) => (number === null ? null : Number(number.toPrecision(4)))

/** Runs one measurement in a process of its own, over a folder of its own. */
function measure(task) {
  const folder = mkdtempSync(join(tmpdir(), 'undermind-bench-'))
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./child.mjs', import.meta.url)), [], {
      execArgv: ['--expose-gc', '--no-warnings'],
    })
    let answer
    child.on('message', (message) => {
      answer = message
    })
    child.on('exit', (code) => {
      rmSync(folder, { recursive: true, force: true })
      if (answer?.value !== undefined) resolve(answer)
      else
        reject(
          new Error(
            `${task.measure} of ${task.peer ?? 'undermind'} ended with ${code}: ${answer?.error ?? 'no answer'}`,
          ),
        )
    })
    child.send({ ...task, folder })
  })
}

let failed = false
for (const one of cases.filter(({ name }) => !wanted || wanted.includes(name))) {
  const own = []
  const floor = []
  let error = null
  try {
    for (let run = 0; run < (one.runs ?? runs); run++) {
      own.push((await measure({ ...one.task, peer: 'undermind' })).value)
      if (one.floor) floor.push((await measure({ ...one.floor })).value)
    }
  } catch (problem) {
    error = String(problem.message ?? problem)
  }
  const value = own.length > 0 ? median(own) : null
  const base = floor.length > 0 ? median(floor) : null
  const ratio = value !== null && base ? value / base : null
  const compared = one.compares === 'ratio' ? ratio : value
  const ok =
    error === null &&
    (one.bar === null || (compared !== null && (one.atLeast ? compared >= one.bar : compared <= one.bar)))
  failed ||= !ok
  const spread = own.length > 1 ? [Math.min(...own), Math.max(...own)].map(rounded) : null
  const line = {
    case: one.name,
    value: rounded(value),
    unit: one.unit,
    floor: rounded(base),
    ratio: rounded(ratio),
    bar: one.bar,
    ok,
    spread,
    ...(error && { error }),
  }
  if (values.json) console.log(JSON.stringify(line))
  else {
    const bar =
      one.bar === null
        ? ''
        : ` (bar: ${one.atLeast ? 'at least' : 'at most'} ${one.bar}${one.compares === 'ratio' ? ' ×' : ` ${one.unit}`})`
    console.log(
      `${ok ? '✓' : '✗'} ${one.name}: ${line.value} ${one.unit}${ratio === null ? '' : `, ${line.ratio} × the floor's ${line.floor}`}${bar}${error ? ` ${error}` : ''}`,
    )
  }
}
process.exitCode = failed ? 1 : 0
