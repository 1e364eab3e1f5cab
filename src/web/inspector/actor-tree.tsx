import { hrefOf } from '../parts/place.ts'
import type { Actor } from '../rpc/inspector-methods.ts'
import { Line } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'
import { type Branch, branchesOf } from './branches.ts'

/** Who hangs under whom, with what each is doing. */
export function ActorTree({ actors, open }: { actors: readonly Actor[]; open: string }) {
  const { t } = useTexts()
  return (
    <nav aria-labelledby="actors">
      <h2 id="actors" className="mb-2 font-medium text-sm">
        {t('inspector.tree')}
      </h2>
      <div className="sheet max-h-[50dvh] overflow-y-auto p-2">
        <Branches branches={branchesOf(actors)} open={open} />
      </div>
    </nav>
  )
}

const Branches = ({ branches, open }: { branches: readonly Branch[]; open: string }) => (
  <ul>
    {branches.map(({ actor, branches: below }) => (
      <li key={actor.id}>
        <a
          href={hrefOf('inspector', actor.id)}
          aria-current={actor.id === open ? 'true' : undefined}
          className={`block rounded-lg px-2.5 py-1.5 ${actor.id === open ? 'bg-wash' : 'hover:bg-sunk'}`}
        >
          <span className="flex items-center gap-2">
            <span aria-hidden className={`size-2 shrink-0 rounded-full ${actor.settled ? 'bg-grey' : 'bg-green'}`} />
            <Line className="min-w-0 text-sm">{actor.title ?? actor.id}</Line>
          </span>
          <Line className="pl-4 text-soft text-xs">{`${actor.state} · ${actor.kind}`}</Line>
        </a>
        {below.length > 0 && (
          <div className="ml-3.5 border-line border-l pl-1.5">
            <Branches branches={below} open={open} />
          </div>
        )}
      </li>
    ))}
  </ul>
)
