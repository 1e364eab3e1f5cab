import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Scroller } from '../parts/scroller.tsx'
import type { Definition } from '../rpc/inspector-methods.ts'
import { useTexts } from '../texts/language.tsx'
import { safeSvg } from './safe-svg.ts'

interface Props {
  definition: Definition
  svg: string
  lit: readonly string[]
  from: readonly string[]
}

/** How large the picture is drawn while it is looked at closely. */
const near = 0.8

/** A chart's picture with the states lit, the arrow that led there, and what is lit kept in view. */
export function Picture({ definition, svg, lit, from }: Props) {
  const { t } = useTexts()
  const frame = useRef<HTMLElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const [isWhole, setWhole] = useState(false)
  const shown = lit.join(' ')

  useLayoutEffect(() => {
    const picture = safeSvg(svg)
    if (picture !== null) place.current?.replaceChildren(picture)
  }, [svg])
  useLayoutEffect(() => {
    const picture = place.current?.querySelector('svg')
    const { width = 0, height = 0 } = picture?.viewBox.baseVal ?? {}
    picture?.setAttribute('width', isWhole ? '100%' : String(width * near))
    if (isWhole) picture?.removeAttribute('height')
    else picture?.setAttribute('height', String(height * near))
  }, [isWhole])
  useLayoutEffect(() => {
    if (place.current !== null) light(place.current, definition, shown.split(' '), from)
  })
  useLayoutEffect(() => {
    const deepest = shown.split(' ').at(-1) ?? ''
    const state = place.current?.querySelector(`[data-state=${JSON.stringify(deepest)}] > .box`)
    if (!isWhole && state != null && frame.current !== null) center(frame.current, state)
  }, [shown, isWhole])

  return (
    <div>
      <Scroller ref={frame} label={t('inspector.chart')} className={`p-2 ${isWhole ? '' : 'h-[26rem] resize-y'}`}>
        <div ref={place} />
      </Scroller>
      <div className="mt-2 flex justify-end">
        <Button look="bare" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'inspector.near' : 'inspector.whole')}
        </Button>
      </div>
    </div>
  )
}

function light(place: Element, { states }: Definition, lit: readonly string[], from: readonly string[]): void {
  const paths = new Map(states.map(({ id, path }) => [id, path]))
  const hasMoved = from.join(' ') !== lit.join(' ')
  for (const arrow of place.querySelectorAll('[data-from]')) {
    const begins = paths.get(arrow.getAttribute('data-from') ?? '') ?? ''
    const ends = paths.get(arrow.getAttribute('data-to') ?? '') ?? ''
    arrow.classList.toggle('taken', hasMoved && from.includes(begins) && lit.includes(ends))
  }
  for (const state of place.querySelectorAll('[data-state]')) {
    const path = state.getAttribute('data-state') ?? ''
    state.classList.toggle('active', lit.includes(path))
    state.classList.toggle('left', from.includes(path) && !lit.includes(path))
  }
}

/** Only within its frame: the page itself stays where the reader left it. */
function center(frame: Element, state: Element): void {
  const inside = state.getBoundingClientRect()
  const outside = frame.getBoundingClientRect()
  frame.scrollBy({
    left: inside.left + inside.width / 2 - outside.left - outside.width / 2,
    top: inside.top + inside.height / 2 - outside.top - outside.height / 2,
  })
}
