import { Buffer, isUtf8 } from 'node:buffer'
import type { Path } from './file-system.ts'

// Control characters, line separators, marks that turn the direction of text, and what would read as an escape.
const unsafe = /%(?=[0-9A-F]{2})|[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu
const escapes = /%([0-9A-F]{2})/g

const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

const display = (text: string): string => text.replace(unsafe, (found) => escaped(Buffer.from(found)))

/** How many bytes the UTF-8 sequence that starts at `at` has, or 0 when none starts there. */
const sequenceAt = (bytes: Buffer, at: number): number => {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++)
    if (isUtf8(bytes.subarray(at, at + length))) return length
  return 0
}

/** A file's name as part of a key: safe to show on one line, and the same bytes again by `bytesOf`. */
export const keyOfName = (name: Buffer): string => {
  if (isUtf8(name)) return display(name.toString())
  let key = ''
  for (let at = 0; at < name.length; ) {
    const length = sequenceAt(name, at)
    const part = name.subarray(at, at + (length || 1))
    key += length > 0 ? display(part.toString()) : escaped(part)
    at += part.length
  }
  return key
}

const bytesOf = (key: string): Buffer => {
  const parts: Buffer[] = []
  let from = 0
  for (const found of key.matchAll(escapes)) {
    parts.push(Buffer.from(key.slice(from, found.index)), Buffer.from(found[1] ?? '', 'hex'))
    from = found.index + found[0].length
  }
  parts.push(Buffer.from(key.slice(from)))
  return Buffer.concat(parts)
}

/** The relative path that a key stands for, as patterns see it; bytes that are no text become U+FFFD. */
export const textOf = (key: string): string => (key.includes('%') ? bytesOf(key).toString() : key)

export const pathOf = (root: string, key: string): Path => {
  if (key === '') return root
  return key.includes('%') ? Buffer.concat([Buffer.from(`${root}/`), bytesOf(key)]) : `${root}/${key}`
}

/** The root's own key is the empty string. */
export const childOf = (parent: string, name: string): string => (parent === '' ? name : `${parent}/${name}`)

export const parentOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('/')))

export const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** Whether a set of keys holds this one or a directory above it. */
export const holds = (keys: ReadonlySet<string>, key: string): boolean => {
  if (keys.size === 0) return false
  for (let at = key; at !== ''; at = parentOf(at)) if (keys.has(at)) return true
  return keys.has('')
}
