import type { ChatRequest } from '../../src/domain/chat.ts'
import { second } from '../../src/domain/clock.ts'
import type { WorldId } from '../../src/domain/ids.ts'
import { settle, until } from '../house/scene.ts'
import type { House } from '../support/house.ts'
import type { Said } from '../support/scripted-chat.ts'
import { type Held, never } from './golden-held.ts'

/** Another agent's session: long ago it was talked in more than is looked back on, and it is being worked for. */
export const anna = { agent: 'anna', session: 'plans' }
/** Its message has just come. */
export const bob = { agent: 'bob', session: 'news' }

/** What the agent looks up for the last message, and is held up in once it has it. */
export const lookUp = 'Look up the day of the plan'
export const answers = { chat: 'So it is.', lookUp: 'It is on Tuesday.' }
export const advice = 'Keep to the plan.'
/** One more than the entries of the world diff that are looked back on. */
const longAgo = 21

/** What the deep model says where it is asked for sessions; undefined where it is asked for something else. */
export function sessionWords({ messages }: ChatRequest, held: Held): Said | Promise<Said> | undefined {
  const system = messages[0]?.text ?? ''
  if (system.includes('STEERING_DIRECTIVE')) return `STEERING_DIRECTIVE: ${advice}\nexpires_after_cycles: 5`
  if (system.includes('shorten the record')) return 'They talked.'
  if (!system.includes('reasoning core')) return undefined
  if (!messages.some(({ text }) => text.includes(lookUp))) return answers.chat
  if (!messages.some(({ role }) => role === 'tool')) {
    return { calls: [{ id: 'c1', tool: 'read_file', arguments: '{"path":"notes.md"}' }] }
  }
  return held.up ? never(held, lookUp) : answers.lookUp
}

async function talk(home: House, body: string): Promise<void> {
  await home.runtime.sessions.send({ ...anna, body })
  await home.clock.advance(second, () => settle(home))
}

export async function talkLongAgo(home: House): Promise<void> {
  for (let n = 1; n <= longAgo; n++) await talk(home, `The plan has ${n} points`)
}

export async function review({ runtime }: Pick<House, 'runtime'>) {
  return runtime.settled(await runtime.trigger({ world: 'tinyplace' as WorldId }))
}

/** Two reviews, of which the second takes the place of the first; and a cycle that is steered, and that no review has read. */
export async function reviewAndTalk(home: House): Promise<void> {
  await review(home)
  await review(home)
  await talk(home, 'The plan has changed')
}

/** Leaves a cycle in hand, and a message that waits for others to follow it. */
export async function leaveInHand({ runtime, clock }: House, held: Held): Promise<void> {
  const isSettling = (session: string) => runtime.sessions.find(session).state.startsWith('debouncing')
  await runtime.sessions.send({ ...anna, body: lookUp })
  await until(() => isSettling('anna/plans'))
  clock.set(clock.now() + second)
  await until(() => held.reached.has(lookUp))
  await runtime.sessions.send({ ...bob, body: 'The news is good' })
  await until(() => isSettling('bob/news'))
}
