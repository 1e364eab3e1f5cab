import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { asFault } from '../../rpc/wire-error.ts'
import type { Card, ToolCall } from '../rpc/methods.ts'
import { type Call, useCall } from '../rpc/rpc-context.tsx'
import { keys } from './queries.ts'

/** What the user says to a card. `resolve`: whether an interrupted action happened. */
export type Answer =
  | { kind: 'approve'; calls?: ToolCall[] }
  | { kind: 'dismiss' }
  | { kind: 'respond'; text: string }
  | { kind: 'resolve'; happened: boolean }

/** How this page names the user to whoever asks later who answered. */
export const answerer = 'user (dashboard)'

interface Answers {
  /** Answers on their way, by card: they are shown as given, and taken back when they are refused. */
  given: ReadonlyMap<string, Answer>
  /** Why an answer was refused, by card. */
  refused: ReadonlyMap<string, string>
  /** Resolves to whether the answer counted. */
  give(card: Card, answer: Answer): Promise<boolean>
  /** Whether the answer that counted was given here. */
  isOurs(card: Card): boolean
}

const Context = createContext<Answers | null>(null)

export function useAnswers(): Answers {
  const answers = useContext(Context)
  if (answers === null) throw new TypeError('There is nobody to give answers to around this part of the page.')
  return answers
}

export function AnswersProvider({ children }: { children: ReactNode }) {
  const call = useCall()
  const client = useQueryClient()
  const [given, setGiven] = useState<ReadonlyMap<string, Answer>>(new Map())
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const ours = useRef(new Set<string>())

  const give = useCallback(
    async (card: Card, answer: Answer) => {
      setGiven((before) => new Map(before).set(card.id, answer))
      setRefused((before) => without(before, card.id))
      const message = newName()
      ours.current.add(message)
      try {
        await send(call, { id: card.id, by: answerer, message }, card.digest, answer)
        return true
      } catch (error) {
        setRefused((before) => new Map(before).set(card.id, asFault(error).message))
        return false
      } finally {
        await client.invalidateQueries({ queryKey: keys.cards })
        setGiven((before) => without(before, card.id))
      }
    },
    [call, client],
  )
  const isOurs = useCallback(({ answer }: Card) => answer !== null && ours.current.has(answer), [])
  const answers = useMemo(() => ({ given, refused, give, isOurs }), [given, refused, give, isOurs])
  return <Context value={answers}>{children}</Context>
}

/** An answer has a name, so that it counts once however often it has to be sent. */
function send(
  call: Call,
  who: { id: string; by: string; message: string },
  digest: string,
  answer: Answer,
): Promise<unknown> {
  const again = { repeatable: true }
  switch (answer.kind) {
    case 'approve': {
      const calls = answer.calls === undefined ? {} : { calls: answer.calls }
      return call('subconscious.escalations_approve', { ...who, digest, ...calls }, again)
    }
    case 'dismiss':
      return call('subconscious.escalations_dismiss', who, again)
    case 'respond':
      return call('subconscious.escalations_respond', { ...who, text: answer.text }, again)
    case 'resolve':
      return call('subconscious.escalations_resolve', { ...who, happened: answer.happened }, again)
    default:
      return answer satisfies never
  }
}

function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `dashboard_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function without<Value>(map: ReadonlyMap<string, Value>, name: string): ReadonlyMap<string, Value> {
  if (!map.has(name)) return map
  const rest = new Map(map)
  rest.delete(name)
  return rest
}
