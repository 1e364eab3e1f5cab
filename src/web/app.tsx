import { AnswersProvider } from './data/answers.tsx'
import { useNewsUpkeep } from './data/news-upkeep.ts'
import { pages } from './pages.tsx'
import { Frame } from './parts/frame.tsx'
import { usePlace } from './parts/place.ts'
import { Refused } from './parts/refused.tsx'
import { useLink } from './rpc/rpc-context.tsx'

/** The whole page: the menu, and whatever of it is open. */
export function App() {
  useNewsUpkeep()
  const link = useLink()
  const { page, rest } = usePlace()
  if (link === 'refused') return <Refused />
  const Page = pages[page].show
  return (
    <AnswersProvider>
      <Frame open={page}>
        <Page rest={rest} />
      </Frame>
    </AnswersProvider>
  )
}
