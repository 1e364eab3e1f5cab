import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useCards } from '../data/queries.ts'
import { pages } from '../pages.tsx'
import { useTexts } from '../texts/language.tsx'
import { focusHeading } from './focus.ts'
import { LanguageChoice } from './language-choice.tsx'
import { LinkBanner } from './link-banner.tsx'
import { hrefOf, type PageName, pageNames } from './place.ts'

/** What stands around every page: the menu, and a word when the connection is away. */
export function Frame({ open, children }: { open: PageName; children: ReactNode }) {
  const { t } = useTexts()
  const [isUnfolded, setUnfolded] = useState(false)
  const waiting = useCards().data?.length ?? 0
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${t(pages[open].name)} · undermind`
  }, [open, waiting, t])
  const MenuIcon = isUnfolded ? X : Menu
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <button
        type="button"
        className="sr-only rounded-lg bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40"
        onClick={() => focusHeading('content')}
      >
        {t('skipToContent')}
      </button>
      <header className="border-line border-b px-4 py-3 lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-b-0 lg:px-3 lg:py-6">
        <div className="flex items-center justify-between lg:mb-6 lg:px-3">
          <a href={hrefOf('start')} className="flex items-center gap-2 rounded font-semibold tracking-tight">
            <img src={new URL('../mark.svg', import.meta.url).href} alt="" className="size-6" />
            undermind
          </a>
          <button
            type="button"
            className="rounded-lg p-2 lg:hidden"
            aria-expanded={isUnfolded}
            aria-controls="menu"
            aria-label={t('menu')}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            <MenuIcon aria-hidden className="size-5" />
          </button>
        </div>
        <nav
          id="menu"
          aria-label={t('menu')}
          className={`${isUnfolded ? 'block' : 'hidden'} pt-2 lg:flex lg:flex-1 lg:flex-col lg:overflow-y-auto lg:pt-0`}
        >
          <ul className="space-y-0.5">
            {pageNames.map((page) => (
              <Entry
                key={page}
                page={page}
                isOpen={page === open}
                waiting={page === 'start' ? waiting : 0}
                onGo={() => setUnfolded(false)}
              />
            ))}
          </ul>
          <LanguageChoice />
        </nav>
      </header>
      <div className="min-w-0 border-line lg:border-l">
        <LinkBanner />
        <main
          id="content"
          tabIndex={-1}
          className={`mx-auto px-4 pt-6 pb-24 outline-none sm:px-8 lg:pt-10 ${open === 'inspector' ? 'max-w-[110rem]' : 'max-w-6xl'}`}
        >
          {children}
        </main>
      </div>
    </div>
  )
}

interface EntryProps {
  page: PageName
  isOpen: boolean
  waiting: number
  onGo(): void
}

function Entry({ page, isOpen, waiting, onGo }: EntryProps) {
  const { t } = useTexts()
  const { name, icon: Icon } = pages[page]
  return (
    <li>
      <a
        href={hrefOf(page)}
        aria-current={isOpen ? 'page' : undefined}
        onClick={onGo}
        className={`flex items-center gap-3 rounded-lg px-3 py-2 text-sm ${
          isOpen ? 'bg-wash font-medium text-ink' : 'text-soft hover:bg-sunk hover:text-ink'
        }`}
      >
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {t(name)}
        {waiting > 0 && (
          <span className="ml-auto rounded-full bg-amber-wash px-2 text-amber-ink text-xs leading-5">
            <span aria-hidden>{waiting}</span>
            <span className="sr-only">{t('waiting.count', { n: waiting })}</span>
          </span>
        )}
      </a>
    </li>
  )
}
