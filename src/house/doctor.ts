import { type Clock, minute } from '../domain/clock.ts'
import { failureOf } from '../domain/errors.ts'
import type { DeadLetter } from '../domain/ledger.ts'
import type { Finding } from '../rpc/services.ts'
import type { Status } from './views.ts'

export interface DoctorParts {
  /** As `process.version` gives it. */
  nodeVersion: string
  clock: Clock
  status(): Status
  /** Asks every model that a part of the work is routed to. */
  models(): Promise<Finding[]>
  /** Looks at the whole store; throws what is wrong with it. */
  assertSound(): void
  /** Throws where files of the workspace or of its state cannot be written. */
  assertWritable(): Promise<void>
  /** Newest first. */
  deadLetters(limit: number): DeadLetter[]
  /** Whether the user has added a task besides those of HEARTBEAT.md. */
  hasOwnTasks(): boolean
  /** Settings that were given and do not apply. */
  ignored: readonly { key: string; reason: string }[]
  /** The latest time that the store holds of something that has happened; null when it holds none. */
  lastRecordedAt(): number | null
}

/** What was found, and where it is not well, what to do. */
interface Found {
  found: string
  fix?: string
}

type Check = (parts: DoctorParts) => Found | Promise<Found>

/** Everything a tick needs, in the order in which one would look. */
const checks: Readonly<Record<string, Check>> = {
  'Node version': ({ nodeVersion }) =>
    isSupported(nodeVersion)
      ? { found: nodeVersion }
      : {
          found: `${nodeVersion} is not supported`,
          fix: 'Install Node 20.19 or a newer 20, or 22.12 or anything newer.',
        },

  clock: ({ clock, lastRecordedAt }) => clockStands(clock.now(), lastRecordedAt()),

  workspace: async ({ status, assertWritable }) => {
    const { workspace } = status()
    try {
      await assertWritable()
      return { found: `${workspace} can be written to` }
    } catch (error) {
      return { found: failureOf(error).message, fix: `Make ${workspace} and its .undermind folder yours and writable.` }
    }
  },

  store: ({ status, assertSound }) => {
    try {
      assertSound()
    } catch (error) {
      return {
        found: failureOf(error).message,
        fix: 'Stop undermind, move .undermind/state.db away and start again, or put a copy of it back.',
      }
    }
    const { stalled } = status()
    return stalled === null
      ? { found: 'sound' }
      : { found: stalled, fix: 'Put the reason right. Nothing is lost: undermind keeps trying.' }
  },

  settings: ({ ignored }) =>
    ignored.length === 0
      ? { found: 'all of them apply' }
      : {
          found: `${ignored.length} not applied: ${list(ignored, ({ key, reason }) => `${key} (${reason})`)}`,
          fix: 'Correct or remove what is named. What waits for your trust applies after undermind trust.',
        },

  trust: ({ status }) =>
    status().trusted
      ? { found: 'you trust this workspace' }
      : {
          found: 'this workspace is not trusted: nothing is written, and its file names no model and no address',
          fix: 'Run undermind trust if it is yours.',
        },

  'HEARTBEAT.md': ({ status, hasOwnTasks }) => heartbeatStands(status().heartbeatFile, hasOwnTasks()),

  sources: ({ status }) => {
    const { sources } = status()
    const failing = sources.filter(({ health }) => health === 'failing')
    if (failing.length === 0)
      return { found: sources.length === 0 ? 'none read yet' : list(sources, ({ title }) => title) }
    return {
      found: list(failing, ({ title, failure }) => `${title}: ${failure ?? 'it cannot be read'}`),
      fix: 'Put right what is named. It is read again at the next tick; nothing in it was taken for removed.',
    }
  },

  worlds: ({ status }) => {
    const { worlds, mode } = status()
    const paused = worlds.filter(({ state }) => state === 'paused' || state === 'stopped')
    const failing = worlds.filter(({ consecutiveFailures }) => consecutiveFailures > 0)
    if (paused.length > 0) {
      return { found: list(paused, ({ title, state }) => `${title} is ${state}`), fix: 'Run undermind resume.' }
    }
    if (failing.length > 0) {
      return {
        found: list(failing, ({ title, consecutiveFailures, reason }) => {
          return `${title} failed ${times(consecutiveFailures)}: ${reason ?? 'no reason given'}`
        }),
        fix: 'Put the reason right. It is tried again by itself, or at once with undermind tick.',
      }
    }
    return { found: mode === 'off' ? 'mode is off: they tick only when asked' : 'all of them tick' }
  },

  tasks: ({ status }) => {
    const { tasks, pausedTasks } = status()
    if (pausedTasks.length === 0) return { found: `${tasks} active, none paused` }
    return {
      found: `${pausedTasks.length} paused: ${list(pausedTasks, ({ title, why }) => `“${title}” (${why})`)}`,
      fix: `Put the reason right, then run ${list(pausedTasks, ({ id }) => `undermind tasks enable ${id}`)}.`,
    }
  },

  messages: ({ status, deadLetters }) => {
    const count = status().deadLetters
    if (count === 0) return { found: 'all were delivered' }
    const [last] = deadLetters(1)
    const example = last ? `; the last one to ${last.actor}: ${last.reason}` : ''
    return {
      found: `${count} could not be delivered${example}`,
      fix: 'Report it with this output. Nothing else waits for them.',
    }
  },
}

/** Checks everything; a check that itself fails is a finding like any other. */
export async function doctor(parts: DoctorParts): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, look] of Object.entries(checks)) {
    if (check === 'sources') findings.push(...(await parts.models()))
    const { found, fix } = await attempt(look, parts)
    findings.push({ check, ok: fix === undefined, found, fix: fix ?? null })
  }
  return findings
}

async function attempt(look: Check, parts: DoctorParts): Promise<Found> {
  try {
    return await look(parts)
  } catch (error) {
    return { found: `Could not be checked: ${failureOf(error).message}`, fix: 'Put that right and run doctor again.' }
  }
}

/** The versions that package.json names under engines. */
function isSupported(version: string): boolean {
  const [, major = 0, minor = 0] = (/^v?(\d+)\.(\d+)\./.exec(version) ?? []).map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

/** A clock that is this far behind what has happened already was set back. */
const tolerance = minute
const thisVersionIsNewerThan = Date.parse('2026-01-01T00:00:00Z')

function clockStands(now: number, lastRecordedAt: number | null): Found {
  const fix = 'Set the clock of this machine; times and schedules are wrong till then.'
  if (now < thisVersionIsNewerThan) return { found: `it says ${iso(now)}, which is long past`, fix }
  if (lastRecordedAt !== null && lastRecordedAt > now + tolerance) {
    return { found: `it says ${iso(now)}, but something happened at ${iso(lastRecordedAt)} already`, fix }
  }
  return { found: iso(now) }
}

const iso = (at: number): string => new Date(at).toISOString()

function heartbeatStands(file: Status['heartbeatFile'], hasOwnTasks: boolean): Found {
  const fix = 'Write a line such as “- Check urgent mail” into HEARTBEAT.md, or run undermind tasks add.'
  switch (file.kind) {
    case 'read':
      if (file.tasks > 0) return { found: `${file.tasks} task${file.tasks === 1 ? '' : 's'}` }
      return hasOwnTasks ? { found: 'no task; yours were added otherwise' } : { found: 'no task', fix }
    case 'absent':
      return hasOwnTasks ? { found: 'there is none; your tasks were added otherwise' } : { found: 'there is none', fix }
    case 'noTask':
      return { found: 'it holds words but no task', fix: 'Begin each task with “- ”, in a list of its own.' }
    case 'unreadable':
      return { found: file.reason, fix: 'Put that right. Until then the tasks stay as they were.' }
    default:
      return file satisfies never
  }
}

const mostListed = 5

function list<T>(all: readonly T[], say: (one: T) => string): string {
  const more = all.length > mostListed ? `, and ${all.length - mostListed} more` : ''
  return all.slice(0, mostListed).map(say).join(', ') + more
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times in a row`)
