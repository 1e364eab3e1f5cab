import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Desk, How } from './desk.ts'

/** Loaded before a program: whatever would start a process or open a socket is written down, and refused. */
const source = `
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

const refuse = (what) => () => {
  appendFileSync(process.env.TRESPASSES, what + '\\n')
  throw new Error('trespass: ' + what)
}
childProcess.ChildProcess.prototype.spawn = refuse('spawn')
for (const name of ['spawnSync', 'execSync', 'execFileSync']) childProcess[name] = refuse(name)
net.Socket.prototype.connect = (...given) => {
  const { host = '', port = given[0] } = given.flat().find((one) => typeof one === 'object' && one !== null) ?? {}
  refuse('connect ' + host + ':' + port)()
}
net.Server.prototype.listen = refuse('listen')
for (const name of ['bind', 'connect', 'send']) dgram.Socket.prototype[name] = refuse(name)
for (const name of ['lookup', 'resolve']) dns[name] = refuse(name)
globalThis.fetch = refuse('fetch')
syncBuiltinESMExports()
`

/** The user's own choice, outside of every folder: no language model is looked for. */
export const byRules = { UNDERMIND_MODELS_LOCAL_PROVIDER: 'builtin' }

export interface Guard {
  how: How
  /** What was tried. */
  trespasses(): string[]
}

export function guard(at: Desk): Guard {
  const preload = at.path('guard.mjs')
  const trespasses = at.path('trespasses')
  writeFileSync(preload, source)
  return {
    how: { node: ['--import', preload], env: { TRESPASSES: trespasses, ...byRules } },
    trespasses: () => (existsSync(trespasses) ? readFileSync(trespasses, 'utf8').trim().split('\n') : []),
  }
}
