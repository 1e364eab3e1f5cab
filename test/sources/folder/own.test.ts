import { describe, expect, it } from 'vitest'
import { ownedBy } from '../../../src/sources/folder/own.ts'

describe('what is the user’s own', () => {
  it('is nothing unless a glob names it', () => {
    expect(ownedBy([])('plan.md')).toBe(false)
    expect(ownedBy(['plan.md'])('plan.md')).toBe(true)
  })

  it.each([
    ['journal/**', 'journal/a/b.md', true],
    ['journal/**', 'old/journal/a.md', false],
    ['notes/', 'a/notes/b.md', true],
    ['/plan.md', 'a/plan.md', false],
    ['*.md', 'a/plan.md', true],
    ['Plan.md', 'plan.md', false],
  ])('%j on %j: %j', (glob, key, own) => {
    expect(ownedBy([glob])(key)).toBe(own)
  })

  it('is less whatever a glob with an exclamation mark names, wherever that stands', () => {
    for (const globs of [
      ['!notes/inbox/**', 'notes/'],
      ['notes/', '!notes/inbox/**'],
    ]) {
      expect(ownedBy(globs)('notes/inbox/mail.eml')).toBe(false)
      expect(ownedBy(globs)('notes/plan.md')).toBe(true)
    }
  })
})
