import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Environment } from './env.ts'

/** Where this user's programs keep their configuration; undermind's is the folder `undermind` in it. */
export const userConfigDir = (env: Environment, platform = process.platform as string, home = homedir()): string => {
  if (platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  // The XDG specification has relative paths ignored.
  const xdg = env.XDG_CONFIG_HOME
  return xdg?.startsWith('/') ? xdg : posix.join(home, '.config')
}
