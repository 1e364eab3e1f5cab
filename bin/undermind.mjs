#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) {
  const { spawnSync } = await import('node:child_process')
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (built.status !== 0) {
    process.stderr.write('undermind is not built. Run npm ci, then try again.\n')
    process.exit(1)
  }
}
await import(main.href)
