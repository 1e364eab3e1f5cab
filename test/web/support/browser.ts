import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { chromiumPath } from './chromium.ts'
import type { Served } from './server.ts'

/** The built page and the browser that all tests share. */
export interface Stage {
  /** Folder of the built page. */
  folder: string
  browser: Browser
}

/** Builds the page and opens a browser once for all the tests of a file. */
export function stage(): Stage {
  const made: Partial<Stage> = {}
  beforeAll(async () => {
    const executablePath = chromiumPath()
    made.folder = await mkdtemp(join(tmpdir(), 'undermind-page-'))
    // Else the page would be built for looking into it, and be slower than what people get.
    vi.stubEnv('NODE_ENV', 'production')
    await build({
      configFile: join(import.meta.dirname, '../../../vite.web.config.ts'),
      root: join(import.meta.dirname, '../../../src/web'),
      logLevel: 'error',
      build: { outDir: made.folder },
    })
    vi.unstubAllEnvs()
    made.browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
  }, 60_000)
  afterAll(async () => {
    await made.browser?.close()
    if (made.folder !== undefined) await rm(made.folder, { recursive: true, force: true })
  })
  return {
    get folder() {
      return made.folder ?? ''
    },
    get browser() {
      if (made.browser === undefined) throw new TypeError('The browser is not open yet.')
      return made.browser
    },
  }
}

export interface Visitor {
  page: Page
  /** Everything that the page asked for, other than its own server. */
  foreign: string[]
  /** What the browser complained of. */
  complaints: string[]
}

/** Somebody opens the dashboard by its link. Whatever they ask of anybody else is refused, and counted. */
export async function visit(
  { browser }: Stage,
  house: Pick<Served, 'link' | 'url'>,
  options: BrowserContextOptions = {},
  at = '',
): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const foreign: string[] = []
  const complaints: string[] = []
  const isOwn = (url: string) => url.startsWith(`${house.url}/`) || url.startsWith('data:')
  await context.route(
    (url) => !isOwn(url.href),
    async (route) => {
      foreign.push(route.request().url())
      await route.abort()
    },
  )
  const page = await context.newPage()
  page.setDefaultTimeout(8000)
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAboutTheLink(message.text())) complaints.push(message.text())
  })
  await page.goto(house.link(), { waitUntil: 'commit' })
  if (at !== '') await page.goto(`${house.url}/#/${at}`, { waitUntil: 'commit' })
  return { page, foreign, complaints }
}

/** A browser writes down every connection that fails; the page deals with those. */
const isAboutTheLink = (text: string): boolean =>
  /WebSocket connection|ERR_CONNECTION_REFUSED|Failed to load resource/.test(text)

export function expectQuiet({ foreign, complaints }: Visitor): void {
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
}
