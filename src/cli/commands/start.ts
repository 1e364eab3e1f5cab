import type { Command } from 'commander'
import { Fault, failureOf } from '../../domain/errors.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { type Fact, factLines } from '../fact-lines.ts'
import { grantTrust } from '../grant-trust.ts'
import { happeningLines, happeningObject } from '../happening-lines.ts'
import { type Happening, live } from '../live.ts'
import { count } from '../numbers.ts'
import type { Served } from '../parts.ts'
import type { Shell } from '../shell.ts'
import { modelText, statusObject } from '../status-lines.ts'
import { when } from '../times.ts'
import { trustQuestion } from '../trust-question.ts'
import { untilSignal } from '../until-signal.ts'
import { Status } from '../views.ts'

interface Options {
  example?: boolean
  yes?: boolean
  testClock?: boolean
}

export const addStart = (program: Command, shell: Shell): void => {
  const command = program
    .command('start')
    .description('run on a workspace until stopped, and show what happens')
    .option('--example', 'where no workspace is named: on a ready example, made if it is not there')
    .option('--yes', 'trust the workspace without asking')
    .option('--test-clock', 'let the time of UNDERMIND_CLOCK stand for now')
  examples(command, 'undermind start', 'undermind start --workspace ~/notes', 'undermind start --example')
  shell.act(command, (options: Options) => start(shell, options))
}

const start = async (shell: Shell, options: Options): Promise<void> => {
  const { parts, givenWorkspace } = shell
  shell.mayTestClock = options.testClock === true
  if (options.testClock && shell.testClock === undefined) {
    const sentence = 'There is no test clock. Set UNDERMIND_CLOCK to an ISO time, or leave out --test-clock.'
    throw Fault.use('cli/wrong-use', sentence, {})
  }
  const workspace = options.example && givenWorkspace === undefined ? await parts.exampleWorkspace() : shell.workspace
  await settleTrust(shell, workspace, options.yes === true)
  await untilSignal(parts, async (fail) => {
    const began = shell.now()
    const served = await parts.serve(workspace, shell.clockOption)
    try {
      const end = await show(shell, served, began, fail)
      return async () => {
        await end()
        await served.stop()
        if (shell.json) shell.printLine({ type: 'stopped' })
        else shell.say('Stopped. Nothing is lost: what was in hand goes on at the next start.')
      }
    } catch (error) {
      await served.stop()
      throw error
    }
  })
}

/** Asks about a workspace that is not trusted, where somebody can be asked; goes on either way. */
const settleTrust = async (shell: Shell, workspace: string, yes: boolean): Promise<void> => {
  const { trust, io } = shell.parts
  const state = await trust.state(workspace)
  if (state.trusted) return
  const answer = yes || (shell.isForPerson ? await io.confirm(trustQuestion(workspace, state)) : null)
  if (answer) return grantTrust(shell, workspace)
  shell.remark(
    `${workspace} is not trusted: it is read, and nothing is written to it. ${shell.command('trust', workspace)} says that it is yours.`,
  )
}

/** Says where it runs, then what happens; returns how to stop showing. */
const show = async (
  shell: Shell,
  served: Served,
  began: number,
  fail: (error: unknown) => void,
): Promise<() => Promise<void>> => {
  const status = await ask(served, 'subconscious.status', {}, Status)
  if (shell.json) shell.printLine({ type: 'started', ...statusObject(status) })
  else shell.say(...startLines(status, served.workspace, shell))
  const tell = (happening: Happening): void => {
    if (shell.json) shell.printLine(happeningObject(happening))
    else shell.say(...happeningLines(happening, shell, served.workspace))
    if (happening.type === 'store' && happening.state === 'lost') fail(lost(happening.reason))
  }
  const showing = await live(served, tell, fail)
  showing.catchUp(began)
  void showDashboard(shell, served)
  return () => showing.stop()
}

/** Its link stands on a line of its own, unbroken, so that it can be clicked. */
const showDashboard = async (shell: Shell, { dashboard }: Served): Promise<void> => {
  try {
    const open = await dashboard
    if (open === null) return
    const { url, note } = open
    const link = open.link()
    if (shell.json) shell.printLine({ type: 'dashboard', url, link, note })
    else shell.say(`${shell.paint('gray', 'Dashboard')}     ${link}`)
    if (note !== null && !shell.json) shell.remark(note)
  } catch (error) {
    const { code, message } = failureOf(error)
    if (shell.json) shell.printLine({ type: 'dashboardFailed', code, message })
    else shell.remark(`There is no dashboard: ${message} Everything else goes on.`)
  }
}

const lost = (reason: string | null): Fault =>
  new Fault(
    'cli/runtime-lost',
    `undermind had to stop: ${reason ?? 'its store is gone.'} What was saved is kept. Run undermind doctor, then start it again.`,
    { reason },
  )

const startLines = (status: Status, workspace: string, shell: Shell): string[] => {
  const now = shell.now()
  const next = status.instances.flatMap(({ nextTickAt }) => (nextTickAt ? [nextTickAt] : []))
  const facts: Fact[] = [
    { name: 'Workspace', text: workspace },
    { name: 'Trust', text: status.trusted ? 'trusted' : 'not trusted: nothing is written' },
    { name: 'Model', text: modelText(status) },
    {
      name: 'Tasks',
      text: `${count(status.taskCount, 'task')}, ${count(status.pendingEscalations, 'card')} waiting for you`,
    },
    ...(next.length > 0 ? [{ name: 'Next tick', text: when(Math.min(...next), now) }] : []),
    { name: 'Elsewhere', text: shell.command('status', workspace) },
    { name: 'Stop', text: 'Ctrl-C' },
  ]
  return [shell.paint('bold', `undermind ${shell.parts.version}`), ...factLines(facts, shell), '']
}
