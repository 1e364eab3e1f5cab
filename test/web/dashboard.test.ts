import { describe } from 'vitest'
import { activityScenes } from './scenes/activity.ts'
import { answerScenes } from './scenes/answers.ts'
import { connectionScenes } from './scenes/connection.ts'
import { everybodyScenes } from './scenes/everybody.ts'
import { hostileScenes } from './scenes/hostile.ts'
import { inspectorScenes } from './scenes/inspector.ts'
import { orderScenes } from './scenes/orders.ts'
import { sessionScenes } from './scenes/sessions.ts'
import { stage } from './support/browser.ts'

describe('the dashboard in a real browser', () => {
  const here = stage()
  connectionScenes(here)
  answerScenes(here)
  hostileScenes(here)
  orderScenes(here)
  activityScenes(here)
  sessionScenes(here)
  inspectorScenes(here)
  everybodyScenes(here)
})
