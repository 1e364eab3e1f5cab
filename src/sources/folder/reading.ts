import type { Baseline, Difference } from '../../domain/change.ts'
import { hashOf } from './hash.ts'
import { itemOf } from './item.ts'
import { pathOf } from './key.ts'
import { isPrivateKey } from './never-read.ts'
import { readRegularFile } from './read-file.ts'
import type { Refusals } from './refusals.ts'
import { looksLikeText } from './text.ts'
import type { Tree } from './tree.ts'

/** What is needed to turn a file into a difference. */
export interface Reader {
  tree: Tree
  baseline: Baseline
  isOwn: (key: string) => boolean
  maxFileBytes: number
  refusals: Refusals
}

/** `present`: there is a file, taken or not. `again`: it should be looked at next time, whatever its stamp says. */
export interface Reading {
  key: string
  difference: Difference | null
  present: boolean
  again: boolean
}

const sniff = (head: Buffer): string | null => {
  if (!looksLikeText(head)) return 'not text'
  return isPrivateKey(head) ? 'a private key' : null
}

/** Reads a file and compares it with the baseline by content. */
export const readingOf = async (reader: Reader, key: string): Promise<Reading> => {
  const { tree, baseline, refusals } = reader
  const counted = (head: Buffer) => {
    counts = true
    return sniff(head)
  }
  let counts = false
  const content = await readRegularFile(tree.fs, pathOf(tree.root, key), reader.maxFileBytes, counted)
  if (counts) tree.stats.filesRead++

  switch (content.kind) {
    case 'gone':
    case 'irregular':
      return { key, difference: null, present: false, again: content.kind === 'irregular' }
    case 'unwanted':
    case 'failed': {
      const { reason } = content
      refusals.add(key, reason, content.kind === 'unwanted' ? content.stamp : null)
      const again = content.kind === 'failed' && !content.lasting
      return { key, difference: { kind: 'skipped', key, reason }, present: true, again }
    }
    case 'content': {
      refusals.drop(key)
      const mark = { stamp: content.stamp, hash: await hashOf(content.bytes) }
      const before = baseline.get(key)
      const found = { key, present: true, again: false }
      if (before?.hash === mark.hash)
        return { ...found, difference: before.stamp === mark.stamp ? null : { kind: 'touched', key, mark } }
      const item = await itemOf(key, content.bytes, mark, !reader.isOwn(key))
      return { ...found, difference: { kind: before === undefined ? 'added' : 'modified', item } }
    }
    default:
      return content satisfies never
  }
}
