import type { TaskEffect } from '../domain/task.ts'
import type { Clause } from './clauses.ts'
import { kindOf } from './verbs.ts'

const domains = new Set('ai app at biz ch cn com de dev edu eu fr gov info io me net nl org uk us'.split(' '))

/**
 * The file that a word names: relative, without hidden or climbing parts, with an extension. The files that steer
 * undermind are none.
 */
export const plainFile = (word: string): string | undefined => {
  const path = word.replace(/^[`"'“(]+|[`"'”).,;:!?，。；：]+$/g, '')
  if (
    !/^(?:[\p{L}\p{N}_][\p{L}\p{N}_.-]*\/)*[\p{L}\p{N}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*\.[a-z][a-z0-9]{0,9}$/iu.test(
      path,
    )
  )
    return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  if (path.includes('..') || name.length < 4 || domains.has(extension)) return undefined
  return name === 'heartbeat.md' || name === 'undermind.toml' ? undefined : path
}

const appending = new Set(
  `add append document jot keep log note put record dokumentiere führe füge halte notiere protokolliere trage vermerke`.split(
    ' ',
  ),
)
const rewriting = new Set(
  `create edit insert keep maintain modify overwrite prepend replace rewrite update aktualisiere bearbeite erstelle ersetze`.split(
    ' ',
  ),
)
const articles = new Set(
  'a an the my our your new existing file document der die das den dem einer einem datei'.split(' '),
)
const insides = new Set('in into inside to onto at on unter zu'.split(' '))

/** Behind these, "in FILE" and "to FILE" say what is meant, not where it goes: "note the changes to README.md". */
const located = new Set(
  `additions changes commits comments differences edits errors found lines links listed mentions mistakes modifications
  references todos typos updates written änderungen fehler`.split(/\s+/),
)

/** The changes of a file that a clause asks for in so many words; none when it names no file. */
export const fileEffects = (clause: Clause): TaskEffect[] => {
  const verb = clause.bare[0] ?? ''
  if (!mayPlace(clause)) return []
  const object = clause.words[articles.has(clause.bare[1] ?? '') ? 2 : 1]
  const named = rewriting.has(verb) && object !== undefined ? plainFile(object) : undefined
  if (named !== undefined && (verb !== 'keep' || upToDate.test(clause.text)))
    return [{ tool: 'write_file', target: named }]
  for (let index = clause.words.length - 2; index > 0; index--) {
    const preposition = clause.bare[index] ?? ''
    if (!leadsInto(verb, preposition) || located.has(clause.bare[index - 1] ?? '')) continue
    let at = index + 1
    while (articles.has(clause.bare[at] ?? '')) at++
    const target = plainFile(clause.words[at] ?? '')
    if (target === undefined) continue
    if (isKeptAnew(clause))
      return [
        { tool: 'write_file', target },
        { tool: 'append_file', target },
      ]
    const appends = appending.has(verb) || (/^(?:write|schreibe?)$/.test(verb) && preposition === 'in')
    return [{ tool: appends ? 'append_file' : 'write_file', target }]
  }
  return []
}

/** Of what is kept in a file, this is written anew as things change, and not only added to as a log is. */
const keptAnew =
  /^(?:an?|the|my|our|eine?n?|ein) (?:[\w-]+ ){0,3}?(?:catalog|index|inventory|list|overview|summary|table|tally|liste|tabelle|übersicht|zusammenfassung)\b/

const isKeptAnew = ({ bare }: Clause): boolean =>
  /^(?:keep|maintain|führe)$/.test(bare[0] ?? '') && keptAnew.test(bare.slice(1).join(' '))

const upToDate = /\b(?:up[- ]to[- ]date|current|updated|in sync)\b/

const leadsInto = (verb: string, preposition: string): boolean =>
  insides.has(preposition) &&
  (kindOf(verb) !== 'gather' || preposition === 'into' || /^(?:export|dump|erstelle|sammle)$/.test(verb))

const places =
  /\b(?:in|into|to|onto|on)\s+(?:the|my|our|den|die|das|meinen|unseren)\s+(?:[\w-]+\s+){0,2}(?:backlog|board|calendar|channel|crm|database|drive|folder|notebook|sheet|spreadsheet|tracker|wiki|kalender|ordner|tabelle)\b/i

/** True when a clause that makes a text also says where to put it, though in no file that it names. */
export const namesPlace = (clause: Clause): boolean =>
  kindOf(clause.bare[0] ?? '') === 'record' && mayPlace(clause) && places.test(clause.text)

const records =
  /^(?:an?|the|my|our|eine?n?|ein) (?:(?!(?:eye|watch|on|of|in|at|for)\b)[\w-]+ ){0,3}?(?:catalog|changelog|diary|history|index|inventory|journal|list|log|notes?|overview|records?|register|summary|table|tally|liste|logbuch|protokoll|tabelle|tagebuch|übersicht|zusammenfassung)\b/

/** The verb is one that can put text somewhere; "keep" only what is kept in writing, not "an eye on". */
const mayPlace = ({ bare, text }: Clause): boolean => {
  const verb = bare[0] ?? ''
  const object = bare.slice(1).join(' ')
  if (verb === 'keep') return records.test(object) || upToDate.test(text)
  if (verb === 'führe') return records.test(object)
  if (verb === 'halte') return bare.at(-1) === 'fest'
  const kind = kindOf(verb)
  return kind === 'record' || kind === 'gather' || appending.has(verb) || rewriting.has(verb)
}
