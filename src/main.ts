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
    const onError = ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') stop() // nobody reads what is shown any more, as behind `head`
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    process.stdout.on('error', onError)
    return () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      process.stdout.off('error', onError)
    }
  },
  ...commandParts(version, process.env, process.cwd()),
})
letGo()
