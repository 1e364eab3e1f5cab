import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Fault } from '../domain/errors.ts'
import { CaseFile, type JudgementCase } from '../judgement/case.ts'
import { packageFolder } from './package-root.ts'

/** The cases that come with undermind: beside `src` and `dist` alike. */
const folder = fileURLToPath(packageFolder('eval/cases/'))

/** The files of the cases that come with undermind. Throws `file/unreadable` where they were left out. */
export function ownCaseFiles(): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => `${folder}${name}`)
  } catch (error) {
    throw unreadable(folder, error)
  }
}

/** Reads files of labelled cases. Throws `file/unreadable`, and `eval/cases-invalid` with the first thing that is wrong. */
export async function readCases(files: readonly string[]): Promise<JudgementCase[]> {
  const cases: JudgementCase[] = []
  const seen = new Set<string>()
  for (const file of files) {
    for (const one of casesIn(file, await readGiven(file))) {
      if (seen.has(one.id)) throw invalid(file, `there are two cases ${one.id}`)
      seen.add(one.id)
      cases.push(one)
    }
  }
  return cases
}

function casesIn(file: string, text: string): JudgementCase[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid(file, 'it is not JSON')
  }
  const read = CaseFile.safeParse(json)
  if (read.success) return read.data.cases
  const issue = read.error.issues[0]
  throw invalid(file, `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'not as it should be'}`)
}

const invalid = (file: string, what: string): Fault =>
  Fault.use('eval/cases-invalid', `Cannot use the cases of ${file}: ${what}. Correct it as eval/README.md shows.`, {
    file,
  })

async function readGiven(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const why = code === 'ENOENT' ? 'it is not there' : code
  return Fault.use('file/unreadable', `Cannot read ${file}: ${why}.`, { file, code })
}
