import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkOf, piecesOf } from '../../src/web/text/links.ts'
import { visible } from '../../src/web/text/visible.ts'

describe('the links in a text', () => {
  it('are its web addresses, without what belongs to the sentence', () => {
    expect(piecesOf('See https://a.example/x?y=1, (http://b.example/).')).toEqual([
      { text: 'See ' },
      { text: 'https://a.example/x?y=1', link: { href: 'https://a.example/x?y=1', host: 'a.example' } },
      { text: ', (' },
      { text: 'http://b.example/', link: { href: 'http://b.example/', host: 'b.example' } },
      { text: ').' },
    ])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'https://bank.example@evil.example/',
    'https://',
    'see http:// there',
  ])('are not made of %s', (text) => {
    expect(piecesOf(text).every(({ link }) => link === undefined)).toBe(true)
  })

  it('show a host that only looks like another as what it is', () => {
    expect(linkOf('https://аpple.com/')?.host).toBe('xn--pple-43d.com')
  })

  it('leave every text whole, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.constantFrom('http://', 'https://a@b', ' '))),
        (parts) => {
          const text = parts.join('')
          const pieces = piecesOf(text)
          expect(pieces.map((piece) => piece.text).join('')).toBe(text)
          for (const { link } of pieces) if (link) expect(link.href).toMatch(/^https?:\/\//)
        },
      ),
    )
  })
})

describe('what cannot be seen', () => {
  it('stands in a shown text by its number', () => {
    expect(visible('a\u202Eb\u0000c\u200B')).toBe('a⟨U+202E⟩b⟨U+0000⟩c⟨U+200B⟩')
  })

  it('stays where it is part of ordinary writing', () => {
    for (const text of ['👩‍💻', 'नमस्‍ते', 'می‌خواهم', 'a\n\tb', '❤️']) expect(visible(text)).toBe(text)
  })

  it('never turns the text around, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\u202A-\u202E\u2066-\u2069\uFEFF]/)
      }),
    )
  })
})
