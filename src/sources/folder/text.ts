const headBytes = 8192

// Tab, line feed, form feed, carriage return, backspace and escape occur in honest text (logs in colour).
const isControl = (code: number): boolean => (code < 32 && ![8, 9, 10, 12, 13, 27].includes(code)) || code === 127

const mostlyControls = (codes: Iterable<number>, length: number): boolean => {
  let controls = 0
  for (const code of codes) if (isControl(code) || code === 0xfffd) controls++
  return controls * 20 > length
}

const utf16 = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** Whether these first bytes of a file are of text that `decodeText` can read. */
export const looksLikeText = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, headBytes)
  const wide = utf16(head)
  if (wide !== null) {
    const text = new TextDecoder(wide).decode(head, { stream: true })
    return !mostlyControls(
      Array.from(text, (letter) => letter.codePointAt(0) ?? 0),
      text.length,
    )
  }
  return !head.includes(0) && !mostlyControls(head, head.length)
}

// What Windows puts where Latin 1 has control characters. Node 20's own decoder leaves these as they are.
const punctuation = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const decodeWestern = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (letter) => punctuation[letter.charCodeAt(0) - 0x80] ?? letter)

/** Decodes by the name that a mail or a page gives its encoding; null when nobody knows that name. */
export const decodeNamed = (bytes: Uint8Array, name: string): string | null => {
  try {
    const decoder = new TextDecoder(name)
    return decoder.encoding === 'windows-1252' ? decodeWestern(bytes) : decoder.decode(bytes)
  } catch {
    return null
  }
}

const decode = (bytes: Uint8Array): string => {
  const wide = utf16(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    // As a stream, so that a letter cut in half at the end of a growing file is left out and is no mistake.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decodeWestern(bytes)
  }
}

/** Lines end in a line feed, whatever they ended in before. */
export const withPlainLineEnds = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text

/** The text of a file: UTF-8, UTF-16 by its mark, or else Western European. Marks and carriage returns are dropped. */
export const decodeText = (bytes: Uint8Array): string => withPlainLineEnds(decode(bytes))
