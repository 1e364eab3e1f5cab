import type { TaskEffect } from '../domain/task.ts'
import type { Clause } from './clauses.ts'
import { isObject, userWords } from './clauses.ts'
import { commitEffectOf, runEffectOf } from './command-effects.ts'
import { fileEffects, namesPlace } from './destination.ts'
import { compoundNouns, isWriteInfinitive, kindOf, readPhrases, technicalNouns, writePhrases } from './verbs.ts'

/** What words ask for. */
export interface Asked {
  write: boolean
  effects: TaskEffect[]
}

/** What one English or German clause asks for; doubt asks for nothing. */
export const askedByClause = (clause: Clause): Asked => {
  const effects = asksForNothing(clause) ? [] : effectsOfClause(clause)
  if (effects.length > 0) return { write: true, effects }
  if (tellsUser(clause)) return { write: false, effects: [{ tool: 'notify', target: 'user' }] }
  return { write: asksForChange(clause), effects: [] }
}

const effectsOfClause = (clause: Clause): TaskEffect[] => {
  const command = runEffectOf(clause) ?? commitEffectOf(clause)
  return command === undefined ? fileEffects(clause) : [command]
}

const none = /^(?:nothing|nobody|no|none|neither|nichts|niemand(?:em|en)?|nicht|keine?[nrms]?)$/

const asksForNothing = ({ bare, words }: Clause): boolean =>
  bare.length < 2 ||
  /[:,]$/.test(words[0] ?? '') ||
  none.test(bare[1] ?? '') ||
  bare.some((word) => word === 'nicht' || word === 'nichts')

const asksForChange = (clause: Clause): boolean => {
  if (asksForNothing(clause)) return false
  const opening = clause.bare.join(' ')
  if (readPhrases.some((phrase) => phrase.test(opening))) return false
  if (writePhrases.some((phrase) => phrase.test(opening)) || namesPlace(clause)) return true
  if (closesWithInfinitive(clause)) return true
  const next = clause.bare[1] ?? ''
  switch (kindOf(clause.bare[0] ?? '')) {
    case 'act':
      return !goesToUser(clause) && !technicalNouns.has(next)
    case 'either':
      return !goesToUser(clause) && !makesNoun(next)
    case 'name':
      return !goesToUser(clause) && takesObject(clause)
    case 'tell':
      return tellsByName.has(clause.bare[0] ?? '') ? takesObject(clause) : !makesNoun(next)
    default:
      return false
  }
}

const tellsByName = new Set(
  'alert ask call contact dm message phone ping tell text thank frag frage sag sage'.split(' '),
)
const prepositions = new Set(
  `about after and as at before by for from how if in is of on once or that was were what when whenever whether which who why with
  wenn falls sobald ob über`.split(/\s+/),
)

const makesNoun = (next: string): boolean => prepositions.has(next) || compoundNouns.has(next)

const takesObject = ({ words, bare }: Clause): boolean => {
  const [, next = '', after = ''] = bare
  return isObject(words, 1) && !compoundNouns.has(next) && !(/^\d+$/.test(next) && compoundNouns.has(after))
}

const sending = new Set('email forward message post resend send share schick schicke sende verschicke'.split(' '))

/** What is sent to the user is told, not done. */
const goesToUser = ({ bare }: Clause): boolean =>
  sending.has(bare[0] ?? '') &&
  (userWords.has(bare[1] ?? '') || /\b(?:to|with|an) (?:me|us|myself|mich|uns)(?: |$)/.test(bare.join(' ')))

const toldByName = new Set(
  `alert inform message notify ping remind tell warn benachrichtige erinnere informiere sag sage schick schicke send sende`.split(
    /\s+/,
  ),
)

const tellsUser = ({ bare }: Clause): boolean => {
  const [verb = '', next = ''] = bare
  if (
    /^(?:let|keep|give|gib|halte) (?:me|us|mir|mich|uns) (?:.*)\b(?:know|informed|posted|updated|up to date|heads-up|bescheid|laufenden)\b/.test(
      bare.join(' '),
    )
  )
    return true
  if (toldByName.has(verb)) {
    if (userWords.has(next)) return true
    return (
      /^(?:notify|alert|warn|remind)$/.test(verb) && (prepositions.has(next) || bare.length === 1) && next !== 'and'
    )
  }
  return false
}

const subordinate = new Set('wir ich man können sollen ob dass welche welcher wer wie was'.split(' '))

/** German titles often end in the verb: "Stromrechnung bezahlen". */
const closesWithInfinitive = ({ bare, words }: Clause): boolean => {
  const last = words.at(-1) ?? ''
  if (last !== last.toLowerCase()) return false
  const kind = kindOf(bare[0] ?? '')
  if (!isWriteInfinitive(bare.at(-1) ?? '') || (kind !== undefined && kind !== 'name')) return false
  return (
    !/^(?:zu[mr]?|beim|am|vom)$/.test(bare.at(-2) ?? '') &&
    !bare.some((word) => subordinate.has(word) || userWords.has(word))
  )
}
