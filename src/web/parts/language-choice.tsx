import { type Language, languages, useTexts } from '../texts/language.tsx'

/** Each language is named in itself, so that whoever reads it finds it. */
export function LanguageChoice() {
  const { language, choose, t } = useTexts()
  return (
    <fieldset className="mt-4 flex gap-1 px-3 text-sm lg:mt-auto lg:pt-4">
      <legend className="sr-only">{t('language')}</legend>
      {(Object.keys(languages) as Language[]).map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language}
          className={`rounded-md px-2 py-1 ${one === language ? 'bg-sunk font-medium' : 'text-soft hover:text-ink'}`}
          onClick={() => choose(one)}
        >
          {languages[one]}
        </button>
      ))}
    </fieldset>
  )
}
