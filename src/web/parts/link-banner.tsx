import { Unplug } from 'lucide-react'
import { useLink } from '../rpc/rpc-context.tsx'
import { useTexts } from '../texts/language.tsx'

/** Says that what is shown may be out of date, while it may be. */
export function LinkBanner() {
  const { t } = useTexts()
  const link = useLink()
  return (
    <div role="status" className="sticky top-0 z-20">
      {link === 'lost' && (
        <p className="flex items-center gap-2 border-amber border-b bg-amber-wash px-4 py-2 text-amber-ink text-sm sm:px-8">
          <Unplug aria-hidden className="size-4 shrink-0" />
          {t('link.lost')}
        </p>
      )}
    </div>
  )
}
