import type { Command } from 'commander'
import { z } from 'zod'
import { Fault } from '../../domain/errors.ts'
import type { Door } from '../../rpc/door.ts'
import type { StepView } from '../../rpc/inspector.ts'
import { type TreeActor, treeLines } from '../actor-tree.ts'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { nothingRuns } from '../nothing-runs.ts'
import { printableLine } from '../printable.ts'
import { Screen } from '../screen.ts'
import type { Shell } from '../shell.ts'
import { clockTime } from '../times.ts'
import { untilSignal } from '../until-signal.ts'

interface Options {
  actor?: string
  stately?: boolean
  yes?: boolean
}

const Actors = z.object({
  actors: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      parent: z.string().nullable(),
      state: z.string(),
      title: z.string().nullable(),
    }),
  ),
})

/** In the order of the tree; each is asked for by itself, so that many of one leave room for the others. */
const kinds = ['heartbeat', 'instance', 'session', 'tick', 'evaluation', 'agentRun', 'toolCall']
const mostOfKind = 100

export const addInspect = (program: Command, shell: Shell): void => {
  const command = program
    .command('inspect')
    .description('watch the actors and their states; a line for each step where nobody watches')
    .option('--actor <id>', 'only the steps of this one')
    .option('--stately', "send states and the names of events to Stately's inspector on the internet, and look there")
    .option('--yes', 'with --stately: without asking')
  examples(command, 'undermind inspect', 'undermind inspect --json', 'undermind inspect --actor heartbeat')
  shell.act(command, (options: Options) =>
    shell.withDoor(async (door) => {
      if (options.stately) return withStately(shell, door, options)
      if (door.daemon) return follow(shell, door, options)
      if (options.actor !== undefined) throw nothingRuns(shell, 'yet', 'there is nothing to follow')
      const actors = await actorsOf(door)
      if (shell.json) return shell.print(actors)
      shell.say(...treeLines(actors, shell))
      shell.remark(`Nothing runs here just now: these are at rest. ${shell.command('start')} sets them going.`)
    }),
  )
}

const actorsOf = async (door: Door): Promise<TreeActor[]> => {
  const pages = kinds.map((kind) => ask(door, 'inspector.actors', { kind, limit: mostOfKind }, Actors))
  return (await Promise.all(pages)).flatMap(({ actors }) => actors)
}

const follow = async (shell: Shell, door: Door, { actor }: Options): Promise<void> => {
  const query = actor === undefined ? {} : { actor }
  await untilSignal(shell.parts, async (fail) => {
    const screen = shell.isForPerson && actor === undefined ? new Screen(shell.parts.io) : null
    const tree = screen && refreshed(async () => screen.show(treeLines(await actorsOf(door), shell)), fail)
    const { stop } = await door.watch(query, (step) => {
      if (tree) tree()
      else if (shell.json) shell.printLine(step)
      else shell.say(stepLine(step, shell))
    })
    const stopNews = await door.subscribe((news) => {
      if (news.type === 'store' && news.state === 'lost')
        fail(nothingRuns(shell, 'any more', 'there is nothing to follow'))
    })
    tree?.()
    return async () => {
      stopNews()
      stop()
      screen?.leave()
    }
  })
}

/** Does something again whenever it is asked for, never twice at once: what is asked for meanwhile is done once after. */
const refreshed = (refresh: () => Promise<void>, fail: (error: unknown) => void): (() => void) => {
  let isRunning = false
  let isStale = false
  const run = async (): Promise<void> => {
    isRunning = true
    do {
      isStale = false
      await refresh()
    } while (isStale)
    isRunning = false
  }
  return () => {
    isStale = true
    if (!isRunning) run().catch(fail)
  }
}

const stepLine = ({ at, kind, actor, from, to, event }: StepView, { paint }: Shell): string => {
  const way = from === null ? to : `${from} → ${to}`
  return `${paint('gray', clockTime(at))} ${kind ?? ''} ${printableLine(actor)} ${paint('green', printableLine(way))} ${paint('gray', printableLine(event))}`
}

const warning =
  "This sends the ids and states of your actors and the names of their events to Stately's inspector, a service on the internet (stately.ai), as long as it runs. Tasks have their ids in those of their evaluations. Nothing else is sent, and nothing without this option."

const withStately = async (shell: Shell, door: Door, { yes }: Options): Promise<void> => {
  if (!door.daemon) throw nothingRuns(shell, 'yet', 'there is nothing to send')
  shell.remark(warning)
  const answer = yes ? true : shell.json ? null : await shell.parts.io.confirm('Send it?')
  if (answer === null) {
    throw Fault.use('cli/nobody-to-ask', 'Nobody can be asked here whether it may be sent. Give --yes to say so.', {})
  }
  if (!answer) return shell.tell('Nothing was sent.')
  const stately = shell.parts.stately()
  await untilSignal(shell.parts, async () => {
    for (const actor of await actorsOf(door)) stately.actor(actor)
    const { stop } = await door.watch({}, ({ actor, kind, sender, event, to }) => {
      if (event === 'xstate.init') stately.actor({ id: actor, kind: kind ?? '', parent: sender, state: to })
      else stately.step({ actor, sender, event, to })
    })
    return async () => {
      stop()
      stately.stop()
    }
  })
}
