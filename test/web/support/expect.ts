import type { Locator, Page } from 'playwright-core'

/** Resolves when something is to be seen; rejects with what was waited for when it is not. */
export const seen = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'visible' })

export const gone = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'hidden' })

export const card = (page: Page, title: string): Locator => page.getByRole('article', { name: title })

export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/** Goes on once something outside the page is so. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 8000
  while (!isSo()) {
    if (performance.now() > end) throw new Error('It did not come about.')
    await new Promise((next) => setImmediate(next))
  }
}
