import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import type { Row } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'
import { useHeldRows } from './held-rows.ts'
import { LogEntry } from './log-entry.tsx'

interface Props {
  rows: readonly Row[]
  /** The evaluation that is open from the beginning. */
  opened: string
  isLoading: boolean
  hasMore: boolean
  /** Called when the reader nears the last row. */
  onEnd(): void
}

const usualHeight = 57
/** Rows from the end at which more are asked for. */
const nearEnd = 40

/** A list of which only what can be seen is drawn, however long it is. */
export function LogList({ rows: all, opened, isLoading, hasMore, onEnd }: Props) {
  const { t } = useTexts()
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(opened === '' ? [] : [opened]))
  const { rows, held, release } = useHeldRows(all, top)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  // With another function every row would be measured anew.
  const keyAt = useCallback((index: number) => rows[index]?.id ?? index, [rows])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => usualHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: keyAt,
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasMore && !isLoading && last >= rows.length - nearEnd) onEnd()
  }, [hasMore, isLoading, last, rows.length, onEnd])
  useOpenedInView(rows, opened, virtual.scrollToIndex)
  const toggle = (id: string) => {
    const now = new Set(open)
    if (!now.delete(id)) now.add(id)
    setOpen(now)
  }
  return (
    <>
      {held > 0 && (
        <div className="sticky top-3 z-10 flex justify-center">
          <Button look="main" className="shadow-lg" onClick={release}>
            <ArrowUp aria-hidden className="size-4" />
            {t('activity.new', { n: held })}
          </Button>
        </div>
      )}
      <ul
        ref={list}
        aria-label={t('activity.log')}
        aria-busy={isLoading}
        className={rows.length === 0 ? '' : 'sheet relative overflow-hidden'}
        style={{ height: virtual.getTotalSize() + (rows.length === 0 ? 0 : 2) }}
      >
        {shown.map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <LogEntry row={row} isOpen={open.has(row.id)} onToggle={() => toggle(row.id)} />
            </li>
          )
        })}
      </ul>
      <p className="mt-3 text-center text-soft text-sm">
        {isLoading
          ? t('loading')
          : rows.length > 0 && t(hasMore ? 'activity.soFar' : 'activity.all', { n: rows.length })}
      </p>
    </>
  )
}

/** Brings the evaluation that was asked for into view, once. */
function useOpenedInView(rows: readonly Row[], opened: string, scrollTo: (index: number) => void): void {
  const done = useRef(opened === '')
  useEffect(() => {
    if (done.current) return
    const index = rows.findIndex(({ id }) => id === opened)
    if (index < 0) return
    done.current = true
    if (index > 3) scrollTo(index)
  }, [rows, opened, scrollTo])
}
