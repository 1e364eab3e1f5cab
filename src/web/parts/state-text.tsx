import type { Row } from '../rpc/methods.ts'
import { Line, Prose } from '../text/prose.tsx'
import { type TextKey, type Texts, useTexts } from '../texts/language.tsx'

const phases = {
  judging: 'phase.judging',
  executing: 'phase.executing',
  analysing: 'phase.analysing',
  carryingOut: 'phase.carryingOut',
} as const

/** Reasons that are the runtime's own, and so have words in every language. */
const knownReasons = new Map<string, TextKey>([
  ['', 'state.dismissed'],
  ['Skipped', 'state.dismissed'],
  ['Expired unanswered', 'dismissed.expired'],
  ['Withdrawn', 'dismissed.withdrawn'],
])

/** What the activity log says of an evaluation. */
export function stateText(row: Row, t: Texts['t']): string {
  switch (row.state) {
    case 'inProgress':
      return t(phases[row.phase ?? 'judging'])
    case 'acted':
      return row.text || row.reason || t('state.acted')
    case 'skipped':
      return t('state.skipped')
    case 'awaitingApproval':
      return t('state.awaitingApproval')
    case 'failed':
      return row.failure?.message || row.text || row.reason || t('state.failed')
    case 'cancelled':
      return t('state.cancelled')
    case 'superseded':
      return t('state.superseded')
    case 'dismissed': {
      const known = knownReasons.get(row.reason ?? '')
      return known === undefined ? (row.reason ?? '') : t(known)
    }
    default:
      return row.state satisfies never
  }
}

const colour = (row: Row): string => {
  if (row.state === 'failed') return 'text-coral-ink'
  return row.state === 'acted' ? '' : 'text-soft'
}

/** The words, at length or in one line. */
export function StateText({ row, most }: { row: Row; most?: number }) {
  const { t } = useTexts()
  const text = stateText(row, t)
  return most === undefined ? (
    <Line className={colour(row)}>{text}</Line>
  ) : (
    <Prose className={colour(row)} most={most}>
      {text}
    </Prose>
  )
}
