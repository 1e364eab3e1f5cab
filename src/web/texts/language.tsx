import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { en } from './en.ts'
import { type Facts, fill } from './fill.ts'
import { zh } from './zh.ts'

export type TextKey = keyof typeof en

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

const tables: Record<Language, Readonly<Record<TextKey, string>>> = { en, zh }
const locales: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' }
const kept = 'undermind.language'

export interface Texts {
  language: Language
  /** For dates and numbers. */
  locale: string
  t(key: TextKey, facts?: Facts): string
  choose(language: Language): void
}

const Context = createContext<Texts | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(usualLanguage)
  useEffect(() => {
    document.documentElement.lang = locales[language]
  }, [language])
  const texts = useMemo<Texts>(
    () => ({
      language,
      locale: locales[language],
      t: (key, facts) => fill(tables[language][key], locales[language], facts),
      choose(chosen) {
        remember(chosen)
        setLanguage(chosen)
      },
    }),
    [language],
  )
  return <Context value={texts}>{children}</Context>
}

export function useTexts(): Texts {
  const texts = useContext(Context)
  if (texts === null) throw new TypeError('There is no language around this part of the page.')
  return texts
}

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(tables, text)

/** What was chosen here, or else the first of the browser's languages that there is. */
function usualLanguage(): Language {
  const chosen = remembered()
  if (isLanguage(chosen)) return chosen
  const wanted = navigator.languages.map((tag) => tag.split('-')[0] ?? '')
  return wanted.find(isLanguage) ?? 'en'
}

/** A browser may be told to keep nothing. */
function remembered(): string | null {
  try {
    return localStorage.getItem(kept)
  } catch {
    return null
  }
}

function remember(language: Language): void {
  try {
    localStorage.setItem(kept, language)
  } catch {}
}
