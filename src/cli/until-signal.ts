import type { CliParts } from './parts.ts'

/**
 * Starts something that goes on until the user or the system asks the process to end, or until it fails; then stops it.
 * `begin` is handed a way to report a failure, and returns how to stop.
 */
export const untilSignal = async (
  { onSignal }: Pick<CliParts, 'onSignal'>,
  begin: (fail: (error: unknown) => void) => Promise<() => Promise<void>>,
): Promise<void> => {
  let fail = (_: unknown): void => {}
  let end = (): void => {}
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  ended.catch(() => {}) // it may fail while it is still beginning; it is awaited below
  const unlisten = onSignal(end)
  try {
    const stop = await begin(fail)
    try {
      await ended
    } finally {
      unlisten() // whoever asks a second time does not want to wait
      await stop()
    }
  } finally {
    unlisten()
  }
}
