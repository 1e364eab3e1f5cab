import { type ImportFinding, type ImportKind, type ImportKindView, importKinds } from '../../rpc/imports.ts'

const mostFindings = 200
const mostExamples = 3
const longestExample = 120

/** What has become of rows: how many were taken, were there or were refused, and why, each reason once. */
export class Findings {
  readonly #counts = new Map<ImportKind, Omit<ImportKindView, 'kind'>>()
  readonly #found = new Map<string, ImportFinding>()

  took(kind: ImportKind, rows = 1): void {
    this.#of(kind).taken += rows
  }

  wasThere(kind: ImportKind, rows = 1): void {
    this.#of(kind).there += rows
  }

  /** Rows that are left out, for a reason that is a whole sentence. */
  refuse(kind: ImportKind, why: string, example?: string, rows = 1): void {
    this.#of(kind).refused += rows
    this.#find({ kind, effect: 'refused', text: why, count: rows }, example)
  }

  /** Rows that are not the same here as there. */
  changed(kind: ImportKind, how: string, example?: string): void {
    this.#find({ kind, effect: 'changed', text: how, count: 1 }, example)
  }

  note(kind: ImportKind, text: string): void {
    this.#find({ kind, effect: 'note', text, count: 1 }, undefined)
  }

  add(other: Findings): void {
    for (const [kind, { taken, there, refused }] of other.#counts) {
      const sum = this.#of(kind)
      sum.taken += taken
      sum.there += there
      sum.refused += refused
    }
    for (const finding of other.#found.values()) {
      const known = this.#find(finding, undefined)
      for (const example of finding.examples) addExample(known, example)
    }
  }

  view(): { kinds: ImportKindView[]; findings: ImportFinding[] } {
    const shown = importKinds.flatMap((kind) => {
      const counts = this.#counts.get(kind)
      return counts ? [{ kind, ...counts }] : []
    })
    return { kinds: shown, findings: [...this.#found.values()] }
  }

  #of(kind: ImportKind) {
    const known = this.#counts.get(kind) ?? { taken: 0, there: 0, refused: 0 }
    this.#counts.set(kind, known)
    return known
  }

  #find(given: Omit<ImportFinding, 'examples'>, example: string | undefined): ImportFinding {
    const isNew = !this.#found.has(`${given.kind} ${given.effect} ${given.text}`)
    const { kind, effect, count } = given
    const text = isNew && this.#found.size >= mostFindings ? 'For other reasons.' : given.text
    const key = `${kind} ${effect} ${text}`
    const known = this.#found.get(key)
    const finding = known ?? { kind, effect, text, count: 0, examples: [] }
    finding.count += count
    this.#found.set(key, finding)
    if (example !== undefined) addExample(finding, example)
    return finding
  }
}

function addExample({ examples }: ImportFinding, example: string): void {
  const short = example.length > longestExample ? `${example.slice(0, longestExample - 1)}…` : example
  if (examples.length < mostExamples && !examples.includes(short)) examples.push(short)
}
