import type { ChatMessage } from './chat.ts'
import type { CycleId, MessageId, SessionId } from './ids.ts'

/**
 * `peer`: with another agent; `master`: the user's own chat; `subconscious`: where steering is told, which nobody writes
 * to from outside. The last two are pinned: there is one of each.
 */
export type SessionKind = 'peer' | 'master' | 'subconscious'

/** Who is at the other end of a session, and which of its sessions it is. */
export interface SessionKey {
  agent: string
  session: string
}

export const masterKey: SessionKey = { agent: 'user', session: 'master' }
export const subconsciousKey: SessionKey = { agent: 'undermind', session: 'subconscious' }

/** A session, as people see it. Sequence numbers count the messages of the session from 1; 0 is before the first. */
export interface Session extends SessionKey {
  id: SessionId
  kind: SessionKind
  title: string
  /** What it is doing; the states of the chart. */
  state: string
  /** Why it waits, where it failed. */
  reason: string | null
  /** The newest message, the newest one from outside, and the last that has been answered. */
  head: number
  inbound: number
  cursor: number
  /** The last message that the user has seen. */
  read: number
  /** Attempts in a row that failed. */
  attempts: number
  /** Part of the core's window that the session fills, from 0. */
  utilization: number
  /** Summaries of cycles up to this message, and entries of the world diff up to this one, are in memory only. */
  evicted: number
  remembered: number
  createdAt: number
  /** When the newest message came. */
  activeAt: number
}

/** `user`: whoever is at the other end; `assistant`: undermind's answer; `system`: a remark for people. */
export type MessageRole = 'user' | 'assistant' | 'system'

/** Of an answer: whether it is known to have been handed over. */
export type Delivery = 'delivered' | 'unknown'

export interface SessionMessage {
  /** Unique within its session; given by whoever sends it, so that the same message sent twice is one. */
  id: MessageId
  session: SessionId
  seq: number
  role: MessageRole
  body: string
  /** The cycle that an answer came of. */
  cycle: CycleId | null
  delivery: Delivery | null
  at: number
}

/** Advice of the background mind's for the core. */
export interface Steering {
  id: string
  text: string
}

/** How a cycle came to its answer. */
export type CycleWay = 'reflex' | 'core'

/** One run of the wake chart: it answers the messages after `from`, through `through`. */
export interface Cycle {
  id: CycleId
  session: SessionId
  agent: string
  from: number
  through: number
  /** Of the peer's cycles that reached the core, which one this is; null for one that did not. */
  number: number | null
  /** What is asked, as it was understood. */
  ask: string
  way: CycleWay | null
  /** What the core is to do. */
  brief: string | null
  /** Why the reflex agent gave no answer, where it should have. */
  why: string | null
  steering: Steering | null
  /** The core's words, and what is handed over. */
  answer: string | null
  reply: string | null
  /** True when content that nobody has vouched for took part. */
  tainted: boolean
  startedAt: number
  endedAt: number | null
}

/** A turn of the core's work in a cycle. Thread 0 is the core itself, the others are its workers. */
export interface CoreStep {
  thread: number
  n: number
  message: ChatMessage
  /** Of an answer to a delegation: the workers whose results it will be. */
  waits: number[] | null
  at: number
}

/** What is left of a cycle's work. */
export interface CycleSummary {
  cycle: CycleId
  session: SessionId
  agent: string
  through: number
  number: number
  summary: string
  /** Tokens of the work, and of what is left of it. */
  traceTokens: number
  tokens: number
  tainted: boolean
  at: number
}

/** What a cycle changed in the world; never rewritten. */
export interface WorldDiff {
  session: SessionId
  /** Counts the entries of its session from 1. */
  seq: number
  cycle: CycleId
  agent: string
  /** What it was that happened, in one line. */
  signature: string
  change: string
  /** The same in figures, as JSON. */
  delta: string
  at: number
}

/** What has left the prompts of a session and is kept whole. */
export interface SessionMemory {
  id: string
  session: SessionId
  agent: string
  kind: 'summary' | 'worldDiff'
  text: string
  /** When it came about. */
  at: number
}

/** What a channel is handed. `id` is the same however often the same answer is handed over. */
export interface Outbound {
  id: MessageId
  session: SessionKey & { id: SessionId; kind: SessionKind }
  body: string
}

/**
 * Where answers leave through, beside the session's own rows. One that is not `repeatable` is asked once for an answer:
 * interrupted, it is asked whether that arrived, and where it cannot tell this is shown and not tried again. What throws
 * has not delivered, unless it throws `effect/unknown-outcome`.
 */
export interface Channel {
  readonly repeatable: boolean
  deliver(message: Outbound, signal: AbortSignal): Promise<void>
  check?(message: Outbound, signal: AbortSignal): Promise<'happened' | 'notHappened' | 'unknown'>
}

/** Bytes of UTF-8 that a message may have. */
export const largestBody = 64 * 1024

/** Model calls that one cycle may make, those of workers included. */
export const superstepCap = 12

/** What a step of a cycle leaves in the rows. */
export type CycleKept =
  | { step: 'normalize'; cycle: Pick<Cycle, 'id' | 'session' | 'agent' | 'from' | 'through' | 'ask' | 'tainted'> }
  | { step: 'reply'; cycle: CycleId; reply: string }
  | { step: 'defer'; cycle: CycleId; brief: string; why: string | null }
  | { step: 'brief'; cycle: CycleId; brief: string; steering: Steering | null }
  | { step: 'execute'; cycle: CycleId; steps: Omit<CoreStep, 'at'>[]; answer: string | null; tainted: boolean }
  | { step: 'compress'; cycle: CycleId; summary: string; traceTokens: number; tokens: number }
  | { step: 'worldDiff'; cycle: CycleId; signature: string; change: string; delta: string }
  | { step: 'compile'; cycle: CycleId; reply: string }
  | { step: 'contextGuard'; session: SessionId; utilization: number; evicted: number; remembered: number }
