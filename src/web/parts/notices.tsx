import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { second } from '../../domain/clock.ts'
import { asFault } from '../../rpc/wire-error.ts'
import { browserClock } from '../browser-clock.ts'
import { Prose } from '../text/prose.tsx'
import { useTexts } from '../texts/language.tsx'

interface Notice {
  id: number
  text: string
  isTrouble: boolean
}

interface Notices {
  /** Tells of something that was done; it goes by itself. */
  say(text: string): void
  /** Tells of something that was refused or failed; it stays until it is closed. */
  complain(error: unknown): void
}

const Context = createContext<Notices | null>(null)
const shownFor = 6 * second
let made = 0

export function useNotices(): Notices {
  const notices = useContext(Context)
  if (notices === null) throw new TypeError('There is no place for notices around this part of the page.')
  return notices
}

export function NoticesProvider({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const [shown, setShown] = useState<readonly Notice[]>([])
  const close = useCallback((id: number) => setShown((before) => before.filter((one) => one.id !== id)), [])
  const add = useCallback(
    (text: string, isTrouble: boolean) => {
      const id = ++made
      setShown((before) => [...before.slice(-3), { id, text, isTrouble }])
      if (!isTrouble) browserClock.wakeAt(browserClock.now() + shownFor, () => close(id))
    },
    [close],
  )
  const notices = useMemo<Notices>(
    () => ({ say: (text) => add(text, false), complain: (error) => add(asFault(error).message, true) }),
    [add],
  )
  return (
    <Context value={notices}>
      {children}
      <section
        aria-label={t('notices')}
        className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex flex-col items-center gap-2 p-4"
      >
        {shown.map(({ id, text, isTrouble }) => (
          <div
            key={id}
            role={isTrouble ? 'alert' : 'status'}
            className={`pointer-events-auto flex w-full max-w-lg items-start gap-3 rounded-xl border px-4 py-3 shadow-lg ${
              isTrouble ? 'border-coral bg-coral-wash text-coral-ink' : 'border-line bg-sheet'
            }`}
          >
            <Prose className="flex-1" most={300}>
              {text}
            </Prose>
            <button type="button" aria-label={t('close')} className="-m-1 rounded p-1" onClick={() => close(id)}>
              <X aria-hidden className="size-4" />
            </button>
          </div>
        ))}
      </section>
    </Context>
  )
}
