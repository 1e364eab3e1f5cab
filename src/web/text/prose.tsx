import { useState } from 'react'
import { placed } from '../parts/placed.ts'
import { useTexts } from '../texts/language.tsx'
import { piecesOf } from './links.ts'
import { visible } from './visible.ts'

/** More characters than this are folded. */
const usualLength = 600

interface Props {
  children: string
  className?: string
  /** Characters that are shown at first. */
  most?: number
}

/** Text that anybody may have written. It is text whatever stands in it; addresses can be opened and show their host. */
export function Prose({ children, className = '', most = usualLength }: Props) {
  const [whole, setWhole] = useState(false)
  const { t } = useTexts()
  const isLong = children.length > most + 100
  const shown = visible(isLong && !whole ? cut(children, most) : children)
  return (
    <span className={`strange ${className}`}>
      {placed(piecesOf(shown)).map(({ key, item: { text, link } }) =>
        link === undefined ? text : <Link key={key} text={text} {...link} />,
      )}
      {isLong && (
        <>
          {!whole && '… '}
          <button
            type="button"
            className="ml-1 text-accent underline underline-offset-2"
            aria-expanded={whole}
            onClick={() => setWhole(!whole)}
          >
            {whole ? t('text.less') : t('text.more', { n: children.length })}
          </button>
        </>
      )}
    </span>
  )
}

/** The same in one line, cut off where there is no more room. */
export const Line = ({ children, className = '' }: { children: string; className?: string }) => (
  <span className={`block truncate [unicode-bidi:isolate] ${className}`}>
    {visible(cut(children, 400)).replace(/\s*\n\s*/g, ' ⏎ ')}
  </span>
)

const Link = ({ text, href, host }: { text: string; href: string; host: string }) => (
  <>
    <a className="text-accent underline underline-offset-2" href={href} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
    <span className="text-soft"> ({host})</span>
  </>
)

/** Never in the middle of a character. */
const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
