/** A piece of text: plain, or an address that can be opened. */
export interface Piece {
  text: string
  /** Where it leads, and the host to show beside it. Only http and https. */
  link?: { href: string; host: string }
}

const address = /\bhttps?:\/\/[^\s<>"'`，。；：！？、（）《》「」]+/gi
/** At the end of an address these belong to the sentence around it. */
const afterwards = /[.,;:!?)\]}*_]+$/

/** Text with the addresses in it told apart. Nothing else of it is ever more than text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = found.replace(afterwards, '')
    const link = linkOf(shown)
    if (link === undefined) continue
    if (index > at) pieces.push({ text: text.slice(at, index) })
    pieces.push({ text: shown, link })
    at = index + shown.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/** The host as a browser will look it up: letters that only look like others show as what they are. */
export function linkOf(text: string): Piece['link'] {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') return undefined
  return { href: url.href, host: url.host }
}
