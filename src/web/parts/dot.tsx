import type { RowState } from '../rpc/methods.ts'

const colours: Record<RowState, string> = {
  inProgress: 'bg-blue animate-breathe',
  acted: 'bg-green',
  skipped: 'bg-grey',
  awaitingApproval: 'bg-amber',
  failed: 'bg-coral',
  cancelled: 'bg-grey',
  superseded: 'bg-grey',
  dismissed: 'bg-grey',
}

/** The colour of a state. What it is stands beside it in words. */
export const Dot = ({ state, className = '' }: { state: RowState; className?: string }) => (
  <span
    aria-hidden
    data-state={state}
    className={`inline-block size-2.5 shrink-0 rounded-full ${colours[state]} ${className}`}
  />
)
