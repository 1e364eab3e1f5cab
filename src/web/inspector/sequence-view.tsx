import { useQuery } from '@tanstack/react-query'
import { Asked } from '../parts/asked.tsx'
import { Scroller } from '../parts/scroller.tsx'
import type { Message } from '../rpc/inspector-methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { visible } from '../text/visible.ts'
import { useTexts } from '../texts/language.tsx'
import { fullTime } from '../texts/times.ts'
import { type Arrow, sequenceOf } from './sequence.ts'

const mostMessages = 60
const lane = 168
const row = 40
const head = 36

/** Who told whom what, as lines between lanes, oldest first. */
export function SequenceView({ actor }: { actor: string }) {
  const { t } = useTexts()
  const call = useCall()
  const query = useQuery({
    queryKey: ['inspector', 'actor', actor, 'messages'],
    queryFn: () => call('inspector.messages', { actor, limit: mostMessages }, { repeatable: true }),
  })
  return (
    <section aria-labelledby="messages">
      <h3 id="messages" className="mb-2 font-medium">
        {t('inspector.messages')}
      </h3>
      <Asked query={query}>
        {({ messages }) =>
          messages.length === 0 ? (
            <p className="text-soft text-sm">{t('inspector.noMessages')}</p>
          ) : (
            <Sequence messages={messages} />
          )
        }
      </Asked>
    </section>
  )
}

function Sequence({ messages }: { messages: readonly Message[] }) {
  const { t, locale } = useTexts()
  const { lanes, arrows } = sequenceOf(messages)
  const width = lanes.length * lane
  const height = head + arrows.length * row + 12
  return (
    <>
      <ol className="sr-only">
        {arrows.map(({ seq, from, to, label, at }) => (
          <li key={seq}>
            {t('inspector.message', {
              from: lanes[from] ?? '',
              to: lanes[to] ?? '',
              event: label,
              time: fullTime(at, locale),
            })}
          </li>
        ))}
      </ol>
      <Scroller label={t('inspector.messages')} className="p-3">
        <svg aria-hidden="true" width={width} height={height} className="text-xs">
          <defs>
            <marker id="told" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0,0.5 L8,4 L0,7.5 z" className="fill-soft" />
            </marker>
          </defs>
          {lanes.map((name, index) => (
            <g key={name}>
              <line x1={middle(index)} x2={middle(index)} y1={head - 8} y2={height} className="stroke-line" />
              <text x={middle(index)} y={16} textAnchor="middle" className="fill-ink font-medium">
                {shortened(name)}
              </text>
            </g>
          ))}
          {arrows.map((arrow, index) => (
            <ArrowLine key={arrow.seq} arrow={arrow} y={head + index * row + 24} />
          ))}
        </svg>
      </Scroller>
    </>
  )
}

function ArrowLine({ arrow: { from, to, label }, y }: { arrow: Arrow; y: number }) {
  const isOwn = from === to
  const x = middle(from)
  const path = isOwn ? `M${x},${y - 8} h28 v12 h-26` : `M${x},${y} H${middle(to) + (to > from ? -2 : 2)}`
  return (
    <g>
      <path d={path} className="fill-none stroke-soft" markerEnd="url(#told)" />
      <text
        x={isOwn ? x + 34 : (x + middle(to)) / 2}
        y={isOwn ? y : y - 6}
        textAnchor={isOwn ? 'start' : 'middle'}
        className="fill-soft font-mono"
      >
        {shortened(label)}
      </text>
    </g>
  )
}

const middle = (index: number): number => index * lane + lane / 2

const shortened = (text: string): string => {
  const shown = visible(text)
  return shown.length > 22 ? `${shown.slice(0, 10)}…${shown.slice(-10)}` : shown
}
