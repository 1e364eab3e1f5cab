/**
 * Finds the Chromium that the dashboard is tried in, and installs it where that can be done without asking: on Debian and
 * what comes from it, as root. Elsewhere it says what to do. Ends with 1 when there is none.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

function find() {
  const { CHROMIUM_PATH: given, PATH: path = '' } = process.env
  const inPath = names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)))
  return (given ? [given] : [...inPath, ...elsewhere]).find((file) => existsSync(file))
}

const apt = (...words) =>
  spawnSync('apt-get', words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

function install() {
  if (!existsSync('/etc/debian_version')) return 'Install Chromium or Chrome, or set CHROMIUM_PATH to one.'
  const words = 'apt-get install --no-install-recommends chromium fonts-wqy-microhei'
  if (process.getuid?.() !== 0) return `As root: ${words}`
  apt('update')
  return apt('install', '--yes', '--no-install-recommends', 'chromium', 'fonts-wqy-microhei')
    ? null
    : `Did not work: ${words}`
}

const advice = find() === undefined ? install() : null
const found = find()
if (found === undefined) {
  console.error(`There is no Chromium to try the dashboard in. ${advice ?? ''}`)
  process.exitCode = 1
} else {
  console.log(found)
}
