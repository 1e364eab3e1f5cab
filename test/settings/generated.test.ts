import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settingsDocument } from '../../src/settings/document.ts'
import { envExample } from '../../src/settings/env.ts'

it.each([
  ['.env.example', envExample],
  ['docs/settings.md', settingsDocument],
])('%s says what the schema says; UPDATE=1 npx vitest run test/settings refreshes it', (name, make) => {
  const file = new URL(`../../${name}`, import.meta.url)
  if (process.env.UPDATE === '1') writeFileSync(file, make())
  expect(readFileSync(file, 'utf8')).toBe(make())
})
