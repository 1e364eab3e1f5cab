import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { failureOf } from '../../domain/errors.ts'
import { replaceFile } from '../../settings/replace-file.ts'
import { readHeartbeat } from '../../tasks/heartbeat-file.ts'
import type { HeartbeatTasks } from '../heartbeat-tasks.ts'
import { readPlainFile } from '../plain-file.ts'
import type { ImportRun } from './import-run.ts'

export interface HeartbeatImportParts {
  /** Our HEARTBEAT.md. */
  file: string
  tasks: HeartbeatTasks
  /** Throws while nothing may be written to the workspace. */
  assertTrusted(): void
}

const largest = 1024 * 1024
const usualMode = 0o644

/**
 * Adds the tasks of a HEARTBEAT.md to ours, where ours has none yet; else it is the user's to choose. Returns whether
 * there is such a file.
 */
export async function importHeartbeat(run: ImportRun, folder: string, parts: HeartbeatImportParts): Promise<boolean> {
  const { findings } = run
  const theirs = await titlesIn(join(folder, 'HEARTBEAT.md'))
  if (theirs === null) return false
  if (typeof theirs === 'string') {
    findings.refuse('heartbeat', theirs)
    return true
  }
  const own = await titlesIn(parts.file)
  if (typeof own === 'string') {
    findings.refuse('heartbeat', `Your own: ${own}`, undefined, theirs.titles.length)
    return true
  }
  const mine = own ?? { titles: [], text: '' }
  const fresh = theirs.titles.filter((title) => !mine.titles.includes(title))
  findings.wasThere('heartbeat', theirs.titles.length - fresh.length)
  if (fresh.length === 0) return true
  if (mine.titles.length > 0) {
    const why = 'Your HEARTBEAT.md has tasks of its own. Copy the lines that you want.'
    for (const title of fresh) findings.refuse('heartbeat', why, title)
    return true
  }
  if (mine.text === null) findings.refuse('heartbeat', 'Your HEARTBEAT.md is not UTF-8.', fresh[0], fresh.length)
  else await addTo(run, parts, mine.text, fresh)
  return true
}

async function addTo(run: ImportRun, parts: HeartbeatImportParts, before: string, titles: string[]): Promise<void> {
  const { findings } = run
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${titles.map((title) => `- ${title}\n`).join('')}`
  const why = whyNotAdded(parts, text, titles)
  if (why !== null) return findings.refuse('heartbeat', why, titles[0], titles.length)
  if (!run.parts.dryRun) {
    const mode = (lstatSync(parts.file, { throwIfNoEntry: false })?.mode ?? usualMode) & 0o777
    replaceFile(parts.file, text, mode)
    await parts.tasks.follow()
  }
  findings.took('heartbeat', titles.length)
}

function whyNotAdded(
  { file, assertTrusted }: HeartbeatImportParts,
  text: string,
  titles: readonly string[],
): string | null {
  try {
    assertTrusted()
  } catch (error) {
    return failureOf(error).message
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    return 'Your HEARTBEAT.md is a link. Copy the lines that you want.'
  const read = readHeartbeat(Buffer.from(text)).titles
  const isTheSame = read.length === titles.length && read.every((title, index) => title === titles[index])
  return isTheSame
    ? null
    : 'Added to what stands in your HEARTBEAT.md, its lines would not be the same tasks. Copy those that you want.'
}

/** What a file asks for, and its text where that is UTF-8; null where there is none, a sentence where it cannot be read. */
async function titlesIn(path: string): Promise<{ titles: string[]; text: string | null } | string | null> {
  try {
    const found = await readPlainFile(path, largest)
    if (found.kind === 'absent') return null
    if (found.kind === 'refused') return `HEARTBEAT.md ${found.why}.`
    const { titles } = readHeartbeat(found.bytes)
    const text = found.bytes.toString('utf8')
    return { titles, text: Buffer.from(text).equals(found.bytes) ? text : null }
  } catch (error) {
    return failureOf(error).message
  }
}
