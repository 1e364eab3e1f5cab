import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Difference, Item, ItemMark } from '../../../src/domain/change.ts'
import type { FileSystem } from '../../../src/sources/folder/file-system.ts'
import { type FolderOptions, folderSource } from '../../../src/sources/folder/source.ts'

type Told = Record<Difference['kind'], string[]>

export const keyOf = (difference: Difference): string => ('item' in difference ? difference.item.key : difference.key)

/** A folder on the disk, a source that reads it, and what that source knows after each read. */
export const workspace = (
  files: Record<string, string | Buffer> = {},
  options: Partial<FolderOptions> = {},
  fs?: FileSystem,
) => {
  const root = mkdtempSync(join(tmpdir(), 'undermind-folder-'))
  // rm reaches paths that are too long to be named.
  onTestFinished(() => void execFileSync('rm', ['-rf', root]))
  const path = (name: string) => join(root, name)
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), content)
  }
  for (const [name, content] of Object.entries(files)) write(name, content)

  const source = folderSource({ root, own: [], ignore: [], maxFileBytes: 1_048_576, ...options }, fs)
  const marks = new Map<string, ItemMark>()
  const items = new Map<string, Item>()
  const baseline = { get: (key: string) => marks.get(key), keys: () => marks.keys() }

  const record = (difference: Difference) => {
    switch (difference.kind) {
      case 'added':
      case 'modified':
        marks.set(difference.item.key, difference.item.mark)
        items.set(difference.item.key, difference.item)
        break
      case 'removed':
        marks.delete(difference.key)
        items.delete(difference.key)
        break
      case 'touched':
        marks.set(difference.key, difference.mark)
        break
      case 'skipped':
        break
      default:
        return difference satisfies never
    }
  }

  const differences = async (signal = new AbortController().signal): Promise<Difference[]> => {
    const all: Difference[] = []
    for await (const difference of source.read(baseline, signal)) all.push(difference)
    return all
  }

  return {
    root,
    path,
    write,
    source,
    items,
    marks,
    /** Reads without recording what was found, as when the transaction failed. */
    differences,
    /** Reads, records, and says what was found, by kind. */
    async read(): Promise<Partial<Told>> {
      const told: Partial<Told> = {}
      for (const difference of await differences()) {
        record(difference)
        const keys = told[difference.kind] ?? []
        told[difference.kind] = [...keys, keyOf(difference)].sort()
      }
      return told
    },
    reasons: async () =>
      Object.fromEntries(
        (await differences()).flatMap((one) => (one.kind === 'skipped' ? [[one.key, one.reason]] : [])),
      ),
  }
}

export const item = (folder: ReturnType<typeof workspace>, key: string): Item => {
  const found = folder.items.get(key)
  if (!found) throw new Error(`no item ${key}; there are ${[...folder.items.keys()].join(', ')}`)
  return found
}
