import type { SourceId } from './ids.ts'

/**
 * How much a source remembers of an item to tell whether it changed: `stamp` is cheap to compare (for a file its size,
 * times and inode), `hash` is of the content.
 */
export interface ItemMark {
  stamp: string
  hash: string
}

/** One thing a source holds: a file, a mail, an event. `key` is stable within its source (for a folder, the relative path). */
export interface Item {
  key: string
  kind: 'file' | 'markdown' | 'mail' | 'health'
  title: string
  author: string | null
  /** The item's own time (a mail's date), milliseconds UTC, or null. */
  time: number | null
  /** Text of the item: for a mail the subject and the plain body, each line as it stands in the source. */
  body: string
  /** Where a person can open it. */
  link: string
  /** False only when the user's settings call it their own. */
  external: boolean
  mark: ItemMark
}

/** What a source found to differ from its baseline. `touched`: same content, new stamp; makes no change row. */
export type Difference =
  | { kind: 'added' | 'modified'; item: Item }
  | { kind: 'removed'; key: string }
  | { kind: 'touched'; key: string; mark: ItemMark }
  | { kind: 'skipped'; key: string; reason: string }

/** What a source held when it was last read. */
export interface Baseline {
  get(key: string): ItemMark | undefined
  keys(): Iterable<string>
}

/** Something the memory world reads. Its failure touches no other source. */
export interface Source {
  readonly id: SourceId
  readonly kind: string
  readonly title: string
  /**
   * Yields every difference from `baseline`. Throwing means that the read failed: what was yielded before stays
   * recorded, nothing else moves. Reads what changed and nothing more.
   */
  read(baseline: Baseline, signal: AbortSignal): AsyncIterable<Difference>
  /** Starts noticing changes between reads, where the source can; `onChange` is called without saying what changed. */
  watch?(onChange: () => void): Promise<AsyncDisposable>
}

/** One row of the sequence of changes. */
export interface Change {
  seq: number
  source: SourceId
  key: string
  kind: 'added' | 'modified' | 'removed'
  itemKind: Item['kind']
  title: string
  author: string | null
  time: number | null
  link: string
  external: boolean
  at: number
  /** Lines as they stand in the source, without the line end. For `added` all lines are in `added`. */
  added: string[]
  removed: string[]
  /** Lines left out because the change is larger than a row may be. */
  omitted: number
}
