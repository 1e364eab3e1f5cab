import { resolve } from 'node:path'
import type { Command } from 'commander'
import { evalLines, failureLines } from '../eval-lines.ts'
import { examples } from '../examples.ts'
import { wholeNumber } from '../numbers.ts'
import type { Shell } from '../shell.ts'

interface Options {
  model?: string
  cases?: string[]
  only?: string
  limit?: number
  batch: number
  analyse?: boolean
  failures?: boolean
}

export const addEval = (program: Command, shell: Shell): void => {
  const command = program
    .command('eval')
    .description('measure how well a model judges, on cases of which a person has said what is right')
    .option(
      '--model <name>',
      'who judges: local, cloud, builtin, ollama:<model> or openai:<model> (default: who judges your tasks)',
    )
    .option('--cases <files...>', 'files of cases of your own, in place of those that come with undermind')
    .option('--only <kind>', 'only cases of this kind')
    .option('--limit <n>', 'only so many, spread over all of them', wholeNumber(1, 100_000))
    .option('--batch <n>', 'judge up to so many in one call, as a tick does', wholeNumber(1, 100), 1)
    .option('--analyse', 'look deeper into what was escalated, too')
    .option('--failures', 'list the cases that went wrong, with what was said')
  examples(
    command,
    'undermind eval',
    'undermind eval --model ollama:qwen3 --failures',
    'undermind eval --batch 8 --json',
  )
  shell.act(command, (options: Options) => measure(shell, options))
}

const measure = async (shell: Shell, options: Options): Promise<void> => {
  const { parts } = shell
  const ending = new AbortController()
  const unlisten = parts.onSignal(() => {
    unlisten() // whoever asks a second time does not want to wait
    ending.abort()
  })
  const progress = progressOf(shell)
  try {
    const result = await parts.eval(
      {
        model: options.model ?? null,
        workspace: shell.workspace,
        isNamed: shell.givenWorkspace !== undefined,
        files: (options.cases ?? []).map((file) => resolve(parts.cwd, file)),
        kind: options.only ?? null,
        limit: options.limit ?? null,
        batch: options.batch,
        analyse: options.analyse === true,
      },
      { signal: ending.signal, onProgress: progress.show },
    )
    progress.clear()
    if (shell.json) return shell.print(result)
    if (options.failures) shell.say(...failureLines(result.failures, shell))
    shell.say(...evalLines(result, shell))
  } finally {
    progress.clear()
    unlisten()
  }
}

/** How far it is, on one line of standard error that goes away again. */
const progressOf = (shell: Shell) => {
  let shown = ''
  const clear = (): void => {
    if (shown !== '') shell.parts.io.err(`\r${' '.repeat(shown.length)}\r`)
    shown = ''
  }
  const show = (judged: number, cases: number): void => {
    if (!shell.isForPerson) return
    shown = `${judged} of ${cases} judged`
    shell.parts.io.err(`\r${shell.paint('gray', shown)}`)
  }
  return { show, clear }
}
