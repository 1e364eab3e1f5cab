import { type SettingKey, settingKey, settingKeys, settingTables } from './keys.ts'
import type { Layer } from './layer.ts'
import { nearest } from './nearest.ts'
import { at, emptyTable, put, startsWith } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment variable of a setting: `UNDERMIND_HEARTBEAT_INTERVAL_MINUTES`. */
export const variableOf = (key: string): string => `UNDERMIND_${key.replaceAll('.', '_').toUpperCase()}`

const booleans = new Map(
  [
    ['true', '1', 'yes', 'on'],
    ['false', '0', 'no', 'off'],
  ].flatMap((words, index) => words.map((word) => [word, index === 0] as const)),
)

const listOf = (text: string): unknown => {
  if (!text.startsWith('[')) {
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a text stands for in a setting; a text that stands for nothing is handed on, to be refused with what is allowed. */
export const fromText = ({ type }: SettingKey, text: string): unknown => {
  const trimmed = text.trim()
  if (type === 'boolean') return booleans.get(trimmed.toLowerCase()) ?? text
  if (type === 'integer') return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text
  if (type === 'number') return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : text
  return type === 'list' ? listOf(trimmed) : trimmed
}

/** The settings in the environment; an empty variable is one that is not set. */
export const environmentLayer = (env: Environment): Layer => {
  const values = emptyTable()
  for (const setting of settingKeys) {
    const text = env[variableOf(setting.key)]
    if (text !== undefined && text.trim() !== '') put(values, setting.path, fromText(setting, text))
  }
  return {
    origin: 'environment',
    name: 'environment',
    values,
    place: (path) => {
      const setting = settingKeys.find((one) => startsWith(path, one.path))
      return { name: `environment variable ${variableOf(setting?.key ?? path.join('.'))}` }
    },
  }
}

const prefixes = settingTables.filter(({ path }) => path.length === 1).map(({ key }) => `${variableOf(key)}_`)

/** Variables that look like settings and are none: a misspelt one would otherwise do nothing without a word. */
export const strangeVariables = (env: Environment, layers: readonly Layer[]): { key: string; reason: string }[] => {
  const variables = settingKeys.map(({ key }) => variableOf(key))
  const keyNames = layers.map(({ values }) => at(values, ['models', 'cloud', 'api_key_env']))
  return Object.keys(env)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !variables.includes(name) && !keyNames.includes(name))
    .sort()
    .map((name) => {
      const meant = nearest(
        name.toLowerCase(),
        variables.map((one) => one.toLowerCase()),
      )?.toUpperCase()
      const advice = meant === undefined ? 'Unset it.' : `Did you mean ${meant}?`
      return { key: name, reason: `No setting has this environment variable. ${advice}` }
    })
}

const wrapped = (text: string): string =>
  text.replace(/(.{1,116})(?:\s+|$)/g, (_all, line: string) => `# ${line}\n`).trimEnd()

const inEnvironment = (key: string): string => {
  const fallback = settingKey(key)?.fallback
  if (fallback === undefined) return ''
  return Array.isArray(fallback) ? fallback.join(',') : String(fallback)
}

/** `.env.example`: every setting with its variable and its default. */
export const envExample = (): string =>
  [
    wrapped(
      'Every setting as an environment variable. They win over undermind.toml and lose to the command line. undermind reads the environment only, never this file or a copy of it: hand a copy over with `node --env-file` or from your shell. An empty variable counts as not set; lists are separated by commas, or written as JSON.',
    ),
    wrapped('Made from the schema of the settings: refresh it with UPDATE=1 npx vitest run test/settings'),
    ...settingKeys.map(({ key, meaning, allowed }) =>
      [wrapped(meaning), wrapped(`Allowed: ${allowed}.`), `#${variableOf(key)}=${inEnvironment(key)}`].join('\n'),
    ),
  ]
    .join('\n\n')
    .concat('\n')
