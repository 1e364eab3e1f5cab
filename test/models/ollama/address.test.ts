import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ollamaAddress, shownAddress } from '../../../src/models/ollama/address.ts'

describe('the address of Ollama', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['  ', 'http://127.0.0.1:11434'],
    ['example.com', 'http://example.com:11434'],
    ['example.com:8080', 'http://example.com:8080'],
    ['example.com:', 'http://example.com:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['[::]:8080', 'http://[::1]:8080'],
    ['::', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]', 'http://[::1]:11434'],
    ['[2001:db8::7]:8080', 'http://[2001:db8::7]:8080'],
    ['https://[2001:db8::7]', 'https://[2001:db8::7]'],
    ['http://example.com', 'http://example.com'],
    ['https://example.com', 'https://example.com'],
    ['HTTPS://example.com:8443/', 'https://example.com:8443'],
    ['https://example.com/ollama/', 'https://example.com/ollama'],
    ['example.com/ollama', 'http://example.com:11434/ollama'],
    ['http://me:secret@example.com:8080', 'http://me:secret@example.com:8080'],
    ['"example.com"', 'http://example.com:11434'],
    ["' example.com '", 'http://example.com:11434'],
    ['example.com:99999', 'http://example.com:11434'],
    ['example.com:port', 'http://example.com:11434'],
  ])('given as %j is %j', (given, address) => {
    expect(ollamaAddress(given === undefined ? {} : { OLLAMA_HOST: given })).toBe(address)
    expect(URL.canParse(address)).toBe(true)
  })

  it('is a text for any text', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(typeof ollamaAddress({ OLLAMA_HOST: given })).toBe('string')
      }),
    )
  })

  it('is shown without user name and password', () => {
    expect(shownAddress('http://me:secret@example.com:8080/a@b')).toBe('http://example.com:8080/a@b')
    expect(shownAddress('http://example.com')).toBe('http://example.com')
  })
})
