import { type Command, Option } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { EvaluationState } from '../../domain/evaluation.ts'
import type { Door } from '../../rpc/door.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { happeningLines, happeningObject } from '../happening-lines.ts'
import { live } from '../live.ts'
import { nothingRuns } from '../nothing-runs.ts'
import { wholeNumber } from '../numbers.ts'
import { foldedLines, rowLines } from '../row-lines.ts'
import type { Shell } from '../shell.ts'
import { parseSince } from '../since.ts'
import { untilSignal } from '../until-signal.ts'
import { Rows } from '../views.ts'

interface Options {
  task?: string
  state?: string
  since?: string
  limit: number
  follow?: boolean
}

export const addLog = (program: Command, shell: Shell): void => {
  const command = program
    .command('log')
    .description('show what was looked at and what came of it, newest first')
    .option('--task <task>', 'only of this task')
    .addOption(new Option('--state <state>', 'only what is in this state').choices(EvaluationState.options))
    .option('--since <time>', 'only since: 30m, 2h, 3d, today, yesterday, a day or an ISO time')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 500), 50)
    .option('-f, --follow', 'go on showing what happens; needs a running undermind')
  examples(command, 'undermind log', 'undermind log --since today --state acted', 'undermind log --follow')
  shell.act(command, (options: Options) => {
    const { task, state, since, limit } = options
    const query = {
      limit,
      ...(task !== undefined && { task }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since: parseSince(since, shell.now()) }),
    }
    if (options.follow) {
      if (task === undefined && state === undefined) return follow(shell, query)
      const sentence = 'Following shows everything: leave out --task and --state, or leave out --follow.'
      throw Fault.use('cli/wrong-use', sentence, { task, state })
    }
    return shell.withDoor(async (door) => {
      const rows = await ask(door, 'subconscious.log_list', query, Rows)
      if (shell.json) return shell.print(rows)
      if (rows.length === 0) return shell.say('There is nothing to show.')
      // Who asks for one task or one state wants to see each, with its reason.
      const isNarrow = task !== undefined || state !== undefined
      const lines = isNarrow
        ? rows.flatMap((row) => rowLines(row, shell, { dated: true, reason: true }))
        : foldedLines(rows, shell, { dated: true })
      shell.say(...lines)
    })
  })
}

const noFollowing = 'there is nothing to follow'

interface Query {
  since?: number
  limit: number
}

const follow = (shell: Shell, query: Query): Promise<void> =>
  shell.withDoor(async (door) => {
    if (!door.daemon) throw nothingRuns(shell, 'yet', noFollowing)
    await showAndFollow(shell, door, query)
  })

const showAndFollow = async (shell: Shell, door: Door, query: Query): Promise<void> => {
  const rows = await ask(door, 'subconscious.log_list', { ...query }, Rows)
  const past = rows.reverse()
  if (shell.json) for (const row of past) shell.printLine({ type: 'evaluation', ...row, card: null })
  else if (past.length > 0) shell.say(...foldedLines(past, shell, { dated: true }))
  await untilSignal(shell.parts, async (end) => {
    const following = await live(
      door,
      (happening) => {
        if (shell.json) shell.printLine(happeningObject(happening))
        else shell.say(...happeningLines(happening, shell, shell.workspace))
        if (happening.type === 'store' && happening.state === 'lost') end(nothingRuns(shell, 'any more', noFollowing))
      },
      end,
    )
    return () => following.stop()
  })
}
