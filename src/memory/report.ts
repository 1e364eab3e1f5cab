import type { ReportMaterial, SituationReport } from '../domain/report.ts'
import { atOnce, type Steps } from '../domain/steps.ts'
import { type ChangeSection, changeSection } from './change-section.ts'
import { cutText, oneLine, weighLine } from './cut.ts'
import { fenceAround, fenceRule, fenceRuleWeight, withoutFences } from './fence.ts'
import { type ListSection, listNeed, listSection, type Part, showList } from './list-section.ts'
import { localTime } from './local-time.ts'
import { maskSecrets } from './secrets.ts'
import { surfacedSection } from './surfaced-lines.ts'
import { taskSection } from './task-lines.ts'
import { countingTokens, grainsPerToken } from './tokens.ts'

/** Tokens; a smaller budget is taken for this. */
const smallestBudget = 1000
const largestBudget = 10_000_000

/**
 * The part of the room that a section is sure of when it needs it, so that none starves another. What a section does not
 * need goes to tasks, then goals, then what was surfaced as far as `mostSurfacedBeforeChanges`, then changes, then the
 * others.
 */
const shares = { tasks: 0.64, goals: 0.04, changes: 0.18, surfaced: 0.09, health: 0.05 }
const mostSurfacedBeforeChanges = 0.2

type ListName = Exclude<keyof typeof shares, 'changes'>

/**
 * The situation for one judgement, in at most `budget` tokens by `countTokens`. Of the changes the oldest are taken, as
 * many as have room without a gap: everything up to `through` is in the report, and the next one starts after it. `left`
 * counts what `material.changes` still holds when that is a list; of another iterable no more is read than has room, and
 * `left` is 1 when there was more. `tasks` are those that had room; nothing that looks like a credential is in the
 * text or among the lines of `changes`. What was surfaced counts as external, being written from what was read.
 */
export const situationReport = (material: ReportMaterial, budget: number): SituationReport =>
  atOnce(writingReport(material, budget))

/** The same in steps. */
export function* writingReport(material: ReportMaterial, budget: number): Steps<SituationReport> {
  const { now, timezone, goals, surfaced } = material
  const { room, environment, lists, needs, given, changes, reserved, ...sharing } = yield* shareOut(material, budget)
  let { free } = sharing
  const giveMore = (name: ListName, most = needs[name]): void => {
    const more = Math.max(0, Math.min(free, needs[name] - given[name], most - given[name]))
    given[name] += more
    free -= more
  }
  giveMore('tasks')
  giveMore('goals')
  giveMore('surfaced', Math.floor(room * mostSurfacedBeforeChanges))
  const shownChanges = yield* changes.show(reserved + free)
  free += reserved - shownChanges.weight
  giveMore('surfaced')
  giveMore('health')

  const shownTasks = showList(lists.tasks, given.tasks)
  const shownSurfaced = showList(
    needs.surfaced <= given.surfaced
      ? lists.surfaced
      : surfacedSection(surfaced, material.tasks, timezone, given.surfaced),
    given.surfaced,
  )
  const text = render(environment, [
    ...shownTasks.parts,
    ...showList(lists.goals, given.goals).parts,
    ...shownChanges.parts,
    ...shownSurfaced.parts,
    ...showList(lists.health, given.health).parts,
  ])
  return {
    text,
    tokens: yield* countingTokens(text),
    now,
    timezone,
    tasks: material.tasks.slice(0, shownTasks.shown),
    goals,
    changes: shownChanges.changes,
    surfaced,
    through: shownChanges.through,
    left: shownChanges.left,
    hasExternalContent: shownSurfaced.shown > 0 || shownChanges.changes.some(({ external }) => external),
  }
}

/** How many tokens the section of tasks can have in a report of this material, for `planBatches`. */
export const roomForTasks = (material: Omit<ReportMaterial, 'tasks'>, budget: number): number =>
  atOnce(findingRoomForTasks(material, budget))

/** The same in steps. */
export function* findingRoomForTasks(material: Omit<ReportMaterial, 'tasks'>, budget: number): Steps<number> {
  const { changes, free } = yield* shareOut({ ...material, tasks: [] }, budget)
  changes.close()
  return Math.floor(free / grainsPerToken)
}

/** What is given to each section before anything flows on, in grains. */
interface Sharing {
  room: number
  environment: string[]
  lists: Record<ListName, ListSection>
  needs: Record<ListName, number>
  given: Record<ListName, number>
  changes: ChangeSection
  reserved: number
  free: number
}

function* shareOut(material: ReportMaterial, budget: number): Steps<Sharing> {
  const { now, timezone } = material
  const environment = ['# Situation', `It is ${localTime(now, timezone)}.`]
  const frame = environment.reduce((sum, line) => sum + weighLine(line), fenceRuleWeight)
  const room = Math.min(largestBudget, Math.max(smallestBudget, budget || 0)) * grainsPerToken - frame
  const share = (name: keyof typeof shares): number => Math.floor(room * shares[name])

  const lists = {
    tasks: yield* taskSection(material.tasks),
    goals: textSection(
      '## Goals of the user',
      'goals',
      false,
      material.goals.map(({ text }) => text),
    ),
    surfaced: surfacedSection(material.surfaced, material.tasks, timezone, room),
    health: textSection('## Health', 'lines', true, material.health),
  }
  const needs = {
    tasks: listNeed(lists.tasks),
    goals: listNeed(lists.goals),
    surfaced: listNeed(lists.surfaced),
    health: listNeed(lists.health),
  }
  const given = {
    tasks: Math.min(needs.tasks, share('tasks')),
    goals: Math.min(needs.goals, share('goals')),
    surfaced: Math.min(needs.surfaced, share('surfaced')),
    health: Math.min(needs.health, share('health')),
  }
  const changes = changeSection(material.changes, timezone)
  const used = yield* changes.fill(share('changes'))
  const reserved = changes.isComplete() ? used : share('changes')
  const free = room - given.tasks - given.goals - given.surfaced - given.health - reserved
  return { room, environment, lists, needs, given, changes, reserved, free }
}

const longestText = 150 * grainsPerToken

/** A list of texts, each on one line and none so long that it leaves no room for the others. */
const textSection = (heading: string, noun: string, fenced: boolean, texts: readonly string[]): ListSection => {
  const lines = texts.map((text) => cutText(withoutFences(`- ${maskSecrets(oneLine(text, 2000))}`), longestText))
  return listSection({ heading, fenced, noun, lines })
}

function render(environment: readonly string[], parts: readonly Part[]): string {
  const fenced = parts.filter((part) => part.fenced)
  const fence = fenceAround(fenced.flatMap(({ lines }) => lines))
  const lines = [...environment, ...(fenced.length > 0 ? [fenceRule(fence)] : [])]
  for (const part of parts) {
    const data = part.fenced ? [fence.open, ...part.lines, fence.close] : part.lines
    lines.push(...part.before, ...data, ...part.after)
  }
  return lines.join('\n')
}
