import { moneyText } from '../domain/money.ts'
import { type Fact, factLines } from './fact-lines.ts'
import { count } from './numbers.ts'
import type { Page } from './page.ts'
import { printable, printableLine } from './printable.ts'
import { duration } from './times.ts'
import type { Rejudged } from './views.ts'
import { padTo } from './width.ts'
import { wrap } from './wrap.ts'

const nameWidth = 9
const gap = '  '
const narrowest = 20
/** Of a column where nothing says how wide a line may be. */
const usualWidth = 50

/** What was decided and what the other model decides, side by side, then what both saw and what it took. */
export const rejudgedLines = (rejudged: Rejudged, page: Page): string[] => [
  ...wrap(printableLine(rejudged.title), page.columns).map((line) => page.paint('bold', line)),
  ...sideBySide(pairsOf(rejudged), page),
  '',
  ...factLines(factsOf(rejudged), page),
]

interface Pair {
  name: string
  recorded: string
  rejudged: string
}

function pairsOf({ recorded, rejudged }: Rejudged): Pair[] {
  const { analysis } = rejudged
  const looked = analysis === null ? '' : [analysis.title, analysis.text].filter((part) => part !== null).join('\n')
  const pairs = [
    { name: 'Judge', recorded: judgeText(recorded), rejudged: judgeText(rejudged) },
    { name: 'Decision', recorded: recorded.decision ?? 'none', rejudged: rejudged.decision ?? 'none' },
    { name: 'Reason', recorded: whyText(recorded), rejudged: whyText(rejudged) },
    { name: 'Text', recorded: recorded.text ?? '', rejudged: rejudged.text ?? '' },
    { name: 'Found in', recorded: placesText(recorded.sources), rejudged: placesText(rejudged.sources) },
    { name: 'Deeper', recorded: recorded.card ?? '', rejudged: looked },
    { name: 'Became', recorded: recorded.state, rejudged: '' },
  ]
  return pairs.filter((pair) => pair.recorded !== '' || pair.rejudged !== '')
}

const judgeText = ({ provider, model }: { provider: string | null; model: string | null }): string =>
  provider === null || model === null ? 'no longer known' : provider === model ? model : `${model} (${provider})`

const whyText = ({ reason, failure }: Pick<Rejudged['recorded'], 'reason' | 'failure'>): string =>
  failure?.message ?? reason ?? ''

const placesText = (sources: Rejudged['recorded']['sources']): string =>
  [...new Set(sources.map(({ key }) => key))].join(', ')

function sideBySide(pairs: readonly Pair[], { paint, columns }: Page): string[] {
  const room = Math.floor((columns - nameWidth - 2 * gap.length) / 2)
  const width = Number.isFinite(room) ? Math.max(narrowest, room) : usualWidth
  const inCell = (text: string): string[] =>
    printable(text)
      .split('\n')
      .flatMap((line) => wrap(line, width))
  const lines = (name: string, cells: readonly string[][]): string[] => {
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, at) => {
      const [left = '', right = ''] = cells.map((cell) => cell[at] ?? '')
      return [paint('gray', padTo(at === 0 ? name : '', nameWidth)), padTo(left, width), right].join(gap).trimEnd()
    })
  }
  return [
    ...lines('', [['then'], ['now']]).map((line) => paint('gray', line)),
    ...pairs.flatMap(({ name, recorded, rejudged }) => lines(name, [inCell(recorded), inCell(rejudged)])),
  ]
}

function factsOf({ changes, used }: Rejudged): Fact[] {
  const { shown, missing, left } = changes
  const tokens = used.promptTokens + used.completionTokens
  const money = used.cost === null ? '' : `${moneyText(used.cost)}, `
  return [
    { name: 'Judged on', text: count(shown, 'change') },
    ...(missing === 0
      ? []
      : [
          {
            name: 'Gone',
            text: `Of the changes of then, ${missing} ${missing === 1 ? 'is' : 'are'} no longer kept.`,
            isTrouble: true,
          },
        ]),
    ...(left === 0 ? [] : [{ name: 'No room', text: `${count(left, 'change')} did not fit.`, isTrouble: true }]),
    {
      name: 'Used',
      text:
        used.calls === 0
          ? 'no model call'
          : `${count(used.calls, 'call')}, ${tokens} tokens, ${money}${duration(used.durationMs)}`,
    },
  ]
}
