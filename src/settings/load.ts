import { join } from 'node:path'
import { Fault } from '../domain/errors.ts'
import { needsTrust, Settings } from '../domain/settings.ts'
import { type Environment, environmentLayer, fromText, strangeVariables } from './env.ts'
import { settingKey, settingKeys } from './keys.ts'
import { gapsIn, type Layer, type Origin, type Problem, problemsIn } from './layer.ts'
import { parseToml, readSmallText } from './read.ts'
import { at, emptyTable, put } from './table.ts'
import { fileLayer, withoutTables } from './toml-layer.ts'

export interface LoadRequest {
  /** The workspace's folder; null where there is none. */
  workspace: string | null
  /** Where the user's programs keep their configuration, see `userConfigDir`. */
  userConfigDir: string
  env: Environment
  /** From the command line, by dotted key; texts are read as in the environment. */
  overrides?: Readonly<Record<string, unknown>>
  /** Whether the user has said yes to the workspace; without it its file names no program, address or key. */
  trusted: boolean
}

/** Something that was given and does not apply, and why. */
export interface Ignored {
  key: string
  reason: string
}

export interface LoadedSettings {
  settings: Settings
  /** By dotted key, every setting: where its value came from. */
  origins: Record<string, Origin>
  /** The files that were read. */
  files: string[]
  ignored: Ignored[]
}

const readLayer = (origin: Origin, path: string): Layer[] => {
  const text = readSmallText(path)
  return text === undefined ? [] : [fileLayer(origin, path, text, parseToml(text, path))]
}

const commandLine = (overrides: Readonly<Record<string, unknown>>): Layer => {
  const values = emptyTable()
  for (const [key, value] of Object.entries(overrides)) {
    const setting = settingKey(key)
    if (value === undefined) continue
    if (setting === undefined) put(values, key.split('.'), value)
    else put(values, setting.path, typeof value === 'string' ? fromText(setting, value) : value)
  }
  return { origin: 'command line', name: 'command line', values, place: () => ({ name: 'command line' }) }
}

const refuse = (problems: Problem[]): void => {
  if (problems.length === 0) return
  const sentences = problems.map(({ sentence }) => sentence)
  const list = sentences.length === 1 ? ` ${sentences[0]}` : `\n${sentences.map((one) => `- ${one}`).join('\n')}`
  throw Fault.use('settings/invalid', `Cannot use the settings.${list}`, { problems })
}

/**
 * Reads the settings of a workspace, later over earlier: defaults, the user's file, the workspace's file, the
 * environment, the command line. Lists are replaced, not joined. Throws `settings/invalid` with every problem found,
 * `settings/syntax`, or `settings/unreadable`.
 */
export const loadSettings = (request: LoadRequest): LoadedSettings => {
  const user = readLayer('user file', join(request.userConfigDir, 'undermind', 'config.toml'))
  const workspace =
    request.workspace === null ? [] : readLayer('workspace file', join(request.workspace, 'undermind.toml'))
  const held = request.trusted ? [] : workspace.flatMap((layer) => withoutTables(layer, needsTrust))
  const layers = [...user, ...workspace, environmentLayer(request.env), commandLine(request.overrides ?? {})]
  refuse(layers.flatMap(problemsIn))

  const merged = emptyTable()
  const origins: Record<string, Origin> = {}
  for (const { key, path } of settingKeys) {
    const layer = layers.findLast(({ values }) => at(values, path) !== undefined)
    if (layer !== undefined) put(merged, path, at(layer.values, path))
    origins[key] = layer?.origin ?? 'default'
  }
  refuse(gapsIn(merged, layers))

  return {
    settings: Settings.parse(merged),
    origins,
    files: [...user, ...workspace].map(({ name }) => name),
    ignored: [...held, ...strangeVariables(request.env, layers)],
  }
}
