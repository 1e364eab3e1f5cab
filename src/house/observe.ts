import type { ActorHost } from '../actors/actor-host.ts'
import type { Difference, Source } from '../domain/change.ts'
import type { Clock } from '../domain/clock.ts'
import { failureOf } from '../domain/errors.ts'
import { changedLines } from '../memory/lines.ts'
import { isOfStore } from './store-errors.ts'
import type { Stores } from './stores.ts'

export interface ObserveParts {
  stores: Stores
  host: Pick<ActorHost, 'write'>
  clock: Clock
}

/** A slice is written when it holds this many differences, or this many characters of content. */
const sliceItems = 25
const sliceCharacters = 256 * 1024

/**
 * Reads a source and records what differs from its baseline: each change's row and the new baseline of its item are one
 * transaction. A failed read is noted as the source's health and moves nothing further. Returns how many changes it made.
 */
export async function observeSource(source: Source, parts: ObserveParts, signal: AbortSignal): Promise<number> {
  const { stores, host, clock } = parts
  let slice: Difference[] = []
  let characters = 0
  let changes = 0
  const flush = async () => {
    const differences = slice
    slice = []
    characters = 0
    if (differences.length > 0) changes += await host.write(() => record(source, differences, stores, clock.now()))
  }
  try {
    for await (const difference of source.read(stores.changes.baseline(source.id), signal)) {
      slice.push(difference)
      if ('item' in difference) characters += difference.item.body.length
      if (slice.length >= sliceItems || characters >= sliceCharacters) await flush()
    }
    await flush()
    await noteHealth(source, parts, null)
  } catch (error) {
    // That the store failed says nothing of the source.
    if (isOfStore(error)) throw error
    await flush()
    if (!signal.aborted) await noteHealth(source, parts, failureOf(error).message)
    throw error
  }
  return changes
}

/** Writes a source's health only when it has changed, so that an idle source writes nothing. */
async function noteHealth(
  source: Source,
  { stores, host, clock }: ObserveParts,
  failure: string | null,
): Promise<void> {
  const { id, kind, title } = source
  const known = stores.changes.sources().find((row) => row.id === id)
  if (known && known.failure === failure && known.health !== 'unread') return
  await host.write(() =>
    stores.changes.putSource({
      id,
      kind,
      title,
      health: failure === null ? 'ok' : 'failing',
      readAt: failure === null ? clock.now() : null,
      failure,
    }),
  )
}

function record(source: Source, differences: readonly Difference[], { changes }: Stores, at: number): number {
  let made = 0
  for (const difference of differences) {
    switch (difference.kind) {
      case 'added':
      case 'modified': {
        const { item } = difference
        const old = changes.item(source.id, item.key)
        changes.putItem(source.id, item)
        const lines = changedLines(old?.body ?? null, item.body)
        if (old && lines.added.length === 0 && lines.removed.length === 0 && lines.omitted === 0) break
        const { key, kind: itemKind, title, author, time, link, external } = item
        const seen = { source: source.id, key, itemKind, title, author, time, link, external, at }
        const hashes = { beforeHash: old?.mark.hash ?? null, afterHash: item.mark.hash }
        changes.append({ ...seen, ...lines, ...hashes, kind: old ? 'modified' : 'added' })
        made++
        break
      }
      case 'removed': {
        const old = changes.item(source.id, difference.key)
        if (!old) break
        changes.dropItem(source.id, difference.key)
        const { key, kind: itemKind, title, author, time, link, external } = old
        const seen = { source: source.id, key, itemKind, title, author, time, link, external, at }
        changes.append({
          ...seen,
          kind: 'removed',
          added: [],
          removed: [],
          omitted: 0,
          beforeHash: old.mark.hash,
          afterHash: null,
        })
        made++
        break
      }
      case 'touched':
        changes.touchItem(source.id, difference.key, difference.mark)
        break
      case 'skipped':
        break
      default:
        difference satisfies never
    }
  }
  return made
}
