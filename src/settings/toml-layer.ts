import type { Layer, Origin, Place } from './layer.ts'
import { at, isTable, startsWith, type Table } from './table.ts'
import { lineAndColumn, mapToml } from './toml-map.ts'
import type { Span } from './toml-scan.ts'
import { visible } from './visible.ts'

/** The spot that says most about a path: its own key, else the value it is part of, else the first thing in it. */
const spotOf = (text: string, path: readonly string[]): Span | undefined => {
  const { headers, entries } = mapToml(text)
  const spots = [
    ...entries.map((entry) => ({ path: entry.path, span: entry.key })),
    ...headers.map((header) => ({ path: header.path, span: header.name })),
  ]
  const around = spots.filter((spot) => startsWith(path, spot.path)).sort((a, b) => b.path.length - a.path.length)[0]
  const inside = spots.find((spot) => startsWith(spot.path, path))
  return around?.path.length === path.length ? around.span : (inside ?? around)?.span
}

/** The settings of a TOML file that parses. */
export const fileLayer = (origin: Origin, file: string, text: string, values: Table): Layer => ({
  origin,
  name: file,
  values,
  place: (path): Place => ({ name: file, ...lineAndColumn(text, spotOf(text, path)?.start ?? 0) }),
})

const leaves = (value: unknown, path: string[]): string[][] =>
  isTable(value) ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name])) : [path]

/** Takes tables out of a layer, and says what was in them. */
export const withoutTables = (layer: Layer, keys: readonly string[]): { key: string; reason: string }[] =>
  keys.flatMap((key) => {
    const path = key.split('.')
    const value = at(layer.values, path)
    if (value === undefined) return []
    remove(layer.values, path)
    return leaves(value, path).map((leaf) => {
      const { name, line } = layer.place(leaf)
      const reason = `${name}, line ${line}: this folder is not trusted, so it names no program, address or key. Run undermind trust if it is yours.`
      return { key: leaf.map((part) => visible(part)).join('.'), reason }
    })
  })

const remove = (values: Table, path: readonly string[]): void => {
  const table = at(values, path.slice(0, -1))
  const last = path.at(-1)
  if (isTable(table) && last !== undefined) delete table[last]
}
