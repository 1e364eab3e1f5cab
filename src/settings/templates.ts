import { type SettingKey, settingKeys, settingTables } from './keys.ts'
import { startsWith } from './table.ts'
import { printValue } from './toml-print.ts'

const setting = ({ path, meaning, allowed, type, fallback }: SettingKey): string => {
  const rule = type === 'boolean' ? '' : ` Allowed: ${allowed}.`
  return `# ${meaning}${rule}\n# ${path.at(-1)} =${fallback === undefined ? '' : ` ${printValue(fallback)}`}\n`
}

const tables = (): string[] =>
  settingTables.map(({ key, path, meaning }) => {
    const inside = settingKeys.filter((one) => one.path.length === path.length + 1 && startsWith(one.path, path))
    return `# ${meaning}\n[${key}]\n${inside.map(setting).join('')}`
  })

/** `undermind.toml` as a new workspace gets it: every setting in a comment, with its default. */
export const settingsTemplate = (): string =>
  `# Settings of this workspace. To change one, take away the # before it and write your value.\n\n${tables().join('\n')}`

/** `HEARTBEAT.md` as a new workspace gets it: it explains itself and holds no task. */
export const heartbeatTemplate = `# Heartbeat

Every list item in this file is a standing task: undermind keeps an eye on it and says so when there is news. Headings and
paragraphs like this one are only for you. Write your tasks below.

<!--
- Tell me when a message in the inbox needs an answer
- Watch the notes for deadlines in the next three days
-->
`
