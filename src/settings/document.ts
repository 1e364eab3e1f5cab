import { needsTrust } from '../domain/settings.ts'
import { variableOf } from './env.ts'
import { type SettingKey, settingKeys } from './keys.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')

const fallbackOf = ({ fallback }: SettingKey): string =>
  fallback === undefined ? 'not set' : `\`${JSON.stringify(fallback)}\``

const row = (setting: SettingKey): string => {
  const { key, type, meaning, allowed } = setting
  const rule = type === 'boolean' ? '' : ` Allowed: ${allowed}.`
  return `| \`${key}\` | ${type} | ${fallbackOf(setting)} | ${cell(meaning + rule)} |`
}

/** `docs/settings.md`: every setting in a table. */
export const settingsDocument = (): string => `# Settings

Settings come from five places; a later one wins over an earlier one.

1. The defaults below.
2. Your own file, for all workspaces: \`undermind/config.toml\` in \`$XDG_CONFIG_HOME\` or \`~/.config\` (Linux),
   \`~/Library/Application Support\` (macOS), \`%APPDATA%\` (Windows).
3. The workspace's file: \`undermind.toml\`.
4. The environment: \`${variableOf('heartbeat.interval_minutes')}\` is \`heartbeat.interval_minutes\`, and so on for every
   setting; see \`.env.example\`. An empty variable counts as not set. Lists are separated by commas, or written as JSON.
5. The command line.

In the files a setting stands in its table:

\`\`\`toml
[heartbeat]
interval_minutes = 10
\`\`\`

Whatever is not a setting, or holds what it may not, is refused with its file, line and column. In a workspace that you
have not trusted, ${needsTrust.map((key) => `\`${key}\``).join(', ')} in its \`undermind.toml\` are left out: a stranger's
folder names no program, no address and no key, and calls nothing your own.

Writing \`user.quiet_hours\` with the same time twice means no quiet hours.

| key | type | default | meaning |
|---|---|---|---|
${settingKeys.map(row).join('\n')}

This page is made from the schema of the settings: refresh it with \`UPDATE=1 npx vitest run test/settings\`.
`
