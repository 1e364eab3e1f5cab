import { expect, it } from 'vitest'
import { stateName } from '../../src/actors/inspection.ts'

it.each([
  ['resting', 'resting'],
  [{ inProgress: 'judging' }, 'inProgress.judging'],
  [{ working: { reflecting: 'dealing' } }, 'working.reflecting.dealing'],
  [{ left: 'on', right: { down: 'off' } }, 'left.on+right.down.off'],
  [{ empty: {} }, 'empty'],
  [undefined, ''],
  [null, ''],
  [7, ''],
])('the state %o is written %s', (value, name) => {
  expect(stateName(value)).toBe(name)
})
