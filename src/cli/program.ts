import { Command, InvalidArgumentError } from 'commander'
import { addApprovals } from './commands/approvals.ts'
import { addCompletion } from './commands/completion.ts'
import { addDashboard } from './commands/dashboard.ts'
import { addDiagram } from './commands/diagram.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEval } from './commands/eval.ts'
import { addGoals } from './commands/goals.ts'
import { addHelp } from './commands/help.ts'
import { addImport } from './commands/import.ts'
import { addInit } from './commands/init.ts'
import { addInspect } from './commands/inspect.ts'
import { addLog } from './commands/log.ts'
import { addParse } from './commands/parse.ts'
import { addPause } from './commands/pause.ts'
import { addReplay } from './commands/replay.ts'
import { addRpc } from './commands/rpc.ts'
import { addSessions } from './commands/sessions.ts'
import { addStart } from './commands/start.ts'
import { addStatus } from './commands/status.ts'
import { addTasks } from './commands/tasks.ts'
import { addTick } from './commands/tick.ts'
import { addTrust } from './commands/trust.ts'
import { addUndo } from './commands/undo.ts'
import { addUsage } from './commands/usage.ts'
import { addWhy } from './commands/why.ts'
import { examples } from './examples.ts'
import type { CliParts } from './parts.ts'
import { type GlobalOptions, Shell } from './shell.ts'
import { throwWrongUse } from './wrong-use.ts'

/** Every command, in the order in which help lists them. */
const commands = [
  addInit,
  addTrust,
  addStart,
  addDashboard,
  addTick,
  addPause,
  addStatus,
  addWhy,
  addTasks,
  addGoals,
  addLog,
  addApprovals,
  addSessions,
  addUsage,
  addUndo,
  addImport,
  addReplay,
  addInspect,
  addDiagram,
  addDoctor,
  addEval,
  addParse,
  addRpc,
  addCompletion,
  addHelp,
]

/** An empty name is a variable that somebody forgot to set: it must not come to mean the current folder. */
const folderName = (name: string): string => {
  if (name.trim() !== '') return name
  throw new InvalidArgumentError('It is the name of a folder.')
}

/** The whole of the `undermind` command, ready to parse. */
export const undermind = (parts: CliParts): { program: Command; shell: Shell } => {
  const program = new Command('undermind')
  const shell = new Shell(parts, () => program.opts<GlobalOptions>())
  program
    .description(
      'The background mind: it watches your workspace, does the harmless part and asks before anything else.',
    )
    .version(parts.version, '-V, --version', 'print the version')
    .option('-w, --workspace <dir>', 'folder to work on (default: the nearest one around you)', folderName)
    .option('--json', 'print results for programs')
    .option('--no-color', 'print without colours')
    .helpOption('-h, --help', 'show how it is used')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => parts.io.out(text),
      writeErr: () => {}, // what is wrong is told once, by whoever catches it
      outputError: () => {},
      getOutHelpWidth: () => (Number.isFinite(shell.columns) ? shell.columns : 100),
      getOutHasColors: () => false,
    })
  examples(program, 'undermind init', 'undermind start', 'undermind approvals', 'undermind tick --json')
  for (const add of commands) add(program, shell)
  throwWrongUse(program)
  return { program, shell }
}
