import { Settings } from '../domain/settings.ts'
import { settingKey, settingKeys, settingTables } from './keys.ts'
import { nearest } from './nearest.ts'
import { at, startsWith, type Table } from './table.ts'
import { visible } from './visible.ts'

export type Origin = 'default' | 'user file' | 'workspace file' | 'environment' | 'command line'

/** Where something was written: a spot in a file, or an environment variable, or nothing more than "the command line". */
export interface Place {
  name: string
  line?: number
  column?: number
}

/** Settings from one origin, as found: nothing of them is believed yet. */
export interface Layer {
  origin: Origin
  /** What messages call it; of a file the path. */
  name: string
  values: Table
  place(path: readonly string[]): Place
}

/** One thing that is wrong with one setting. */
export interface Problem extends Place {
  key: string
  sentence: string
}

type Issue = NonNullable<ReturnType<typeof Settings.safeParse>['error']>['issues'][number]

/** Secrets end up where they should not be; what was found there is not repeated. */
const neverShown = /(?:api_key_env|base_url)$/

const found = (key: string, value: unknown): string => {
  if (typeof value === 'string') {
    if (neverShown.test(key)) return `a text of ${value.length} characters`
    return `"${visible(value)}"`
  }
  if (value instanceof Date) return 'a date or time without quotes'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'a table' : String(value)
}

const inWords = ({ name, line, column }: Place): string =>
  line === undefined ? name : `${name}, line ${line}, column ${column}`

const names = [...settingKeys, ...settingTables].map(({ key }) => key)

const textPath = (path: readonly PropertyKey[]): string[] => path.map(String)

const unknownKey = (path: string[], layer: Layer): Problem => {
  const key = path.join('.')
  const place = layer.place(path)
  const meant = nearest(key, names)
  const advice = meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`
  return { ...place, key, sentence: `${inWords(place)}: ${visible(key)} is not a setting. ${advice}` }
}

const wrongValue = (path: string[], layer: Layer): Problem => {
  const place = layer.place(path)
  const setting = settingKeys.find((one) => startsWith(path, one.path))
  const key = setting?.key ?? path.join('.')
  const item = setting === undefined ? undefined : path[setting.path.length]
  const shown = item === undefined ? key : `${key}[${item}]`
  const allowed = setting?.allowed ?? 'a table of settings'
  return {
    ...place,
    key,
    sentence: `${inWords(place)}: ${shown} is ${found(key, at(layer.values, path))}; allowed is ${allowed}.`,
  }
}

const problemsOf = (issue: Issue, layer: Layer): Problem[] => {
  const path = textPath(issue.path)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownKey([...path, name], layer))
  // What this origin leaves out another may give.
  return at(layer.values, path) === undefined ? [] : [wrongValue(path, layer)]
}

/** Everything in a layer that no setting allows, whether or not a later layer hides it. */
export const problemsIn = (layer: Layer): Problem[] => {
  const { error } = Settings.safeParse(layer.values)
  const problems = (error?.issues ?? []).flatMap((issue) => problemsOf(issue, layer))
  return problems.filter(({ key }, index) => problems.findIndex((other) => other.key === key) === index)
}

/** What the layers together leave out: a table like `models.cloud` asks for more than one setting. */
export const gapsIn = (merged: Table, layers: readonly Layer[]): Problem[] =>
  (Settings.safeParse(merged).error?.issues ?? []).flatMap((issue) => {
    const path = textPath(issue.path)
    const key = path.join('.')
    const beside = settingKeys.filter((one) => startsWith(one.path, path.slice(0, -1)))
    const given = layers
      .toReversed()
      .flatMap((layer) => beside.map((one) => ({ layer, ...one })))
      .filter(({ layer, path: other }) => at(layer.values, other) !== undefined)
    return given.slice(0, 1).map(({ layer, path: other, key: name }) => {
      const place = layer.place(other)
      const allowed = settingKey(key)?.allowed
      return {
        ...place,
        key,
        sentence: `${inWords(place)}: ${name} needs ${key} beside it, which is not set: ${allowed}.`,
      }
    })
  })
