import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Door } from '../../rpc/door.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { Imported, importedLines } from '../import-lines.ts'
import type { Shell } from '../shell.ts'

export const addImport = (program: Command, shell: Shell): void => {
  const all = program.command('import').description('take over what another program has kept')
  const openhuman = all
    .command('openhuman')
    .description('take over tasks, log and sessions of an OpenHuman; done again, it takes only what is new')
    .argument('<dir>', 'its workspace: the folder that holds subconscious/ and orchestration/')
    .option('--dry-run', 'only say what would be done')
  examples(openhuman, 'undermind import openhuman ~/.openhuman/workspace --dry-run')
  shell.act(openhuman, (dir: string, options: { dryRun?: boolean }) =>
    takeOver(shell, { dir: resolve(shell.parts.cwd, dir), dry_run: options.dryRun === true }),
  )
}

/** Ends with 1 when something that is there could not be read. */
const takeOver = async (shell: Shell, order: { dir: string; dry_run: boolean }): Promise<number> => {
  const view = await shell.withDoor(async (door) => {
    const importing = ask(door, 'import.openhuman', order, Imported)
    const watching = shell.isForPerson ? showProgress(shell, door) : undefined
    try {
      return await importing
    } finally {
      await watching
    }
  })
  if (shell.json) shell.print(view)
  else shell.say(...importedLines(view, shell))
  return view.unreadable.length === 0 ? 0 : 1
}

const Progress = z.looseObject({ done: z.number(), total: z.number() }).nullable()

/** How far it is, on one line of standard error that goes away again. */
const showProgress = async (shell: Shell, door: Door): Promise<void> => {
  const { io } = shell.parts
  let shown = ''
  try {
    for (let seen = -1; ; ) {
      const progress = await ask(door, 'import.progress', { seen }, Progress)
      if (progress === null) break
      seen = progress.done
      shown = `${progress.done.toLocaleString('en')} of ${progress.total.toLocaleString('en')} rows`.padEnd(
        shown.length,
      )
      io.err(`\r${shell.paint('gray', shown)}`)
    }
  } catch {
    // What is wrong is told by the import itself.
  } finally {
    if (shown !== '') io.err(`\r${' '.repeat(shown.length)}\r`)
  }
}
