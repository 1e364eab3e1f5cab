import type { Command } from 'commander'
import { Fault } from '../../domain/errors.ts'
import { ask } from '../ask.ts'
import { columnsOf } from '../columns.ts'
import { examples } from '../examples.ts'
import { count } from '../numbers.ts'
import { printableLine } from '../printable.ts'
import { rejudgedLines } from '../rejudged-lines.ts'
import type { Shell } from '../shell.ts'
import { localTime } from '../times.ts'
import { Rejudged, Steps } from '../views.ts'

interface Options {
  model?: string
  analyse?: boolean
}

export const addReplay = (program: Command, shell: Shell): void => {
  const command = program
    .command('replay')
    .description('run an evaluation again from its journal, without any effect, and compare; or ask another model')
    .argument('<evaluation>', 'its id, as undermind log shows it')
    .option('--model <name>', 'who decides now: local, cloud, builtin, ollama:<model> or openai:<model>')
    .option('--analyse', 'have that model look deeper, in words, when it escalates')
  examples(command, 'undermind replay ev_01h2x9', 'undermind replay ev_01h2x9 --model ollama:qwen3')
  shell.act(command, (evaluation: string, { model, analyse = false }: Options) => {
    if (model !== undefined) return rejudge(shell, { evaluation, model, analyse })
    if (analyse) {
      const sentence = '--analyse needs --model: name the model that is to look deeper.'
      throw Fault.use('cli/wrong-use', sentence, { evaluation })
    }
    return replay(shell, evaluation)
  })
}

/** Another model's answer is no verdict on the first one: it ends well whatever it says. */
const rejudge = async (shell: Shell, order: { evaluation: string; model: string; analyse: boolean }): Promise<void> => {
  const rejudged = await shell.withDoor((door) =>
    shell.during('It is being judged again …', ask(door, 'subconscious.replay', order, Rejudged)),
  )
  if (shell.json) shell.print(rejudged)
  else shell.say(...rejudgedLines(rejudged, shell))
}

const replay = async (shell: Shell, evaluation: string): Promise<number> => {
  const steps = await shell.withDoor((door) => ask(door, 'subconscious.replay', { evaluation }, Steps))
  const differing = steps.filter(({ recorded, replayed }) => recorded !== replayed).length
  if (shell.json) shell.print(steps)
  else {
    const rows = steps.map(({ version, at, event, recorded, replayed }) => [
      String(version),
      localTime(at, shell.now()),
      printableLine(event),
      printableLine(recorded),
      recorded === replayed ? 'the same' : printableLine(replayed),
    ])
    shell.say(...columnsOf(['step', 'time', 'event', 'was', 'replayed'], rows, shell, 3))
    shell.say(
      differing === 0
        ? 'It replays exactly.'
        : `It replays differently at ${count(differing, 'step')}: the chart has changed since.`,
    )
  }
  return differing === 0 ? 0 : 1
}
