/** Advance widths of the printable ASCII characters in Helvetica and its likes, in thousandths of the font size, from the space on. */
const ascii = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
]

/** Room for readers whose system font, or whose bold, is wider. */
const allowance = 1.14

/** About how wide a line of text will be, in pixels. Layout happens where no font can be measured. */
export const textWidth = (text: string, fontSize: number): number => {
  let thousandths = 0
  for (const character of text) thousandths += ascii[character.charCodeAt(0) - 32] ?? 1000
  return Math.ceil((thousandths * fontSize * allowance) / 1000)
}
