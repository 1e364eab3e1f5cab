import { readFileSync } from 'node:fs'
import { run } from './cli/run.ts'
import { terminal } from './cli/terminal.ts'
import { commandParts } from './house/command-parts.ts'
import { holdProcess } from './house/system-clock.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const letGo = holdProcess()
process.exitCode = await run(process.argv.slice(2), {
  version,
  env: process.env,
  cwd: process.cwd(),
  io: terminal(process),
  onSignal(stop) {
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    return () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    }
  },
  ...commandParts(version, process.env, process.cwd()),
})
letGo()
