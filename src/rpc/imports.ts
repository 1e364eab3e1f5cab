/** What is taken over from another program, each kind for itself, in the order in which it is done. */
export const importKinds = [
  'heartbeat',
  'tasks',
  'log',
  'escalations',
  'state',
  'sessions',
  'messages',
  'history',
  'worldDiff',
  'directives',
] as const
export type ImportKind = (typeof importKinds)[number]

/** Of the rows of a kind: what was put down, what was here before, and what was left out. */
export interface ImportKindView {
  kind: ImportKind
  taken: number
  there: number
  refused: number
}

/** A reason, how many rows it holds for, and a few of them. `changed`: they are here, otherwise than there. */
export interface ImportFinding {
  kind: ImportKind
  effect: 'refused' | 'changed' | 'note'
  text: string
  count: number
  examples: string[]
}

export interface ImportView {
  folder: string
  dryRun: boolean
  kinds: ImportKindView[]
  findings: ImportFinding[]
  /** Databases that are there and could not be read, a sentence each. */
  unreadable: string[]
}

export interface ImportProgress {
  /** Rows that have been looked at, and how many there are. */
  done: number
  total: number
}

/** Taking over what other programs have kept. */
export interface ImportServices {
  openhuman(dir: string, options: { dryRun: boolean }): Promise<ImportView>
  /** Resolves when an import has looked at more than so many rows; null when none is under way. */
  progress(seen: number): Promise<ImportProgress | null>
}
