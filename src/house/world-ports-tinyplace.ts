import { masterKey } from '../domain/session.ts'
import type { Settings } from '../domain/settings.ts'
import type { TickAt } from '../domain/world.ts'
import { fenceAround, fenceRule, withoutFences } from '../memory/fence.ts'
import { maskSecrets } from '../memory/secrets.ts'
import { countTokens } from '../memory/tokens.ts'
import { cutAtWord } from '../profiles/steering.ts'
import type { Mutation, ReviewedRow, ReviewWindow, TinyplacePorts } from '../profiles/tinyplace.ts'
import type { UnreviewedRow } from '../store/directives.ts'
import type { Directives } from './directives.ts'
import type { Routes } from './routes.ts'
import type { Stores } from './stores.ts'

export interface TinyplaceParts {
  stores: Stores
  settings(): Settings
  routes: Pick<Routes, 'chatOf'>
  directives: Directives
}

const mostRows = 20
const mostMutations = 20
const longestSummary = 4000
const longestChange = 400
/** Tokens of rows that one review reads, and what of the model's context is for everything else. */
const mostTokens = 16_000
const reserved = 2500
const leastTokens = 500

/** What the tinyplace profile may see and move, for one tick. */
export function tinyplacePorts(parts: TinyplaceParts, { tick }: TickAt): TinyplacePorts {
  const { stores, settings, routes, directives } = parts
  return {
    review: {
      window() {
        if (!settings().orchestration.enabled) return null
        const waiting = stores.directives.unreviewed(mostRows)
        const [first] = waiting
        if (first === undefined) return null
        const room = roomIn(routes.chatOf('analyse')?.contextTokens)
        const rows = fitting(waiting.map(reviewed(room)), room, ({ summary }) => summary)
        return windowOf(first.agent, rows.length > 0 ? rows : waiting.slice(0, 1).map(reviewed(room)), room, stores)
      },
      conclude: (review) => directives.conclude(tick, review),
    },
    goals: () => stores.tasks.goals().map(({ text }) => maskSecrets(text)),
    asData(text) {
      const safe = withoutFences(maskSecrets(text))
      const fence = fenceAround([safe])
      return `${fenceRule(fence)}\n${fence.open}\n${safe}\n${fence.close}`
    },
  }
}

function windowOf(agent: string, rows: ReviewedRow[], room: number, { directives }: Stores): ReviewWindow {
  const mutations = directives.mutations(agent, mostMutations).map(short)
  return {
    peer: agent === masterKey.agent ? null : agent,
    rows,
    mutations: fitting(mutations, Math.floor(room * 0.3), ({ signature, change }) => `${signature} ${change}`),
    cycle: directives.cycleOf(agent),
    more: directives.waiting() > rows.length,
  }
}

const short = ({ signature, change }: Mutation): Mutation => ({
  signature: cutAtWord(signature, longestChange),
  change: cutAtWord(change, longestChange),
})

const reviewed =
  (room: number) =>
  ({ id, session, cycle, summary, at }: UnreviewedRow): ReviewedRow => ({
    id,
    session,
    cycle,
    summary: cutAtWord(summary, Math.min(longestSummary, room)),
    at,
  })

/** Tokens of rows that one review may read under a model that holds so many. */
const roomIn = (contextTokens = mostTokens): number =>
  Math.max(leastTokens, Math.min(mostTokens, Math.floor((contextTokens - reserved) * 0.7)))

/** As much of the beginning of a list as so many tokens hold. */
function fitting<T>(list: readonly T[], room: number, textOf: (one: T) => string): T[] {
  let left = room
  const end = list.findIndex((one) => {
    left -= countTokens(textOf(one))
    return left < 0
  })
  return end < 0 ? [...list] : list.slice(0, end)
}
