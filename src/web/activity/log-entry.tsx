import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { Dot } from '../parts/dot.tsx'
import { StateText } from '../parts/state-text.tsx'
import { Time } from '../parts/time.tsx'
import type { Row } from '../rpc/methods.ts'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { WhyPanel } from './why-panel.tsx'

interface Props {
  row: Row
  isOpen: boolean
  onToggle(): void
}

/** An evaluation in one line; opened, with everything that led to it. */
export const LogEntry = memo(
  function LogEntry({ row, isOpen, onToggle }: Props) {
    const { t } = useTexts()
    return (
      <div className={isOpen ? 'bg-sheet' : ''}>
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunk focus-visible:-outline-offset-2"
          onClick={onToggle}
        >
          <Dot state={row.state} />
          <span className="sr-only">{t(`stateName.${row.state}`)}: </span>
          <span className="min-w-0 flex-1">
            <Line className="font-medium text-sm">{row.title}</Line>
            <span className="text-sm">
              <StateText row={row} />
            </span>
          </span>
          <span className="shrink-0 text-soft text-xs">
            <Time at={row.created_at} as="clock" />
          </span>
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-soft transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
        </button>
        {isOpen && <WhyPanel row={row} />}
      </div>
    )
  },
  (before, now) => before.row === now.row && before.isOpen === now.isOpen,
)
