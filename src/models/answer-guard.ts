import { type Clock, second } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import { repetition } from './repetition.ts'

export interface AnswerLimits {
  clock: Clock
  /** Of the one who asked; the guard's own signal follows it. */
  signal: AbortSignal
  /** How long the first piece may take: a model may have to be loaded first. */
  firstMs: number
  /** How long a later piece may take. */
  idleMs: number
  /** How long the whole answer may take. */
  totalMs: number
  /** How long the answer may get, in UTF-16 units. */
  maxChars: number
}

/** Watches over one streamed answer. */
export interface AnswerGuard extends Disposable {
  /** Aborted, by a Fault, when the answer is to be given up. */
  readonly signal: AbortSignal
  /** Takes the next piece; an empty one is a sign of life. */
  heard(text: string): void
  /**
   * Why the answer failed: what the guard gave it up for, or the caller's reason to abort; else the error itself, or
   * `model/bad-answer` about it when it is no Fault.
   */
  fault(error: unknown): Fault
}

/**
 * A guard that gives an answer up when it does not begin, falls silent, takes or grows too long (`model/timeout`,
 * `model/runaway`), or goes round in circles. Dispose of it when the answer has ended.
 */
export function answerGuard({ clock, signal, firstMs, idleMs, totalMs, maxChars }: AnswerLimits): AnswerGuard {
  const controller = new AbortController()
  const repeats = repetition()
  const totalAt = clock.now() + totalMs
  let pieces = 0
  let heardAt = clock.now()
  let chars = 0
  let ended = false
  let callOff = () => {}

  const end = () => {
    ended = true
    callOff()
    signal.removeEventListener('abort', follow)
  }
  const giveUp = (fault: Fault) => {
    if (ended) return
    end()
    controller.abort(fault)
  }
  const follow = () => giveUp(asFault(signal.reason))

  const watch = () => {
    const seen = pieces
    // Not after now, whatever became of the clock since.
    const silentAt = Math.min(heardAt, clock.now()) + (seen === 0 ? firstMs : idleMs)
    // A wake is the clock's word that the time has come; reading the time again could contradict it when it was set back.
    const due = () => {
      if (totalAt <= silentAt && seen > 0) giveUp(tookTooLong(totalMs))
      else if (pieces > seen) watch()
      else giveUp(seen === 0 ? didNotBegin(Math.min(firstMs, totalMs)) : fellSilent(idleMs))
    }
    callOff = clock.wakeAt(Math.min(silentAt, totalAt), due)
  }

  if (signal.aborted) follow()
  else {
    signal.addEventListener('abort', follow)
    watch()
  }

  return {
    signal: controller.signal,
    heard(text) {
      if (ended) return
      pieces++
      heardAt = clock.now()
      chars += text.length
      if (pieces === 1) {
        callOff()
        watch()
      }
      if (chars > maxChars) giveUp(tooLong(maxChars))
      else if (repeats(text)) giveUp(goesInCircles())
    },
    fault(error) {
      if (controller.signal.aborted) return asFault(controller.signal.reason)
      if (error instanceof Fault) return error
      const said = error instanceof Error ? error.message : String(error)
      return new Fault(
        'model/bad-answer',
        `The model's answer could not be read: ${said}. It is asked again later; if this goes on, look at its server's log.`,
        { said },
      )
    },
    [Symbol.dispose]: end,
  }
}

const asFault = (reason: unknown): Fault =>
  reason instanceof Fault ? reason : new Fault('work/dropped', 'The answer is no longer wanted.')

const seconds = (ms: number): string => `${Math.round(ms / second)} seconds`

const didNotBegin = (ms: number): Fault =>
  new Fault(
    'model/timeout',
    `The model did not begin to answer within ${seconds(ms)}. Raise timeout_seconds if it needs longer to load, or use a smaller one.`,
    { ms },
  )

const fellSilent = (ms: number): Fault =>
  new Fault(
    'model/timeout',
    `The model fell silent for ${seconds(ms)} in the middle of its answer. It is asked again later; if this goes on, look at its server's log.`,
    { ms },
  )

const tookTooLong = (ms: number): Fault =>
  new Fault(
    'model/timeout',
    `The model's answer took longer than ${seconds(ms)}. Raise timeout_seconds, or use a faster model.`,
    { ms },
  )

const tooLong = (maxChars: number): Fault =>
  new Fault(
    'model/runaway',
    `The model's answer grew beyond ${maxChars} characters without an end, so it was given up. If this goes on, use another model.`,
    { maxChars },
  )

const goesInCircles = (): Fault =>
  new Fault(
    'model/runaway',
    'The model repeated itself without an end, so its answer was given up. If this goes on, use another model.',
  )
