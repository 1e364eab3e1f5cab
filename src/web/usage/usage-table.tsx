import { moneyText } from '../../domain/money.ts'
import { Scroller } from '../parts/scroller.tsx'
import type { Usage, UsageRow } from '../rpc/methods.ts'
import { Prose } from '../text/prose.tsx'
import { type TextKey, useTexts } from '../texts/language.tsx'

type Sums = Usage['total']

const columns: readonly TextKey[] = [
  'usage.column.calls',
  'usage.column.local',
  'usage.column.cloud',
  'usage.column.failed',
  'usage.column.tokens',
  'usage.column.money',
]

export function UsageTable({ usage: { rows, total, by, from, to, more } }: { usage: Usage }) {
  const { t } = useTexts()
  return (
    <Scroller label={t('usage.table', { from, to })}>
      <table className="w-full min-w-140 text-sm">
        <caption className="sr-only">{t('usage.table', { from, to })}</caption>
        <thead>
          <tr className="border-line border-b text-soft text-xs">
            <th scope="col" className="px-5 py-2.5 text-left font-normal">
              {t(`usage.by.${by}`)}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-2.5 text-right font-normal last:pr-5">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-line border-b last:border-b-0">
              <th scope="row" className="max-w-80 px-5 py-2 text-left font-normal">
                <Prose most={80}>{nameOf(row, t('usage.none'))}</Prose>
              </th>
              <Cells sums={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-line border-t font-medium">
            <th scope="row" className="px-5 py-2.5 text-left">
              {t('usage.total')}
            </th>
            <Cells sums={total} />
          </tr>
        </tfoot>
      </table>
      {more > 0 && <p className="px-5 pb-3 text-soft text-sm">{t('usage.more', { n: more })}</p>}
    </Scroller>
  )
}

const nameOf = ({ title, key }: UsageRow, none: string): string => title ?? (key === '' ? none : key)

function Cells({ sums }: { sums: UsageRow | Sums }) {
  const { t } = useTexts()
  const numbers = [
    sums.calls,
    sums.local_calls,
    sums.cloud_calls,
    sums.failed_calls,
    sums.prompt_tokens + sums.completion_tokens,
  ]
  return (
    <>
      {numbers.map((count, index) => (
        <td key={columns[index]} className="px-3 py-2 text-right tabular-nums">
          {t('number', { count })}
        </td>
      ))}
      <td className="py-2 pr-5 pl-3 text-right tabular-nums">{sums.cost === null ? '–' : moneyText(sums.cost)}</td>
    </>
  )
}
