import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { examples } from '../examples.ts'
import { count } from '../numbers.ts'
import { printable } from '../printable.ts'
import { foldedLines } from '../row-lines.ts'
import type { Shell } from '../shell.ts'
import { duration } from '../times.ts'
import { type Tick, Ticks } from '../views.ts'
import { wrap } from '../wrap.ts'

interface Options {
  force?: boolean
  world: string
}

export const addTick = (program: Command, shell: Shell): void => {
  const command = program
    .command('tick')
    .description('look now: judge the due tasks against what has changed')
    .option('--force', 'even tasks whose inputs have not changed')
    .option('--world <id>', 'the world to look at, or all', 'memory')
  examples(command, 'undermind tick', 'undermind tick --force', 'undermind tick --json')
  shell.act(command, (options: Options) => tick(shell, options))
}

/** Ends of a tick after which what was asked for is done. A superseded one's work is done by the tick that took its place. */
const goodEnds = ['quiet', 'done', 'superseded']

const tick = async (shell: Shell, { force = false, world }: Options): Promise<number> => {
  const { ticks } = await shell.withDoor((door) =>
    shell.during('Looking…', ask(door, 'subconscious.trigger', { kind: world, force, wait: true }, Ticks)),
  )
  if (shell.json) shell.print(world === 'all' ? ticks : ticks[0])
  else for (const one of ticks) shell.say(...tickLines(one, shell))
  return ticks.every(({ state }) => goodEnds.includes(state)) ? 0 : 1
}

const states = [
  ['acted', 'acted'],
  ['awaitingApproval', 'waiting for approval'],
  ['skipped', 'skipped'],
  ['failed', 'failed'],
  ['inProgress', 'still going on'],
  ['cancelled', 'cancelled'],
  ['superseded', 'superseded'],
  ['dismissed', 'dismissed'],
] as const

const tickLines = (tick: Tick, shell: Shell): string[] => {
  const { evaluations } = tick
  const counts = states.flatMap(([state, words]) => {
    const amount = evaluations.filter((row) => row.state === state).length
    return amount === 0 ? [] : [`${amount} ${words}`]
  })
  const what = tick.state === 'quiet' ? 'nothing due has anything to judge' : counts.join(', ')
  const cost = [
    count(tick.modelCalls, 'model call'),
    ...(tick.callsAvoided > 0 ? [`${tick.callsAvoided} avoided`] : []),
    duration(tick.durationMs),
  ]
  const reason = tick.reason && !goodEnds.includes(tick.state) ? `: ${tick.reason}` : ''
  const summary = `Tick ${tick.state}${reason}${what === '' ? '' : `: ${what}`} (${cost.join(', ')}).`
  const waiting = evaluations.some(({ state }) => state === 'awaitingApproval')
  return [
    ...foldedLines(evaluations, shell, { whole: true }),
    ...wrap(printable(summary), shell.columns),
    ...(waiting ? [`${shell.command('approvals')} shows what waits for you.`] : []),
  ]
}
