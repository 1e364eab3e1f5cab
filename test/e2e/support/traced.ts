import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { bin } from './built.ts'
import type { Desk } from './desk.ts'
import { byRules } from './guard.ts'

/**
 * Runs the command under the eyes of the system, where a tracer is there and allowed: the calls with which it made a
 * process of its own, ran a program or opened a socket, but for the program itself and what the C library asks about users.
 */
export async function callsOutOf(at: Desk, words: readonly string[]): Promise<string[]> {
  const trace = at.path('trace')
  const tracer = 'strace'
  const options = ['-f', '-o', trace, '-e', 'trace=execve,fork,vfork,clone,clone3,socket,connect,bind']
  if (spawnSync(tracer, [...options, process.execPath, '-e', '']).status !== 0 || !existsSync(trace)) return []
  const traced = at.spawn(tracer, [...options, process.execPath, bin, ...words], { env: byRules })
  traced.end()
  await traced.ended
  const calls = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /^\d+ +\w+\(/.test(line))
    .filter((line) => !line.includes('CLONE_THREAD') && !line.includes('nscd'))
  const [program = '', ...others] = calls
  if (!program.includes(`execve("${process.execPath}"`)) throw new Error(`The trace begins otherwise: ${program}`)
  return others.filter((line) => !/ socket\(AF_UNIX\b/.test(line))
}
