import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser to try the page in: CHROMIUM_PATH, or the first that is installed. Throws a sentence when there is none. */
export function chromiumPath(
  env: NodeJS.ProcessEnv = process.env,
  isThere: (file: string) => boolean = existsSync,
): string {
  const { CHROMIUM_PATH: given, PATH: path = '' } = env
  const inPath = names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)))
  const found = (given ? [given] : [...inPath, ...elsewhere]).find(isThere)
  if (found !== undefined) return found
  throw new Error(
    given
      ? `CHROMIUM_PATH names ${given}, which is not there.`
      : 'The page is tried in a real Chromium, and none is installed. Run "node scripts/chromium.mjs", or set CHROMIUM_PATH to a Chromium or Chrome.',
  )
}
