import type { Change } from '../../domain/change.ts'
import type { Surfaced } from '../../domain/report.ts'
import { quoted } from './answer.ts'
import { quoteOf, withoutMark } from './quote.ts'
import type { Line } from './reading.ts'

/** A shorter line stands in prose by chance, unless it stands there in quotation marks. */
const shortestRecognised = 20
const inOwnForm = /^".*"(?: …)? — .+$/

/**
 * Whether the user has been told of a line: in the built-in model's own form the place must be the same too, in the
 * words of others (a language model's result, a card) the line must stand there whole.
 */
export function toldBefore(surfaced: readonly Surfaced[]): (change: Change, line: Line) => boolean {
  const own = new Set<string>()
  const others: string[] = []
  for (const text of surfaced.flatMap((one) => one.text.split('\n'))) {
    if (inOwnForm.test(text)) own.add(text)
    else others.push(text)
  }
  const prose = others.join('\n')
  const known = new WeakMap<Line, boolean>()
  return (change, line) => {
    const before = known.get(line)
    if (before !== undefined) return before
    const quote = quoteOf(withoutMark(line.text)).text
    const inProse = quote.length < shortestRecognised ? `"${quote}"` : quote
    const told = own.has(quoted(line, change.key)) || prose.includes(inProse)
    known.set(line, told)
    return told
  }
}
