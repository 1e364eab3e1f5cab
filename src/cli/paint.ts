import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** Puts a style on text, or leaves it plain where colours are off. */
export type Paint = (style: Style, text: string) => string

export const painter =
  (isOn: boolean): Paint =>
  (style, text) =>
    isOn && text !== '' ? styleText(style, text, { validateStream: false }) : text
