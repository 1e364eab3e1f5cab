import { useQuery } from '@tanstack/react-query'
import { Asked } from '../parts/asked.tsx'
import type { Definition } from '../rpc/inspector-methods.ts'
import { useCall } from '../rpc/rpc-context.tsx'
import { useTexts } from '../texts/language.tsx'
import { Picture } from './picture.tsx'

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
