import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { day } from '../../domain/clock.ts'
import type { Usage } from '../rpc/methods.ts'
import { useTexts } from '../texts/language.tsx'

const height = 200

/** What stands over a day. */
interface Bar {
  day: string
  calls: number
  avoided: number
}

/** Calls made and calls avoided, day by day. The table below says the same to whoever cannot see it. */
export function DayChart({ usage }: { usage: Usage }) {
  const { t, locale } = useTexts()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const days = daysOf(usage)
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
            size: 28,
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
        days.map(({ calls, avoided }) => calls + avoided || null),
        days.map(({ calls }) => calls || null),
      ],
      element,
    )
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      chart.destroy()
    }
  }, [usage, t, locale])
  return <div ref={place} role="img" aria-label={t('usage.chart')} className="sheet mb-4 overflow-hidden px-3 py-3" />
}

function dayAt(days: readonly Bar[], index: number, format: Intl.DateTimeFormat): string {
  const name = days[index]?.day
  return name === undefined ? '' : format.format(Date.parse(name))
}

/** Every day of the span, those without a call too. */
function daysOf({ from, to, rows }: Usage): Bar[] {
  const byDay = new Map(rows.map((row) => [row.key, row]))
  const days: Bar[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += day) {
    const name = new Date(at).toISOString().slice(0, 10)
    const row = byDay.get(name)
    days.push({ day: name, calls: row?.calls ?? 0, avoided: row?.calls_avoided ?? 0 })
  }
  return days
}
