/** An id knows what it names: a TaskId cannot be passed where an EvaluationId is meant. */
declare const names: unique symbol
type Id<Noun extends string> = string & { readonly [names]: Noun }

export type ActorId = Id<'actor'>
export type WorldId = Id<'world'>
export type TaskId = Id<'task'>
export type TickId = Id<'tick'>
/** An evaluation's id is also the id of its actor and, while it waits for approval, of its card. */
export type EvaluationId = Id<'evaluation'>
/** An agent run's id is also the id of its actor: `<evaluation>#<visit>`. */
export type RunId = Id<'agent run'>
export type GoalId = Id<'goal'>
/** A session's id is also the id of its actor. */
export type SessionId = Id<'session'>
export type MessageId = Id<'message'>
/** `<session>:<newest message it answers>`: the same work done again is the same cycle. */
export type CycleId = Id<'cycle'>
export type DirectiveId = Id<'directive'>
export type CallId = Id<'model call'>
export type SourceId = Id<'source'>
/** `<invoking actor>/<invoke>/<visit>`: names one piece of work for ever, so that it is never started twice. */
export type OutboxKey = Id<'outbox'>

/** Brands a string that was read from a row, a message or a person as the id it stands for. */
export const id = <T extends Id<string>>(text: string): T => text as T

/** Makes ids that sort by the time of their making. */
export interface Ids {
  next<T extends Id<string>>(prefix: string): T
}
