import { readFileSync } from 'node:fs'
import type { CliParts } from './cli/parts.ts'
import { run } from './cli/run.ts'
import { commandParts } from './house/command-parts.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const readStdin = async (): Promise<string> => {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text
}

const parts: CliParts = {
  version,
  env: process.env,
  cwd: process.cwd(),
  io: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTTY: process.stdout.isTTY === true,
    get columns() {
      return process.stdout.columns ?? 80
    },
    stdin: readStdin,
    async confirm(question) {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return null
      const { confirm, isCancel } = await import('@clack/prompts')
      const answer = await confirm({ message: question, initialValue: false })
      return isCancel(answer) ? false : answer
    },
  },
  onSignal(stop) {
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    return () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    }
  },
  ...commandParts(version, process.env, process.cwd()),
}

process.exitCode = await run(process.argv.slice(2), parts)
