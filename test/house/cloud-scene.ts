import { intentByRule } from '../../src/tasks/intent.ts'
import type { HouseOptions } from '../support/house.ts'
import type { OpenAIServerOptions } from '../support/openai-server.ts'
import { escalates, judging } from '../support/served.ts'
import { type Brain, cloud, cloudAt, ollama, servedHouse } from './served-house.ts'

const reading = 'Check the notes for open questions'
export const files = { 'notes.md': 'Who pays the venue?\n', 'plan.md': 'The venue is booked.\n' }

/** A call as a model writes it. */
export const use = (tool: string, args: object) => ({ tool, arguments: JSON.stringify(args) })

/** An agent that says this turn by turn: a text, or calls of tools. */
export const turns = (...said: (string | ReturnType<typeof use>[])[]): Brain => {
  let at = 0
  return () => {
    const next = said[at++] ?? 'Nothing more.'
    return typeof next === 'string' ? { text: next } : { calls: next }
  }
}

interface Scene extends HouseOptions {
  task?: string
  verdict?: object
  /** What the agent in the cloud says. */
  brain?: Brain
  served?: OpenAIServerOptions
}

/** A house whose one task is judged by an Ollama as told and worked on by an agent in the cloud. */
export async function cloudScene({
  task = reading,
  verdict = escalates,
  brain = turns(),
  served = {},
  ...options
}: Scene = {}) {
  const judge = await ollama((asked) => judging(asked, verdict))
  const { server, thinks } = await cloud(brain, served)
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    OLLAMA_HOST: judge.server.address,
    ...options.env,
  }
  const home = await servedHouse({ files, ...options, env, settings: { ...cloudAt(server), ...options.settings } })
  // Said, so that no model is asked what the words ask for.
  const { id } = await home.runtime.tasks.add({ title: task, intent: intentByRule(task) })
  const row = () => home.runtime.stores.tasks.get(id)!
  const last = () => home.runtime.stores.evaluations.log({ limit: 1 })[0]!
  return { home, env, judge, server, thinks, row, last }
}
