import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readSmallText } from './read.ts'
import { replaceFile } from './replace-file.ts'

const Known = z.array(z.string().max(100)).max(10_000)
const mostKept = 1000

/** The stores that were made here, by id: kept outside any workspace, so that a folder cannot bring one along unnoticed. */
export interface KnownStores {
  has(id: string): boolean
  add(id: string): void
}

export const openKnownStores = (userConfigDir: string): KnownStores => {
  const folder = join(userConfigDir, 'undermind')
  const path = join(folder, 'stores.json')
  const read = (): string[] => {
    try {
      return Known.parse(JSON.parse(readSmallText(path) ?? '[]'))
    } catch {
      return []
    }
  }
  return {
    has: (id) => read().includes(id),
    add: (id) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      replaceFile(path, `${JSON.stringify([...read().filter((known) => known !== id), id].slice(-mostKept))}\n`)
    },
  }
}
