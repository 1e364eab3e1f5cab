import { setImmediate as breathe } from 'node:timers/promises'
import type { TaskId } from '../../domain/ids.ts'
import type { ReportTask, SituationReport } from '../../domain/report.ts'
import { Agenda } from './agenda.ts'
import { match as findMatch, type Match } from './match.ts'
import { type Note, notesOf, sameNote } from './notes.ts'
import { type Scene, sceneOf } from './scene.ts'

/** What the rules make of one task. */
export interface Plan {
  task: ReportTask
  scene: Scene
  match: Match
  /** What is to be noted in AGENDA.md, by day: at most three, not there yet, and not proposed for an earlier task. */
  notes: Note[]
  /** Null when there is no AGENDA.md, undefined when nothing made it worth reading. */
  agenda: Agenda | null | undefined
  /** True when AGENDA.md holds something of what was found. */
  noted: boolean
}

const mostNotes = 3
const matches = new WeakMap<Scene, Map<TaskId, Promise<Match>>>()

/** Plans tasks in their order, for what is proposed for one is not proposed for the next. */
export async function plansOf(
  report: SituationReport,
  tasks: readonly ReportTask[],
  readAgenda: () => Promise<string | null>,
  signal: AbortSignal,
): Promise<Plan[]> {
  const scene = await sceneOf(report)
  const plans: Plan[] = []
  const proposed: Note[] = []
  let agenda: Agenda | null | undefined
  for (const task of tasks) {
    signal.throwIfAborted()
    const match = unlessTold(await matchOnce(task, scene), plans)
    const candidates = match.ask.needsTools ? [] : notesOf(match, scene)
    if (candidates.length > 0 && agenda === undefined) agenda = await openAgenda(readAgenda, scene)
    const notes = agenda ? newNotes(candidates, agenda, proposed) : []
    proposed.push(...notes)
    plans.push({ task, scene, match, notes, agenda, noted: candidates.some((note) => agenda?.has(note)) })
    await breathe()
  }
  return plans
}

/** A task about nothing in particular reports what no other task of the report has reported already. */
function unlessTold(match: Match, earlier: readonly Plan[]): Match {
  const { topics, files, only } = match.ask
  if (topics.size > 0 || files.length > 0 || only !== null) return match
  const told = new Set(earlier.flatMap((plan) => plan.match.findings.map(({ item }) => item)))
  const findings = match.findings.filter(({ item }) => !told.has(item))
  return { ...match, findings, known: match.known + match.findings.length - findings.length }
}

function matchOnce(task: ReportTask, scene: Scene): Promise<Match> {
  const known = matches.get(scene) ?? new Map<TaskId, Promise<Match>>()
  matches.set(scene, known)
  const match = known.get(task.id) ?? findMatch(task, scene)
  known.set(task.id, match)
  return match
}

function newNotes(candidates: Note[], agenda: Agenda, proposed: readonly Note[]): Note[] {
  const notes: Note[] = []
  for (const note of candidates) {
    if (notes.length === mostNotes) break
    if (agenda.has(note) || [...proposed, ...notes].some((other) => sameNote(other, note))) continue
    notes.push(note)
  }
  return notes.sort((a, b) => a.day - b.day)
}

/** What cannot be read cannot be added to with care: then nothing is proposed, and the findings are reported all the same. */
async function openAgenda(read: () => Promise<string | null>, scene: Scene): Promise<Agenda | null> {
  const text = await read().catch(() => null)
  return text === null ? null : new Agenda(text, scene)
}
