import { hasCjk, words } from './words.ts'

/** A language that dates are named in; `figures` for 2026-04-15 and 15.04.2026, which need none. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'zh' | 'figures'

const lists: Record<Exclude<Language, 'zh' | 'figures'>, string> = {
  en: `january february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    today tomorrow tonight yesterday days hours day month`,
  de: `januar februar märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul aug sep okt
    nov dez montag dienstag mittwoch donnerstag freitag samstag sonntag heute morgen übermorgen gestern tagen tage stunden`,
  fr: `janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi
    samedi dimanche aujourd demain jours heures`,
  es: `enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves
    viernes sábado domingo hoy mañana días horas`,
}

/** A word that several languages share ("April") is left to the first: "3. April" is known as German by its point. */
const byWord = new Map<string, Language>()
for (const language of ['en', 'fr', 'es', 'de'] as const) {
  for (const word of words(lists[language])) if (!byWord.has(word)) byWord.set(word, language)
}

const figures = /\d{4}[-/.]\d|\d\.\s?\d{1,2}\./
const slashes = /(?<!\d)\d{1,2}[-/]\d{1,2}[-/]\d{2}/
const cjkDate =
  /[\d０-９一二三四五六七八九十][月天日号號]|[今明后後]天|[今明][早晚]|[周週][一二三四五六日末]|星期|礼拜|月底/
const dayFirst = /(?<![\d.])\d{1,2}\.\s?\p{L}{3}/u

const cjkDateWord = /[月日天号號周週]|星期|礼拜/

export const isDateWord = (word: string): boolean => byWord.has(word) || /^\d+$/.test(word) || cjkDateWord.test(word)

/** In which languages a text may name a date; none when it surely names none. */
export function dateLanguages(text: string, tokens: Iterable<string>): Language[] {
  const found = new Set<Language>()
  for (const token of tokens) {
    const language = byWord.get(token)
    if (language) found.add(language)
  }
  if (hasCjk(text) && cjkDate.test(text)) found.add('zh')
  if (dayFirst.test(text)) found.add('de')
  if (slashes.test(text)) found.add('en')
  if (figures.test(text)) found.add('figures')
  return [...found]
}
