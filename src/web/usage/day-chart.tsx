import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { UsageRow } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'

const height = 200

/** Calls made and calls avoided, day by day. The table below says the same to whoever cannot see it. */
export function DayChart({ rows }: { rows: readonly UsageRow[] }) {
  const { t, locale } = useTexts()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const days = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const look = getComputedStyle(document.documentElement)
    const colour = (name: string) => look.getPropertyValue(name).trim()
    const shortDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
    const bars = uPlot.paths.bars?.({ size: [0.5, 40] })
    const series = (label: string, name: string) => ({
      label,
      fill: colour(name),
      stroke: colour(name),
      points: { show: false },
      ...(bars !== undefined && { paths: bars }),
    })
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, Math.max(days.length, 5) - 0.4] },
          y: { range: (_, _low, high) => [0, Math.max(high, 4)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            incrs: [1, 2, 5, 10, 20],
            values: (_, places) => places.map((one) => dayAt(days, one, shortDay)),
          },
          { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000] },
        ],
        legend: { live: false },
        series: [
          { label: t('usage.by.day') },
          series(t('usage.callsAvoided'), '--line'),
          series(t('usage.column.calls'), '--accent'),
        ],
      },
      [
        days.map((_, index) => index),
        days.map(({ calls, calls_avoided: avoided }) => calls + (avoided ?? 0)),
        days.map(({ calls }) => calls),
      ],
      element,
    )
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      chart.destroy()
    }
  }, [rows, t, locale])
  return <div ref={place} role="img" aria-label={t('usage.chart')} className="sheet mb-4 overflow-hidden px-3 py-3" />
}

function dayAt(days: readonly UsageRow[], index: number, format: Intl.DateTimeFormat): string {
  const day = days[index]?.key
  return day === undefined ? '' : format.format(Date.parse(day))
}
