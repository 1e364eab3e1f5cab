import { replyId, type Stepped } from '../../actors/session.ts'
import type { WorkHandler } from '../../actors/work.ts'
import { Fault } from '../../domain/errors.ts'
import type { Cycle, Outbound, Session } from '../../domain/session.ts'
import { type CycleWork, cycleId, type ReflexVerdict } from '../../machines/session-words.ts'
import { maskSecrets } from '../../memory/secrets.ts'
import { compress, traceOf } from './compress.ts'
import { memoryOfDiff, memoryOfSummary, toEvict } from './context-guard.ts'
import { diffsSeen, messagesSeen } from './conversation.ts'
import { corePrompt } from './core-prompt.ts'
import { coreRound } from './core-round.ts'
import { disabled } from './disabled.ts'
import { inbound } from './inbound.ts'
import type { SessionParts } from './parts.ts'
import { reflexOn } from './reflex-call.ts'
import { diffOf } from './world-diff.ts'

type Step<Told = null> = WorkHandler<CycleWork, Stepped<Told>>

/** Sessions that are worked on at the same time. */
const atOnce = 4
/** Messages that one cycle takes up one by one; of more the newest. */
const mostMessages = 200
/** A window to reckon with while there is no core. */
const usualWindow = 32_768

const lane = { concurrency: atOnce, repeatable: () => true } as const

/** The work that a wake orders, step by step. */
export function sessionWork(parts: SessionParts) {
  const { stores, minds, channel } = parts

  const normalize: Step = {
    ...lane,
    async run(work) {
      if (!parts.isEnabled()) throw disabled()
      const session = knownSession(parts, work)
      const ask = askedIn(parts, work)
        .map(({ body }) => inbound(body).text)
        .join('\n\n')
      const { from, through } = work
      const tainted = session.kind !== 'master'
      const cycle = { id: cycleId(session.id, through), session: session.id, agent: session.agent, from, through }
      return { kept: { step: 'normalize', cycle: { ...cycle, ask, tainted } }, calls: [], told: null }
    },
  }

  const reflex: Step<ReflexVerdict> = {
    ...lane,
    run: async (work, { signal }) => reflexOn(parts, known(parts, work), signal),
  }

  const brief: Step = {
    ...lane,
    async run(work) {
      const { session, cycle } = known(parts, work)
      const steering = parts.steeringFor(session.agent)
      return {
        kept: { step: 'brief', cycle: cycle.id, brief: cycle.brief ?? cycle.ask, steering },
        calls: [],
        told: null,
      }
    },
  }

  const execute: Step<{ answered: boolean }> = {
    ...lane,
    async run(work, { key, signal }) {
      const { session, cycle } = known(parts, work)
      await minds.refresh(signal)
      const core = minds.deep()
      if (!core) throw noCore()
      const steps = stores.cycles.steps(cycle.id)
      const prompt = () => corePrompt(parts, core, session, cycle)
      const { calls, ...round } = await coreRound(parts, { session, cycle, steps, core, prompt, key }, signal)
      return {
        kept: { step: 'execute', cycle: cycle.id, ...round },
        calls,
        told: { answered: round.answer !== null },
      }
    },
  }

  const shorten: Step = {
    ...lane,
    async run(work, { signal }) {
      const { cycle } = known(parts, work)
      const trace = traceOf(cycle.brief ?? cycle.ask, stores.cycles.steps(cycle.id))
      const { calls, ...summary } = await compress(parts, minds.fast() ?? minds.deep(), trace, signal)
      return { kept: { step: 'compress', cycle: cycle.id, ...summary }, calls, told: null }
    },
  }

  const worldDiff: Step = {
    ...lane,
    async run(work) {
      const { session, cycle } = known(parts, work)
      const diff = diffOf(session, cycle, stores.cycles.steps(cycle.id), askedIn(parts, work).length)
      return { kept: { step: 'worldDiff', cycle: cycle.id, ...diff }, calls: [], told: null }
    },
  }

  const compile: Step = {
    ...lane,
    async run(work) {
      const { session, cycle } = known(parts, work)
      const words = cycle.answer ?? ''
      // The user gets the core's words as they are; to others no credential leaves, wherever it was found.
      const reply = session.kind === 'master' ? words : maskSecrets(words).trim()
      return { kept: { step: 'compile', cycle: cycle.id, reply }, calls: [], told: null }
    },
  }

  const outbound = (work: CycleWork): Outbound => {
    const { session, cycle } = known(parts, work)
    const { id, agent, session: name, kind } = session
    return { id: replyId(cycle.through), session: { id, agent, session: name, kind }, body: cycle.reply ?? '' }
  }
  const deliver: WorkHandler<CycleWork, null> = {
    concurrency: atOnce,
    repeatable: () => channel.repeatable,
    async run(work, { signal }) {
      await channel.deliver(outbound(work), signal)
      return null
    },
    async check(work, { signal }) {
      const outcome = (await channel.check?.(outbound(work), signal)) ?? 'unknown'
      return outcome === 'happened' ? { outcome, output: null } : { outcome }
    },
  }

  const contextGuard: Step = {
    ...lane,
    async run(work) {
      const session = knownSession(parts, work)
      const load = {
        window: minds.deep()?.chat.contextTokens ?? usualWindow,
        messages: stores.sessions.messages(session.id, { limit: messagesSeen }),
        trace: stores.cycles.summary(cycleId(session.id, work.through))?.traceTokens ?? 0,
        summaries: stores.cycles.summaries(session.id, session.evicted),
      }
      const { leaving, utilization } = toEvict(load, parts.guardAt())
      const diffs = stores.cycles.diffs(session.id, session.remembered).slice(0, -diffsSeen)
      const memories = [...leaving.map(memoryOfSummary), ...diffs.map(memoryOfDiff)]
      // What memory has not got stays where it is.
      if (memories.length > 0) await parts.remember(memories)
      const evicted = leaving.at(-1)?.through ?? session.evicted
      const remembered = diffs.at(-1)?.seq ?? session.remembered
      const kept = { step: 'contextGuard' as const, session: session.id, utilization, evicted, remembered }
      return { kept, calls: [], told: null }
    },
  }

  return {
    'session.normalize': normalize,
    'session.reflex': reflex,
    'session.brief': brief,
    'session.execute': execute,
    'session.compress': shorten,
    'session.worldDiff': worldDiff,
    'session.compile': compile,
    'session.deliver': deliver,
    'session.contextGuard': contextGuard,
  }
}

function knownSession({ stores }: SessionParts, { session }: CycleWork): Session {
  const row = stores.sessions.get(session)
  if (!row) throw new Fault('session/unknown', `There is no session ${session}.`, { session })
  return row
}

function known(parts: SessionParts, work: CycleWork): { session: Session; cycle: Cycle } {
  const session = knownSession(parts, work)
  const cycle = parts.stores.cycles.get(cycleId(session.id, work.through))
  if (!cycle)
    throw new Fault('session/unknown', `There is no cycle ${session.id}:${work.through}.`, { session: session.id })
  return { session, cycle }
}

/** The messages that a cycle answers. */
const askedIn = ({ stores }: SessionParts, { session, from, through }: CycleWork) =>
  stores.sessions
    .messages(session, { before: through + 1, limit: mostMessages })
    .filter(({ seq, role }) => seq > from && role === 'user')

const noCore = (): Fault =>
  new Fault(
    'session/no-core',
    'Cannot answer: there is no language model to work on it. Configure one under [models.cloud] in undermind.toml, or start the local one.',
  )
