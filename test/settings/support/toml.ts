import fc from 'fast-check'
import { parse } from 'smol-toml'
import { type SettingKey, settingKeys } from '../../../src/settings/keys.ts'

export type SettingValue = boolean | number | string | string[]

const glob = fc.string({
  minLength: 1,
  maxLength: 6,
  unit: fc.constantFrom('a', '*', '#', '"', "'", '\\', ',', ']', 'é'),
})

const texts: readonly [rule: string, ...values: string[]][] = [
  ['HH:MM', '00:00', '07:30', '23:59'],
  ['time zone', 'UTC', 'Europe/Berlin'],
  ['http', 'http://127.0.0.1:1', 'https://a.example/#x'],
  ['', 'A_NAME', 'another'],
]

/** Values that a setting may hold. */
export const valueFor = ({ type, allowed }: SettingKey): fc.Arbitrary<SettingValue> => {
  if (type === 'boolean') return fc.boolean()
  if (type === 'list') return fc.array(glob, { maxLength: 4 })
  if (type === 'integer') {
    const [from, to] = (/from (\d+) to (\d+)/.exec(allowed) ?? []).slice(1).map(Number)
    return fc.integer({ min: from ?? 0, max: to ?? 0 })
  }
  if (type === 'number') {
    const [from = 0, to = 0] = (/from ([\d.]+) to ([\d.]+)/.exec(allowed) ?? []).slice(1).map(Number)
    return fc.constantFrom(...[0, 0.25, 0.8, 0.85, 3, 12.5].filter((value) => value >= from && value <= to))
  }
  if (allowed.startsWith('"')) return fc.constantFrom(...allowed.split(' or ').map((name) => name.slice(1, -1)))
  return fc.constantFrom(...(texts.find(([rule]) => allowed.includes(rule)) ?? []).slice(1))
}

/** A setting and a value it may hold. */
export const change: fc.Arbitrary<{ key: string; path: readonly string[]; value: SettingValue }> = fc
  .constantFrom(...settingKeys)
  .chain((setting) => valueFor(setting).map((value) => ({ key: setting.key, path: setting.path, value })))

const text = (value: string): fc.Arbitrary<string> =>
  value.includes("'") || value.includes('\\')
    ? fc.constantFrom(JSON.stringify(value), `"""\\\n  ${JSON.stringify(value).slice(1, -1)}"""`)
    : fc.constantFrom(JSON.stringify(value), `'${value}'`, `'''${value}'''`)

const list = (items: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...items.map(text)),
      fc.constantFrom('', ' ', '\n', ' # in the list\n  ', '\n\n# above\n'),
      fc.boolean(),
    )
    .map(([inside, gap, last]) => {
      const closing = last && inside.length > 0 ? `,${gap}` : gap
      return `[${gap}${inside.join(`${gap},${gap}`)}${closing}]`
    })

const printed = (value: SettingValue): fc.Arbitrary<string> => {
  if (Array.isArray(value)) return list(value)
  return typeof value === 'string' ? text(value) : fc.constant(String(value))
}

/** So that a test can tell comments from texts. */
const withoutHash = (value: SettingValue): SettingValue => {
  if (Array.isArray(value)) return value.map((item) => item.replaceAll('#', 'n'))
  return typeof value === 'string' ? value.replaceAll('#', 'n') : value
}

interface Pair {
  name: string
  path: readonly string[]
  value: string
}

const pair = (setting: SettingKey): fc.Arbitrary<Pair> =>
  valueFor(setting)
    .map(withoutHash)
    .chain(printed)
    .map((value) => ({ name: setting.path.at(-1) ?? '', path: setting.path, value }))

const comment = fc.constantFrom('', '', ' # why = "not"', '\t#')
const between = fc.constantFrom(
  '',
  '',
  '\n',
  '# a comment, [no.table], x = 1\n',
  '\n# two\n\n',
  '# interval_minutes = 9\n',
)

/** A table of settings in one of the four ways TOML has for it; dotted and inline forms have to come before any header. */
const table = (parent: string, inside: SettingKey[]): fc.Arbitrary<{ early: boolean; text: string }> =>
  fc
    .tuple(
      fc.constantFrom('header', 'header', 'dotted', 'inline', 'spaced'),
      fc.tuple(...inside.map(pair)),
      fc.array(fc.tuple(comment, between), { minLength: inside.length + 1, maxLength: inside.length + 1 }),
    )
    .map(([form, pairs, around]) => {
      const lines = (prefix: string, indent: string): string =>
        pairs
          .map(({ name, value }, index) => {
            const [after, below] = around[index] ?? ['', '']
            return `${indent}${prefix}${name} = ${value}${after}\n${below}`
          })
          .join('')
      const [after, below] = around.at(-1) ?? ['', '']
      if (form === 'header') return { early: false, text: `[${parent}]${after}\n${below}${lines('', '')}` }
      if (form === 'spaced')
        return { early: false, text: `[ ${parent.replace('.', ' . ')} ]${after}\n${lines('', '  ')}` }
      if (form === 'dotted') return { early: true, text: lines(`${parent}.`, '') }
      const inline = pairs.map(({ name, value }) => `${name} = ${value}`).join(', ')
      return { early: true, text: `${parent} = { ${inline} }${after}\n${below}` }
    })

const parents = [...new Set(settingKeys.map(({ path }) => path.slice(0, -1).join('.')))]
const tables = parents.map(
  (parent) => [parent, settingKeys.filter(({ path }) => path.slice(0, -1).join('.') === parent)] as const,
)

const foreign = fc.constantFrom(
  '',
  'top = 1979-05-27 07:32:00\n',
  '"quo.ted" = [1, [2, "]"]]\n',
  'long = """\nheartbeat.enabled = true\n[user]\n"""\n',
)
const foreignTable = fc.constantFrom('', '[[rows]]\nname = "heartbeat"\n[[rows]]\n', '[other."a b"]\nx = inf\n')

/** Whether a text is TOML. */
export const parses = (text: string): boolean => {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** Settings files as people write them. */
export const document: fc.Arbitrary<string> = fc
  .tuple(
    foreign,
    fc
      .subarray(tables, { maxLength: 5 })
      .chain((some) =>
        fc.tuple(
          ...some.map(([parent, keys]) => fc.subarray(keys, { minLength: 1 }).chain((inside) => table(parent, inside))),
        ),
      ),
    foreignTable,
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([top, parts, end, eol, closed, mark]) => {
    const early = parts.filter((part) => part.early).map((part) => part.text)
    const late = parts.filter((part) => !part.early).map((part) => part.text)
    const text = [top, ...early, ...late, end].join('')
    return mark + (closed ? text : text.trimEnd()).replaceAll('\n', eol)
  })
  // A table that dotted keys have made cannot have a header of its own.
  .filter(parses)
