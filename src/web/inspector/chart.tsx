import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { Asked } from '../parts/asked.tsx'
import type { Definition } from '../rpc/inspector-methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { useTexts } from '../texts/language.tsx'
import { safeSvg } from './safe-svg.ts'

interface Props {
  kind: string
  /** Paths of the states that are lit. */
  lit: readonly string[]
  /** Of those that were, the moment before. */
  from: readonly string[]
}

/** The chart of a kind of actor, drawn from its definition, with states lit. */
export function Chart({ kind, lit, from }: Props) {
  const call = useCall()
  const query = useQuery({
    queryKey: ['inspector', 'definition', kind],
    queryFn: () => call('inspector.definition', { kind }, { repeatable: true }),
  })
  return (
    <Asked query={query}>
      {(definition) =>
        definition.svg === null ? (
          <States definition={definition} lit={lit} />
        ) : (
          <Picture definition={definition} svg={definition.svg} lit={lit} from={from} />
        )
      }
    </Asked>
  )
}

interface PictureProps extends Omit<Props, 'kind'> {
  definition: Definition
  svg: string
}

function Picture({ definition, svg, lit, from }: PictureProps) {
  const { t } = useTexts()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const picture = safeSvg(svg)
    if (picture !== null) place.current?.replaceChildren(picture)
  }, [svg])
  useLayoutEffect(() => {
    const paths = new Map(definition.states.map(({ id, path }) => [id, path]))
    const moved = from.join() !== lit.join()
    for (const arrow of place.current?.querySelectorAll('[data-from]') ?? []) {
      const begins = paths.get(arrow.getAttribute('data-from') ?? '') ?? ''
      const ends = paths.get(arrow.getAttribute('data-to') ?? '') ?? ''
      arrow.classList.toggle('taken', moved && from.includes(begins) && lit.includes(ends))
    }
    for (const state of place.current?.querySelectorAll('[data-state]') ?? []) {
      const path = state.getAttribute('data-state') ?? ''
      state.classList.toggle('active', lit.includes(path))
      state.classList.toggle('left', from.includes(path) && !lit.includes(path))
    }
  })
  return (
    <div
      ref={place}
      role="region"
      aria-label={t('inspector.chart')}
      tabIndex={0}
      className="sheet max-h-[65dvh] overflow-auto p-2"
    />
  )
}

/** A chart without a picture, as the list of its states. */
function States({ definition: { states }, lit }: { definition: Definition; lit: readonly string[] }) {
  const { t } = useTexts()
  return (
    <ul aria-label={t('inspector.chart')} className="sheet flex flex-wrap gap-2 p-4 font-mono text-xs">
      {states
        .filter(({ parent }) => parent !== null)
        .map(({ path }) => (
          <li
            key={path}
            data-state={path}
            className={`rounded-lg border px-2.5 py-1 ${
              lit.includes(path) ? 'active border-green bg-wash font-semibold' : 'border-line'
            }`}
          >
            {path}
          </li>
        ))}
    </ul>
  )
}
