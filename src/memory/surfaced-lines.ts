import type { ReportTask, Surfaced } from '../domain/report.ts'
import { cutText, oneLine } from './cut.ts'
import { withoutFences } from './fence.ts'
import { type ListSection, listSection } from './list-section.ts'
import { localMinute } from './local-time.ts'
import { maskSecrets } from './secrets.ts'
import { grainsPerToken } from './tokens.ts'

const longest = 200 * grainsPerToken
const shortest = 40 * grainsPerToken
/** No entry weighs less: its time alone has twelve digits. */
const lightest = 20 * grainsPerToken
// Secrets are looked for somewhat further than is shown, so that none is cut in two and overlooked.
const looked = 3000
const shown = 2000
const frame = 60 * grainsPerToken

const words = { awaitingApproval: 'waiting for approval', acted: 'told', dismissed: 'skipped by the user' } as const

/**
 * What was already surfaced, what concerns the tasks at hand first, then what still waits, then the newest. Where there
 * is little room every entry gets shorter before any is left out: a model that is not told of one tells it again.
 */
export function surfacedSection(
  surfaced: readonly Surfaced[],
  tasks: readonly ReportTask[],
  timezone: string,
  room: number,
): ListSection {
  const atHand = new Set(tasks.map(({ id }) => id))
  const rank = ({ task, state }: Surfaced): number =>
    (atHand.has(task) ? 0 : 2) + (state === 'awaitingApproval' ? 0 : 1)
  const sorted = [...surfaced].sort((a, b) => rank(a) - rank(b) || b.at - a.at)
  const each = Math.max(shortest, Math.min(longest, Math.floor((room - frame) / Math.max(1, sorted.length))))
  const lines = sorted.slice(0, Math.ceil(room / lightest)).map(({ task, state, text, at }) => {
    const when = localMinute(at, timezone) ?? 'earlier'
    return cutText(
      withoutFences(`- ${task}, ${words[state]}, ${when}: ${oneLine(maskSecrets(text.slice(0, looked)), shown)}`),
      each,
    )
  })
  const heading = '## Already told to the user, not to be repeated'
  return listSection({ heading, fenced: true, lines, noun: 'of these' }, sorted.length)
}
