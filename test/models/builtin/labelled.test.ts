import { expect, it } from 'vitest'
import { labelled } from './labelled.ts'
import { judgeOne } from './situation.ts'

it.each(labelled.map(([language, title, item, expected]) => ({ language, title, change: item(), expected })))(
  '[$language] decides "$expected" on "$title" for: $change.added',
  async ({ title, change, expected }) => {
    const decision = await judgeOne(title, [change])
    expect(decision.decision, decision.reason).toBe(expected)
  },
)
