import { z } from 'zod'
import type { JSONType } from '../domain/json.ts'
import { Settings } from '../domain/settings.ts'

export type SettingType = 'boolean' | 'integer' | 'number' | 'text' | 'list'

/** One setting, as the schema describes it. */
export interface SettingKey {
  /** Dotted, as it would stand at the top of `undermind.toml`: `heartbeat.interval_minutes`. */
  key: string
  path: readonly string[]
  type: SettingType
  /** What it may hold, in words. */
  allowed: string
  /** Undefined when the setting has no value unless one is given. */
  fallback: JSONType | undefined
  meaning: string
}

/** A table of settings. */
export interface SettingTable {
  key: string
  path: readonly string[]
  meaning: string
}

const Described = z.looseObject({
  type: z.enum(['object', 'boolean', 'integer', 'number', 'string', 'array']),
  description: z.string(),
  default: z.json().optional(),
  enum: z.array(z.string()).optional(),
  allowed: z.string().optional(),
  get properties() {
    return z.record(z.string(), Described).optional()
  },
})
type Described = z.infer<typeof Described>

const typeOf = { boolean: 'boolean', integer: 'integer', number: 'number', string: 'text', array: 'list' } as const

const allowedBy = ({ allowed, enum: names }: Described): string =>
  allowed ?? (names === undefined ? 'true or false' : names.map((name) => `"${name}"`).join(' or '))

const walk = (properties: Record<string, Described>, above: readonly string[]): (SettingKey | SettingTable)[] =>
  Object.entries(properties).flatMap(([name, node]) => {
    const path = [...above, name]
    const common = { key: path.join('.'), path, meaning: node.description }
    if (node.type === 'object') {
      return [common, ...walk(node.properties ?? {}, path)]
    }
    return [{ ...common, type: typeOf[node.type], allowed: allowedBy(node), fallback: node.default }]
  })

const { properties } = z.toJSONSchema(Settings, { target: 'draft-7', io: 'input' })
const all = walk(z.record(z.string(), Described).parse(properties), [])

/** Every setting, in the order of the schema. */
export const settingKeys: readonly SettingKey[] = all.filter((one): one is SettingKey => 'type' in one)

/** Every table of settings, in the order of the schema. */
export const settingTables: readonly SettingTable[] = all.filter((one) => !('type' in one))

const byKey = new Map(settingKeys.map((setting) => [setting.key, setting]))

export const settingKey = (key: string): SettingKey | undefined => byKey.get(key)
