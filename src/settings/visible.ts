const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const escaped = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`

/** Text from a file as it may stand in a message: short, on one line, with nothing that steers a terminal or turns it round. */
export const visible = (text: string, most = 60): string => {
  const shown = text.slice(0, most).replace(hidden, escaped)
  return text.length > most ? `${shown}…` : shown
}
