import { useEffect, useRef, useSyncExternalStore } from 'react'

export const pageNames = ['start', 'tasks', 'worlds', 'activity', 'sessions', 'usage', 'inspector', 'settings'] as const
export type PageName = (typeof pageNames)[number]

export interface Place {
  page: PageName
  /** What stands behind the page's name: `#/inspector/ev_1` opens the inspector at `ev_1`. */
  rest: string
}

export const hrefOf = (page: PageName, rest = ''): string =>
  rest === '' ? `#/${page}` : `#/${page}/${encodeURIComponent(rest)}`

const isPage = (name: string): name is PageName => pageNames.some((one) => one === name)

/** Where the part of an address after its # leads; to the start page where it is none of ours. */
export function placeOf(hash: string): Place {
  const [, name = '', rest = ''] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(hash) ?? []
  return isPage(name) ? { page: name, rest: decoded(rest) } : { page: 'start', rest: '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function watch(moved: () => void): () => void {
  addEventListener('hashchange', moved)
  return () => removeEventListener('hashchange', moved)
}

/** Where the page is. Having gone to another page, the reader begins at its top. */
export function usePlace(): Place {
  const place = placeOf(useSyncExternalStore(watch, () => location.hash))
  const { page } = place
  const before = useRef(page)
  useEffect(() => {
    if (before.current !== page) scrollTo(0, 0)
    before.current = page
  }, [page])
  return place
}
