import { answerCommands } from './answer-commands.ts'
import { cardGist } from './card-lines.ts'
import type { Happening } from './live.ts'
import { printable, printableLine } from './printable.ts'
import { rowLines, skippedLine } from './row-lines.ts'
import type { Shell } from './shell.ts'
import { clockTime } from './times.ts'
import type { Card } from './views.ts'
import { wrapBehind } from './wrap.ts'

/** What has happened, for a person. A tick that came to a good end says nothing: its evaluations have. */
export const happeningLines = (happening: Happening, shell: Shell, workspace: string): string[] => {
  const { paint, columns } = shell
  const time = clockTime(shell.now())
  const line = (text: string): string[] =>
    wrapBehind('  ', printable(text), columns).map((one, i) => (i ? one : one.trimStart()))
  switch (happening.type) {
    case 'evaluation': {
      const { row, card } = happening
      return [...rowLines(row, shell), ...(card === null ? [] : cardWithAnswers(card, shell, workspace))]
    }
    case 'skipped':
      return [skippedLine(happening.rows, shell)]
    case 'tick':
      return ['failed', 'timedOut', 'cancelled'].includes(happening.state)
        ? line(`Tick ${happening.state} at ${time}. ${shell.command('doctor', workspace)} looks for the reason.`).map(
            (one, index) => (index === 0 ? `${paint('redBright', '●')} ${one}` : one),
          )
        : []
    case 'taskPaused':
      return line(`${time} “${printableLine(happening.title)}” is paused: ${happening.why}`).map((one, index) =>
        index === 0 ? `${paint('redBright', '●')} ${one}` : one,
      )
    case 'notification':
      return line(`${time} ${printableLine(happening.title)}: ${happening.body}`).map((one, index) =>
        index === 0 ? `${paint('blue', '○')} ${one}` : one,
      )
    case 'store':
      return storeText(happening).flatMap(line)
    default:
      return happening satisfies never
  }
}

const storeText = ({ state, reason }: Extract<Happening, { type: 'store' }>): string[] => {
  switch (state) {
    case 'stalled':
      return [
        `Nothing can be saved just now: ${reason ?? 'the disk does not say why'} It goes on by itself once that is put right.`,
      ]
    case 'flowing':
      return ['It can save again, and goes on.']
    case 'lost':
      return []
    default:
      return state satisfies never
  }
}

const cardWithAnswers = (card: Card, shell: Shell, workspace: string): string[] => [
  ...cardGist(card, shell).map((one) => `  ${one}`),
  ...answerCommands(card, shell, workspace).map((one) => `    ${shell.paint('yellow', '›')} ${one}`),
]

/** What has happened, for a program. */
export const happeningObject = (happening: Happening): object =>
  happening.type === 'evaluation' ? { type: 'evaluation', ...happening.row, card: happening.card } : happening
