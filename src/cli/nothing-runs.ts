import { Fault } from '../domain/errors.ts'
import type { Shell } from './shell.ts'

/** For a command that needs a running undermind; `so` is what that means for it. */
export const nothingRuns = (shell: Shell, since: 'yet' | 'any more', so: string): Fault => {
  const { workspace } = shell
  const sentence = `Nothing runs on ${workspace} ${since}, so ${so}. Run ${shell.command('start')} first.`
  return new Fault('cli/nothing-runs', sentence, { workspace }, 'unreachable')
}
