import type { InspectedStep } from '../../actors/inspection.ts'
import type { Feed } from '../../rpc/feed.ts'
import type { StepQuery, StepView } from '../../rpc/inspector.ts'
import type { JournalLine } from '../../store/inspection.ts'
import type { Stores } from '../stores.ts'
import { eventOf } from './history.ts'

type Inspection = Stores['inspection']

const page = 200
/** Of one actor's, with what their events carry. */
const smallPage = 20
/** Of the newest steps so many are remembered: a tick that has ended takes its own from the journal. */
const mostRemembered = 2000

/**
 * The newest committed steps, while somebody listens. The host says that there are some; they are read from the journal
 * in the turn after their commit, before another transaction can let go of them.
 */
export class StepStream {
  readonly #inspect: (inspector: (step: InspectedStep) => void) => () => void
  readonly #inspection: Inspection
  readonly #listeners = new Set<() => void>()
  #recent: JournalLine[] = []
  #from = 0
  #head = 0
  #stop: (() => void) | null = null
  #isReading = false

  constructor(inspection: Inspection, inspect: (inspector: (step: InspectedStep) => void) => () => void) {
    this.#inspection = inspection
    this.#inspect = inspect
  }

  listen(listener: () => void): () => void {
    const own = () => listener()
    this.#listeners.add(own)
    if (this.#stop === null) {
      this.#from = this.#head = this.#inspection.head()
      this.#stop = this.#inspect(() => this.#readLater())
    }
    return () => {
      this.#listeners.delete(own)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
      this.#recent = []
    }
  }

  /** Everything after this number is remembered; null while nobody listens. */
  get from(): number | null {
    return this.#stop === null ? null : this.#from
  }

  /** A page of the steps after a number; null where they are not remembered. */
  after(seq: number): JournalLine[] | null {
    if (this.#stop === null || seq < this.#from) return null
    const begin = this.#recent.findLastIndex((line) => line.seq <= seq) + 1
    return this.#recent.slice(begin, begin + page)
  }

  #readLater(): void {
    if (this.#isReading) return
    this.#isReading = true
    setImmediate(() => {
      this.#isReading = false
      if (this.#stop === null) return
      this.#read()
      for (const listener of [...this.#listeners]) listener()
    })
  }

  #read(): void {
    const lines = this.#inspection.linesSince(this.#head, mostRemembered)
    for (const line of lines) this.#recent.push(line)
    this.#head = lines.at(-1)?.seq ?? this.#head
    if (this.#recent.length < 2 * mostRemembered) return
    const forgotten = this.#recent.splice(0, this.#recent.length - mostRemembered)
    this.#from = forgotten.at(-1)?.seq ?? this.#from
  }
}

/** Committed steps after a number, read as their reader takes them: whoever is slow holds nothing up. */
export function stepFeed(
  inspection: Inspection,
  stream: StepStream,
  { actor, kind, sinceSeq }: StepQuery,
): { feed: Feed<StepView>; from: number; head: number } {
  const head = inspection.head()
  const from = Math.min(sinceSeq ?? head, head)
  let at = from
  let look = (): void => {}
  const isIt = (line: Pick<JournalLine, 'actor' | 'kind'>): boolean =>
    (actor === undefined || line.actor === actor) && (kind === undefined || line.kind === kind)
  const lines = (): JournalLine[] => stream.after(at) ?? inspection.linesSince(at, page)

  const ofAll = (): StepView[] => {
    const next = lines()
    at = next.at(-1)?.seq ?? at
    const taken = next.filter(isIt).map((line) => stepOf(line, line.event, null))
    // Nothing of this kind among many is no end.
    if (taken.length === 0 && next.length === page) setImmediate(() => look())
    return taken
  }
  const ofOne = (of: string): StepView[] => {
    const kept = inspection.journalSince(of, at, smallPage)
    if (kept.length === 0) {
      // What was let go of is found, if at all, among the newest.
      at = Math.max(at, stream.from ?? at)
      return ofAll()
    }
    at = kept.at(-1)?.seq ?? at
    return kept.map((row) => {
      const { type, data } = eventOf(row.event)
      return stepOf(row, type, data)
    })
  }
  return {
    from,
    head,
    feed: {
      take: () => (actor === undefined ? ofAll() : ofOne(actor)),
      wake(listener) {
        look = listener
        const stop = stream.listen(listener)
        return () => {
          look = () => {}
          stop()
        }
      },
    },
  }
}

const stepOf = (line: Omit<JournalLine, 'event'>, event: string, data: StepView['data']): StepView => ({
  seq: line.seq,
  actor: line.actor,
  kind: line.kind,
  version: line.version,
  sender: line.sender,
  event,
  data,
  from: line.fromState,
  to: line.toState,
  at: line.at,
})
