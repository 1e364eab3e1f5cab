import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { Fault } from '../domain/errors.ts'
import { codeOf } from './errno.ts'
import type { Table } from './table.ts'

const largest = 1024 * 1024

const refuse = (path: string, found: string, code: string): Fault =>
  Fault.use('settings/unreadable', `Cannot read ${path}: ${found}. Put it right or remove it.`, { path, code })

const sizeOf = (path: string): number | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  // Opening a pipe would wait for a writer for ever.
  if (!stat.isFile()) throw refuse(path, 'it is not a file', 'not-a-file')
  return stat.size
}

/** The text of a small file, or undefined when there is none. UTF-8, without its byte order mark, 1 MiB at most. */
export const readSmallText = (path: string): string | undefined => {
  try {
    const size = sizeOf(path)
    if (size === undefined) return undefined
    if (size > largest) throw refuse(path, `it is ${size} bytes long, and ${largest} are allowed`, 'too-large')
    const file = openSync(path, 'r')
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = codeOf(error)
    if (code === 'ENOENT') return undefined
    throw refuse(
      path,
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : `the system says ${code}`,
      code,
    )
  }
}

/** Parses TOML; `name` is what messages call the text. */
export const parseToml = (text: string, name: string): Table => {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The library's message goes on with an excerpt, which may hold a secret.
    const found = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
    throw Fault.use(
      'settings/syntax',
      `Cannot read ${name}, line ${error.line}, column ${error.column}: ${found}. Correct it as TOML, see https://toml.io.`,
      { file: name, line: error.line, column: error.column, found },
    )
  }
}
